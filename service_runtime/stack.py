"""Everything a table needs, on this machine: a Redis server, the engine, the scoring service, each a process.

A child that dies is started again on what it left, and it is said; one that keeps dying, or that a setting keeps from
starting, ends the whole. Services stop first, Redis last.
"""

import asyncio
import errno
import fcntl
import os
import socket
import time
from collections import deque
from pathlib import Path
from typing import IO

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from .child import Child, Tell
from .embedded_redis import EmbeddedRedis, NoRedisServer
from .redis_connection import RedisConnection
from .settings import PREFIX, Address
from .store_errors import StoreUnavailable

LOCAL_REDIS_PORT = 50050
READY_SECONDS = 60.0
USUAL_ENGINE, USUAL_SCORING = "127.0.0.1:50051", "127.0.0.1:50052"
"""Where the terminal client looks by itself."""
MOST_DEATHS, DEATHS_WITHIN_SECONDS = 5, 60.0
HOPELESS = {2: "a setting is wrong", 3: "its port is taken", 4: "Redis is not there"}
"""Exit codes of a service (service.py) that another start would not mend."""


class StackSettings(BaseSettings):
    """Variables of `cheeseboard run`; the services read theirs from the same environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    home: Path = Path(".cheeseboard")
    """Where data and logs are kept."""
    redis_url: str | None = None
    """A server to use instead of one of our own."""
    run_redis_port: int = Field(default=LOCAL_REDIS_PORT, ge=1, le=65535)
    engine_listen: Address = USUAL_ENGINE
    scoring_listen: Address = USUAL_SCORING
    guests: bool = True
    metrics_port: int = Field(default=0, ge=0, le=65534)
    """The engine's; the scoring service takes the next."""
    drain_seconds: float = Field(default=10.0, ge=0)
    tls_certificate: Path | None = None


