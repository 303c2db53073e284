"""`cheeseboard run`: everything comes up, stays up, goes down in order, and says what is wrong."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from service_runtime.embedded_redis import EmbeddedRedis, free_port
from service_runtime.redis_connection import RedisConnection
from service_runtime.stream_entry import parked_key

CHEESEBOARD = [sys.executable, "-c", "from service_runtime.cli import app; app()"]


class Run:
    """One `cheeseboard run` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {name: free_port() for name in ("redis", "engine", "scoring")}
        self.said = ""
        self._process: asyncio.subprocess.Process | None = None

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    @property
    def redis_url(self) -> str:
        return f"redis://127.0.0.1:{self.ports['redis']}/0"

    async def start(self, *arguments: str) -> None:
        settings = {
            "CHEESEBOARD_HOME": str(self.folder),
            "CHEESEBOARD_RUN_REDIS_PORT": str(self.ports["redis"]),
            "CHEESEBOARD_ENGINE_LISTEN": f"127.0.0.1:{self.ports['engine']}",
            "CHEESEBOARD_SCORING_LISTEN": f"127.0.0.1:{self.ports['scoring']}",
            "CHEESEBOARD_DRAIN_SECONDS": "2",
        }
        outside = {name: value for name, value in os.environ.items() if not name.startswith("CHEESEBOARD_")}
        self.said = ""
        self._process = await asyncio.create_subprocess_exec(
            *CHEESEBOARD,
            "run",
            *arguments,
            env={**outside, **settings},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def until(self, said: str) -> None:
        """Return when it has said this; fails when it ends before."""
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            while not re.search(said, self.said):
                line = await self.process.stdout.readline()
                assert line, f"ended, having said:\n{self.said}"
                self.said += line.decode()

    async def end(self) -> int:
        """Return its exit code; `said` is complete then."""
        assert self.process.stdout is not None
        async with asyncio.timeout(20):
            self.said += (await self.process.stdout.read()).decode()
            return await self.process.wait()

    async def healthy(self, name: str) -> bool:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.ports[name]}") as channel:
            request = health_pb2.HealthCheckRequest()
            answer = await health_pb2_grpc.HealthStub(channel).Check(request, timeout=20, wait_for_ready=True)
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def pid_of(self, module: str) -> int:
        """Return the process id of a child."""
        listing = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=True
        )
        (line,) = [line for line in listing.stdout.splitlines() if module in line]
        return int(line.split()[0])

    async def all_ports_closed(self) -> None:
        async with asyncio.timeout(10):
            while any(_open(port) for port in self.ports.values()):
                await asyncio.sleep(0.05)


def _open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Run]:
    made = Run(tmp_path / "home")
    yield made
    if made._process is not None and made._process.returncode is None:
        made._process.terminate()
        await made.end()


async def test_it_starts_says_where_it_listens_and_stops_cleanly_on_ctrl_c(run: Run) -> None:
    await run.start()
    await run.until("Ctrl-C stops")
    for name in ("engine", "scoring"):
        assert f"127.0.0.1:{run.ports[name]}" in run.said
        assert await run.healthy(name)
    run.process.send_signal(signal.SIGINT)
    assert await run.end() == 0
    assert run.said.endswith("Stopped.\n")
    assert "Traceback" not in run.said
    await run.all_ports_closed()


@pytest.mark.parametrize(
    ("name", "setting", "code"),
    [("engine", "CHEESEBOARD_ENGINE_LISTEN", 3), ("redis", "CHEESEBOARD_RUN_REDIS_PORT", 4)],
)
async def test_a_taken_port_is_told_with_its_setting(run: Run, name: str, setting: str, code: int) -> None:
    with socket.create_server(("127.0.0.1", run.ports[name])):
        await run.start()
        assert await run.end() == code
        assert setting in run.said
        assert "in use" in run.said
        assert "Stop" not in run.said
        assert "Traceback" not in run.said
    await run.all_ports_closed()


async def test_what_is_killed_comes_back_with_its_data(run: Run) -> None:
    await run.start()
    await run.until("Ready")
    connection = await RedisConnection.open(run.redis_url, budget_seconds=15)
    await connection.command("SET", "kept", "yes")
    for module, said in (
        ("engine_service", "engine service ended"),
        ("valkey-server|redis-server", "Redis server ended"),
    ):
        pid = run.pid_of(module) if module == "engine_service" else await _server_pid(connection)
        os.kill(pid, signal.SIGKILL)
        await run.until(said)
    assert await connection.command("GET", "kept", repeatable=True) == b"yes"
    async with asyncio.timeout(20):
        while not (await run.healthy("engine") and await run.healthy("scoring")):
            await asyncio.sleep(0.05)
    await connection.close()


