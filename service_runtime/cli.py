"""The command `cheeseboard`: run everything here, and look after parked entries."""

import asyncio
import datetime
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, NoReturn, TypeVar

import typer
from pydantic import ValidationError

from . import partitions
from .parked import list_parked, replay_parked
from .redis_connection import RedisConnection
from .service import on_stdin_end
from .setting_names import misspelt
from .settings import RuntimeSettings, refuse
from .stack import USUAL_ENGINE, USUAL_SCORING, Stack, StackFailed, StackSettings, local_redis_url
from .store_errors import StoreUnavailable

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Cheeseboard, card tables for other people's apps.")
parked = typer.Typer(no_args_is_help=True, help="Messages between the services that were given up after five tries.")
app.add_typer(parked, name="parked")

T = TypeVar("T")

STREAMS = ("rounds", "scores")


@app.command()
def run(
    with_parent: Annotated[
        bool, typer.Option("--with-parent", help="Stop when standard input ends, for programs that start this one.")
    ] = False,
) -> None:
    """Start a Redis server, the engine and the scoring service, and keep them going until Ctrl-C."""
    try:
        settings = StackSettings()
    except ValidationError as error:
        refuse(error)
    for warning in misspelt(os.environ):
        typer.echo(warning, err=True)
    sys.exit(asyncio.run(_run(settings, with_parent)))


@parked.command("list")
def list_them() -> None:
    """Show what is parked: reference, time, size, and why."""

    async def show(connection: RedisConnection) -> None:
        count = await partitions.agree(connection, RuntimeSettings().partitions)
        found = 0
        for stream in STREAMS:
            for entry in await list_parked(connection, stream, count):
                at = datetime.datetime.fromtimestamp(entry.at_ms / 1000, datetime.UTC).isoformat(timespec="seconds")
                typer.echo(f"{stream} {entry.reference}  {at}  {len(entry.payload)} bytes  {entry.error}")
                found += 1
        typer.echo(f"{found} parked.")

    _with_redis(show)


@parked.command("replay")
def replay(
    stream: Annotated[str, typer.Argument(help="rounds or scores")],
    references: Annotated[list[str], typer.Argument(help="As the list shows them: partition/id")],
) -> None:
    """Send parked messages through again, each once."""
    if stream not in STREAMS:
        _fail(f"No such stream: {stream}. There are {' and '.join(STREAMS)}.")

    async def send(connection: RedisConnection) -> bool:
        there = [await _replay_one(connection, stream, reference) for reference in references]
        return all(there)

    if not _with_redis(send):
        raise typer.Exit(1)


async def _replay_one(connection: RedisConnection, stream: str, reference: str) -> bool:
    try:
        there = await replay_parked(connection, stream, reference)
    except ValueError as fault:
        _fail(f"{reference}: {fault}")
    typer.echo(f"{stream} {reference}: {'sent through again' if there else 'not parked'}")
    return there


async def _run(settings: StackSettings, with_parent: bool) -> int:
    stack = Stack(settings, lambda line: print(line, flush=True))
    work = asyncio.current_task()
    assert work is not None
    _on_stop(work.cancel, with_parent)
    try:
        await stack.start()
        _say_ready(settings)
        await stack.watch()
    except StackFailed as failure:
        print(failure, file=sys.stderr, flush=True)
        await asyncio.shield(_stop(stack) if stack.has_begun else stack.stop())
        return failure.code
    except asyncio.CancelledError:
        work.uncancel()
        await _stop(stack)
    return 0


async def _stop(stack: Stack) -> None:
    print("Stopping…", flush=True)
    await stack.stop()
    print("Stopped.", flush=True)


def _on_stop(cancel: Callable[[], object], with_parent: bool) -> None:
    loop = asyncio.get_running_loop()
    asked = False

    def stop() -> None:
        nonlocal asked
        if not asked:
            # Once: a second Ctrl-C must not keep Redis from being stopped in order.
            asked = True
            cancel()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop)
    if with_parent:
        on_stdin_end(stop)


def _say_ready(settings: StackSettings) -> None:
    elsewhere = f' ARGS="--engine {settings.engine_listen} --scoring {settings.scoring_listen}"'
    usual = (settings.engine_listen, settings.scoring_listen) == (USUAL_ENGINE, USUAL_SCORING)
    print(
        f"Ready. Engine gRPC {settings.engine_listen}, scoring gRPC {settings.scoring_listen}.\n"
        f"Logs and data are in {settings.home}/. To play: make play{'' if usual else elsewhere}, in another terminal. "
        "Ctrl-C stops.",
        flush=True,
    )


def _with_redis(work: Callable[[RedisConnection], Awaitable[T]]) -> T:
    async def connected() -> T:
        connection = await RedisConnection.open(local_redis_url())
        try:
            return await work(connection)
        finally:
            await connection.close()

    try:
        return asyncio.run(connected())
    except StoreUnavailable as fault:
        _fail(f"{fault}. Set CHEESEBOARD_REDIS_URL to the server that the services use.")


def _fail(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(2)