class StackFailed(Exception):
    """It cannot start or go on; the text says why and what to do. `code` is for the process to exit with."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def local_redis_url() -> str:
    """Return the server that commands beside a running stack speak to: the one set, or that of `cheeseboard run`."""
    port = os.environ.get(f"{PREFIX}RUN_REDIS_PORT", LOCAL_REDIS_PORT)
    return os.environ.get(f"{PREFIX}REDIS_URL", f"redis://127.0.0.1:{port}/0")


def _refuse_taken(address: str, setting: str) -> None:
    # Asked here too: the health of whoever holds the port would pass for the health of ours.
    host, _, port = address.rpartition(":")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), int(port)))
        except OSError as fault:
            goes_on = " Whatever listens there goes on running." if fault.errno == errno.EADDRINUSE else ""
            why = f"Cannot listen on {address}: {fault.strerror or fault}.{goes_on} Set {setting} to another."
            raise StackFailed(why, 3) from None


class Stack:
    """`start`, then `watch` until it raises or is cancelled, then `stop`."""

    def __init__(self, settings: StackSettings, tell: Tell) -> None:
        self.settings = settings
        self.has_begun = False
        """Whether there is anything to be stopped."""
        self._tell = tell
        self._redis: EmbeddedRedis | None = None
        self._redis_start: asyncio.Future[None] | None = None
        self._lock: IO[str] | None = None
        self._deaths: deque[float] = deque(maxlen=MOST_DEATHS)
        url = settings.redis_url or f"redis://127.0.0.1:{settings.run_redis_port}/0"
        guests = str(settings.guests).lower()
        common = {f"{PREFIX}REDIS_URL": url, f"{PREFIX}GUESTS": guests}
        second_port = str(settings.metrics_port + 1 if settings.metrics_port else 0)
        self.engine = Child("engine", "engine_service", common, settings.home, tell)
        self.scoring = Child(
            "scoring", "scoring_service", {**common, f"{PREFIX}METRICS_PORT": second_port}, settings.home, tell
        )
        self._addresses = {"engine": settings.engine_listen, "scoring": settings.scoring_listen}

    async def start(self) -> None:
        """Return when all of it serves. Raises StackFailed."""
        self.settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._take_lock()
        for name, address in self._addresses.items():
            _refuse_taken(address, f"{PREFIX}{name.upper()}_LISTEN")
        await self._start_redis()
        self.has_begun = True
        for child in (self.engine, self.scoring):
            self._tell(f"Starting the {child.name} service…")
            await child.start()
        await asyncio.gather(*(self._until_ready(child) for child in (self.engine, self.scoring)))

    async def watch(self) -> None:
        """Start again whatever dies. Raises StackFailed when that does not help."""
        tasks = [asyncio.create_task(self._keep(child)) for child in (self.engine, self.scoring)]
        tasks.append(asyncio.create_task(self._keep_redis()))
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def stop(self) -> None:
        """Stop the services, then Redis."""
        patience = self.settings.drain_seconds + 3
        await asyncio.gather(*(child.stop(patience) for child in (self.engine, self.scoring)))
        if self._redis is not None and self._redis_start is not None:
            # Stopped while it was being started: it must be there to be stopped.
            await asyncio.wait([self._redis_start])
            await asyncio.to_thread(self._redis.stop)
        if self._lock is not None:
            self._lock.close()

    def _take_lock(self) -> None:
        self._lock = (self.settings.home / "run.lock").open("a+")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StackFailed(
                f"Cheeseboard already runs with the data in {self.settings.home}, and goes on running. "
                f"For a second one set {PREFIX}HOME, {PREFIX}RUN_REDIS_PORT, {PREFIX}ENGINE_LISTEN and "
                f"{PREFIX}SCORING_LISTEN."
            ) from None
        self._lock.truncate(0)
        self._lock.write(str(os.getpid()))
        self._lock.flush()

    async def _start_redis(self) -> None:
        if self.settings.redis_url is not None:
            await self._find_redis(self.settings.redis_url)
            return
        redis = self._redis = EmbeddedRedis(self.settings.home / "redis", self.settings.run_redis_port)
        self._tell("Starting a Redis server…")
        self._redis_start = asyncio.ensure_future(redis.start_soon())
        try:
            await asyncio.shield(self._redis_start)
        except NoRedisServer as fault:
            raise StackFailed(f"{fault} (The port is the setting {PREFIX}RUN_REDIS_PORT.)", 4) from None
        self._tell(f"Redis serves on 127.0.0.1:{redis.port}, its data is in {redis.folder}.")

    async def _find_redis(self, url: str) -> None:
        try:
            connection = await RedisConnection.open(url, wait_seconds=1.0)
        except (StoreUnavailable, ValueError) as fault:
            raise StackFailed(f"{fault}. The server is the setting {PREFIX}REDIS_URL.", 4) from None
        self._tell(f"Using the Redis server at {connection.address}.")
        await connection.close()

    async def _until_ready(self, child: Child) -> None:
        ended = asyncio.create_task(child.wait())
        ready = asyncio.create_task(self._healthy(self._addresses[child.name]))
        await asyncio.wait((ended, ready), timeout=READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if ended.done():
            raise self._hopeless(child, ended.result())
        ended.cancel()
        if not ready.done() or ready.cancelled():
            raise StackFailed(f"The {child.name} service does not become ready; its log is {child.log}.")
        self._tell(f"The {child.name} service is ready: gRPC on {self._addresses[child.name]}.")

    async def _healthy(self, address: str) -> None:
        if self.settings.tls_certificate is not None:
            return await _accepts(address)
        async with grpc.aio.insecure_channel(address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            while True:
                try:
                    answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=2)
                    if answer.status == health_pb2.HealthCheckResponse.SERVING:
                        return None
                except grpc.aio.AioRpcError:
                    pass
                await asyncio.sleep(0.05)

    async def _keep(self, child: Child) -> None:
        while True:
            code = await child.wait()
            if code in HOPELESS:
                raise self._hopeless(child, code)
            await self._count_death(f"the {child.name} service", code, child.log)
            await child.start()

    async def _keep_redis(self) -> None:
        while self._redis is not None:
            await asyncio.sleep(0.2)
            if (code := self._redis.exit_code) is not None:
                await self._count_death("the Redis server", code, self._redis.folder / "redis.log")
                self._redis_start = asyncio.ensure_future(self._redis.start_soon())
                await asyncio.shield(self._redis_start)

    async def _count_death(self, who: str, code: int, log: Path) -> None:
        now = time.monotonic()
        self._deaths.append(now)
        if len(self._deaths) == MOST_DEATHS and now - self._deaths[0] < DEATHS_WITHIN_SECONDS:
            raise StackFailed(f"{who[0].upper()}{who[1:]} ended again and again (code {code}); see {log}.")
        self._tell(f"{who[0].upper()}{who[1:]} ended (code {code}, see {log}); starting it again.")
        await asyncio.sleep(0.2)

    def _hopeless(self, child: Child, code: int) -> StackFailed:
        why = HOPELESS.get(code, f"code {code}, see {child.log}")
        return StackFailed(f"The {child.name} service could not go on: {why}.", code or 1)


async def _accepts(address: str) -> None:
    host, _, port = address.rpartition(":")
    while True:
        try:
            _, writer = await asyncio.open_connection(host, int(port))
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