async def _server_pid(connection: RedisConnection) -> int:
    text = (await connection.command("INFO", "server")).decode()
    found = re.search(r"process_id:(\d+)", text)
    assert found is not None
    return int(found[1])


async def test_after_kill_9_of_it_the_services_end_and_the_next_start_goes_on(run: Run) -> None:
    await run.start()
    await run.until("Ready")
    connection = await RedisConnection.open(run.redis_url)
    await connection.command("SET", "kept", "yes")
    await connection.close()
    run.process.kill()
    await run.process.wait()
    async with asyncio.timeout(10):
        while any(_open(run.ports[name]) for name in ("engine", "scoring")):
            await asyncio.sleep(0.05)
    # Redis outlives it; even on another port the next one takes over its data, and only one server is left.
    old, run.ports["redis"] = run.ports["redis"], free_port()
    await run.start()
    await run.until("Ready")
    assert not _open(old)
    connection = await RedisConnection.open(run.redis_url)
    assert await connection.command("GET", "kept") == b"yes"
    await connection.close()


async def test_a_second_one_is_refused_in_one_line_and_the_first_goes_on_until_its_parent_ends(
    run: Run, tmp_path: Path
) -> None:
    """On the same data, or on the same ports: nothing is said of stopping anything."""
    await run.start("--with-parent")
    await run.until("Ready")
    second = Run(run.folder)
    await second.start()
    assert await second.end() == 1
    assert re.fullmatch(r"Cheeseboard already runs .*, and goes on running\. .*CHEESEBOARD_HOME.*\n", second.said)
    second.folder, second.ports = tmp_path, run.ports
    await second.start()
    assert await second.end() == 3
    assert re.fullmatch(r"Cannot listen .* in use\. Whatever listens there goes on running\. .*\n", second.said)
    assert run.process.stdin is not None
    run.process.stdin.close()
    assert await run.end() == 0
    await run.all_ports_closed()


def test_a_server_of_ones_own_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = {"CHEESEBOARD_REDIS_URL": "redis://127.0.0.1:1/0", "CHEESEBOARD_HOME": str(tmp_path)}
    settings |= {f"CHEESEBOARD_{name}_LISTEN": f"127.0.0.1:{free_port()}" for name in ("ENGINE", "SCORING")}
    ended = subprocess.run(
        [*CHEESEBOARD, "run"], env={**os.environ, **settings}, capture_output=True, text=True, timeout=30
    )
    assert ended.returncode == 4
    assert "127.0.0.1:1" in ended.stderr
    assert "CHEESEBOARD_REDIS_URL" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def cheeseboard(redis_url: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command, on an empty database."""

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "CHEESEBOARD_REDIS_URL": redis_url}
        return subprocess.run([*CHEESEBOARD, *arguments], env=environment, capture_output=True, text=True, timeout=30)

    return command


async def test_parked_entries_are_listed_and_replayed_from_the_shell(
    connection: RedisConnection, cheeseboard: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    assert cheeseboard("parked", "list").stdout == "0 parked.\n"
    parked = await connection.command("XADD", parked_key("rounds", 3), "*", "m", "12345", "error", "no such card")
    reference = f"3/{parked.decode()}"
    first, last = cheeseboard("parked", "list").stdout.splitlines()
    assert first.startswith(f"rounds {reference}  20")
    assert first.endswith("5 bytes  no such card")
    assert last == "1 parked."
    assert cheeseboard("parked", "replay", "rounds", reference).returncode == 0
    assert cheeseboard("parked", "replay", "rounds", reference).returncode == 1
    assert cheeseboard("parked", "replay", "rounds", "nonsense").returncode == 2
    assert await connection.command("XLEN", "{p3}:rounds") == 1


def test_without_a_server_the_shell_says_so(own_valkey: EmbeddedRedis) -> None:
    own_valkey.kill()
    environment = {**os.environ, "CHEESEBOARD_REDIS_URL": own_valkey.url}
    ended = subprocess.run(
        [*CHEESEBOARD, "parked", "list"], env=environment, capture_output=True, text=True, timeout=30
    )
    assert ended.returncode == 2
    assert "CHEESEBOARD_REDIS_URL" in ended.stderr
    assert "Traceback" not in ended.stderr
