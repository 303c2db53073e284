"""A stack of one's own, for when none is running: a process of its own, ended with the program that started it."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 60.0
STOP_SECONDS = 20.0


class StackFailed(Exception):
    """The stack did not start; the text says why."""


@dataclass(frozen=True)
class Addresses:
    """Where a stack listens."""

    engine: str
    scoring: str


@dataclass(frozen=True)
class OwnStack(Addresses):
    """A stack that runs as a child of this process."""

    pid: int
    """The parent of its Redis server and its services."""


async def is_running(addresses: Addresses) -> bool:
    """Return whether an engine answers there, whatever it says."""
    host, _, port = addresses.engine.rpartition(":")
    try:
        async with asyncio.timeout(2.0):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, TimeoutError, ValueError):
        return False
    writer.close()
    return True


@asynccontextmanager
async def own_stack(
    folder: Path, progress: Callable[[str], None], settings: Mapping[str, str] | None = None
) -> AsyncIterator[OwnStack]:
    """Run a stack on free ports, with its data in a folder, as long as the block runs.

    `settings` are further variables of its environment. Raises StackFailed when it does not start; `progress` gets each
    line that it says.
    """
    redis, engine, scoring = free_ports(3)
    addresses = Addresses(f"127.0.0.1:{engine}", f"127.0.0.1:{scoring}")
    process = await asyncio.create_subprocess_exec(
        *_COMMAND,
        env={**_environment(folder, redis, addresses), **(settings or {})},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,  # Ctrl-C is for the program, which then stops the stack in order.
    )
    try:
        await _until_ready(process, progress)
        reading = asyncio.create_task(_read_on(process))
        yield OwnStack(addresses.engine, addresses.scoring, process.pid)
        reading.cancel()
    finally:
        await _stop(process)


_COMMAND = (sys.executable, "-c", "from service_runtime.cli import app; app()", "run", "--with-parent")


def _environment(folder: Path, redis_port: int, addresses: Addresses) -> dict[str, str]:
    own = {
        "CHEESEBOARD_HOME": str(folder),
        "CHEESEBOARD_RUN_REDIS_PORT": str(redis_port),
        "CHEESEBOARD_ENGINE_LISTEN": addresses.engine,
        "CHEESEBOARD_SCORING_LISTEN": addresses.scoring,
        "CHEESEBOARD_GUESTS": "true",
        "CHEESEBOARD_METRICS_PORT": "0",
    }
    others = {name: value for name, value in os.environ.items() if name != "CHEESEBOARD_REDIS_URL"}
    return {**others, **own}


async def _until_ready(process: asyncio.subprocess.Process, progress: Callable[[str], None]) -> None:
    assert process.stdout
    said: list[str] = []
    try:
        async with asyncio.timeout(START_SECONDS):
            while line := (await process.stdout.readline()).decode("utf-8", "replace").strip():
                said.append(line)
                if line.startswith("Ready"):
                    return
                progress(line)
    except TimeoutError:
        said.append("It was not ready in time.")
    raise StackFailed("\n".join(said[-5:]))


async def _read_on(process: asyncio.subprocess.Process) -> None:
    """Take what it says later, so that it never waits for a reader."""
    assert process.stdout
    while await process.stdout.readline():
        pass


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.stdin:
        process.stdin.close()  # It stops by itself when its input ends, even if this program is killed.
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()
