"""A gRPC server as each service runs one: health, reflection, TLS, keepalive, and an orderly end."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from .grpc_adapter import handlers
from .logs import logger
from .methods import Method
from .pipeline import Pipeline
from .redis_connection import RedisConnection
from .settings import RuntimeSettings

log = logger("server")

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

HEALTH_EVERY_SECONDS = 0.25
STREAMS_PER_CONNECTION = 128
"""Calls and streams under way on one connection; more are refused unseen (UNAVAILABLE), and may be sent again."""


class PortTaken(Exception):
    """The address to listen on is in use, or not ours; the text names it and the setting."""


class GrpcServer:
    """Serves `methods` on `listen` ("127.0.0.1:50051"); `setting` is the variable to name when that is taken."""

    def __init__(
        self,
        settings: RuntimeSettings,
        *,
        listen: str,
        setting: str,
        methods: Sequence[Method],
        pipeline: Pipeline,
        connection: RedisConnection,
    ) -> None:
        self._settings = settings
        self._listen = listen
        self._setting = setting
        self._methods = methods
        self._pipeline = pipeline
        self._connection = connection
        self._names = sorted({method.service for method in methods})
        self._health = health.aio.HealthServicer()
        self._watch: asyncio.Task[None] | None = None
        self._server: grpc.aio.Server | None = None

    async def start(self) -> int:
        """Start serving and return the port. Raises PortTaken; OSError or ValueError for bad TLS files."""
        with _threads_that_interrupt_nobody():
            self._server = grpc.aio.server(options=_options(self._settings))
        self._server.add_generic_rpc_handlers(handlers(self._methods, self._pipeline))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = [*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME]
        reflection.enable_server_reflection(names, self._server)
        port = self._bind(self._server)
        await self._tell_health(self._connection.available)
        await self._server.start()
        self._watch = asyncio.create_task(self._watch_store(), name="health")
        log.info("serving", listen=self._listen, port=port)
        return port

    async def drain(self, say_goodbye: Callable[[], Awaitable[None]] | None = None) -> None:
        """Stop: health turns first, then streams end with their goodbye, then calls get until `drain_seconds` is over.

        `say_goodbye` makes open streams end by themselves.
        """
        assert self._server is not None
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.drain_seconds
        log.info("draining")
        if self._watch is not None:
            self._watch.cancel()
        self._pipeline.draining = True
        await self._health.enter_graceful_shutdown()
        if say_goodbye is not None:
            await _within(say_goodbye(), deadline)
        # The last moment is for cancelling what would not end.
        await _within(self._server.stop(max(0.0, deadline - loop.time() - 0.5)), deadline)
        self._pipeline.write_log()
        log.info("stopped")

    def _bind(self, server: grpc.aio.Server) -> int:
        try:
            credentials = _credentials(self._settings)
            if credentials is None:
                return server.add_insecure_port(self._listen)
            return server.add_secure_port(self._listen, credentials)
        except RuntimeError:
            why = "it is in use, or no address of this machine"
            raise PortTaken(f"Cannot listen on {self._listen}: {why}. Set {self._setting} to another.") from None

    async def _watch_store(self) -> None:
        told = self._connection.available
        while True:
            await asyncio.sleep(HEALTH_EVERY_SECONDS)
            if self._connection.available != told:
                told = self._connection.available
                await self._tell_health(told)

    async def _tell_health(self, serving: bool) -> None:
        for name in ("", *self._names):
            await self._health.set(name, SERVING if serving else NOT_SERVING)


@contextmanager
def _threads_that_interrupt_nobody() -> Iterator[None]:
    """Have threads that start here not take a core from this one at every wake-up (Linux: SCHED_BATCH).

    gRPC reads its sockets in threads of its own. When those wait until the loop waits or its time is up, it finds many
    calls at once instead of being switched away from each: a sixth less work a call where threads share a core.
    """
    changed = False
    with suppress(AttributeError, OSError):  # Another system does not have it, a container may forbid it or to ask.
        if os.sched_getscheduler(0) == os.SCHED_OTHER:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
            changed = True
    try:
        yield
    finally:
        if changed:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


async def _within(work: Awaitable[None], deadline: float) -> None:
    try:
        async with asyncio.timeout_at(deadline):
            await work
    except TimeoutError:
        log.warning("draining took too long")


def _options(settings: RuntimeSettings) -> list[tuple[str, int]]:
    return [
        # Two servers on one port would share the calls in silence.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        # What one connection sends at once is what everyone else may have to wait for.
        ("grpc.max_concurrent_streams", STREAMS_PER_CONNECTION),
        # Clients may ping every 10 s, also between calls; by default that is answered with GOAWAY.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.max_ping_strikes", 0),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
        # New replicas get their share: a client looks for a server anew now and then.
        ("grpc.max_connection_age_ms", 30 * 60_000),
        ("grpc.max_connection_age_grace_ms", 30 * 60_000),
    ]


def _credentials(settings: RuntimeSettings) -> grpc.ServerCredentials | None:
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    pair = (settings.tls_key.read_bytes(), settings.tls_certificate.read_bytes())
    if settings.tls_client_ca is None:
        return grpc.ssl_server_credentials([pair])
    ca = settings.tls_client_ca.read_bytes()
    return grpc.ssl_server_credentials([pair], root_certificates=ca, require_client_auth=True)
