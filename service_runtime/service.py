"""How a service's process begins and ends.

    def main() -> None:
        service.main("engine", EngineSettings, serve)

    async def serve(settings, stopping):   # builds the parts, starts the server, waits for `stopping`, drains
        connection = await service.open_store(settings)
        …
        await stopping.wait()
        await server.drain(say_goodbye)
        await connection.close()

Exit codes: 0 stopped as asked, 1 a fault of ours, 2 a setting is wrong, 3 the port is taken, 4 Redis is not there.
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

from . import logs, metrics
from .grpc_server import PortTaken
from .identity_file import IdentityFileError
from .redis_connection import RedisConnection
from .setting_names import misspelt
from .settings import RuntimeSettings, load
from .store_errors import StoreUnavailable

log = logs.logger("service")

S = TypeVar("S", bound=RuntimeSettings)

Serve = Callable[[S, asyncio.Event], Awaitable[None]]

SPARE_SECONDS = 1.0
STOP_WITH_PARENT = "CHEESEBOARD_STOP_WITH_PARENT"
"""When set, the end of standard input is a signal to stop: no service outlives `cheeseboard run`."""


def main(name: str, settings_type: type[S], serve: Serve[S]) -> None:
    """Run a service until it is told to stop; never returns."""
    settings = load(settings_type)
    logs.configure(name, settings.log_level)
    _collect_seldom()
    for warning in misspelt(os.environ):
        log.warning(warning)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            code = runner.run(_run(settings, serve))
    except KeyboardInterrupt:
        code = 0
    sys.stdout.flush()
    # Not sys.exit: a thread that hangs must not keep a drained process alive.
    os._exit(code)


async def open_store(settings: RuntimeSettings) -> RedisConnection:
    """Return the connection, waiting for Redis for a while, and log what its settings put at risk."""
    connection = await RedisConnection.open(settings.redis_url, wait_seconds=settings.redis_wait_seconds)
    for warning in await connection.durability_warnings():
        log.warning(warning)
    return connection


async def _run(settings: S, serve: Serve[S]) -> int:
    stopping = asyncio.Event()
    _listen_for_signals(stopping)
    try:
        metrics.serve(settings.metrics_host, settings.metrics_port)
    except OSError as fault:
        return _give_up(3, f"Cannot serve metrics on port {settings.metrics_port} (CHEESEBOARD_METRICS_PORT): {fault}")
    try:
        await _until_drained(asyncio.ensure_future(serve(settings, stopping)), stopping, settings.drain_seconds)
    except PortTaken as fault:
        return _give_up(3, str(fault))
    except IdentityFileError as fault:
        return _give_up(2, f"Setting CHEESEBOARD_IDENTITY_FILE: {fault}")
    except StoreUnavailable as fault:
        return _give_up(4, f"{fault}. Set CHEESEBOARD_REDIS_URL to a Redis or Valkey server.")
    except Exception:
        log.exception("service failed")
        return _give_up(1, "The service failed; the log above says where.")
    return 0


async def _until_drained(service: asyncio.Future[None], stopping: asyncio.Event, drain_seconds: float) -> None:
    asked = asyncio.ensure_future(stopping.wait())
    await asyncio.wait((service, asked), return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    await asyncio.wait([service], timeout=drain_seconds + SPARE_SECONDS)
    if not service.done():
        log.warning("service did not end in time")
        service.cancel()
        await asyncio.wait([service], timeout=SPARE_SECONDS)
    if service.done() and not service.cancelled():
        service.result()


def on_stdin_end(callback: Callable[[], None]) -> None:
    """Call `callback` once when standard input ends; whoever holds its other end never writes."""
    loop, stdin = asyncio.get_running_loop(), sys.stdin.fileno()

    def ended() -> None:
        loop.remove_reader(stdin)
        callback()

    loop.add_reader(stdin, ended)


def _listen_for_signals(stopping: asyncio.Event) -> None:
    def stop() -> None:
        if stopping.is_set():
            # Asked twice: whoever asks will not wait.
            os._exit(1)
        stopping.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    if os.environ.get(STOP_WITH_PARENT):
        on_stdin_end(stop)


def _give_up(code: int, message: str) -> int:
    print(message, file=sys.stderr, flush=True)
    return code


def _collect_seldom() -> None:
    """Look for garbage less often: next to nothing of ours is in cycles, and what was imported never goes."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
