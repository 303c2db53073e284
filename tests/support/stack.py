"""The product as it is deployed: a Valkey server, engine and scoring replicas, each a process of its own, killable."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from service_runtime.embedded_redis import EmbeddedRedis, free_port
from tests.support.valkey import running_valkey

START_SECONDS = 60.0

QUICK = {
    "CHEESEBOARD_BOT_MIN_MS": "0",
    "CHEESEBOARD_BOT_MAX_MS": "0",
    "CHEESEBOARD_CALLS_PER_SECOND": "1000",
    "CHEESEBOARD_MOVES_PER_SECOND": "1000",
}
"""Settings for tests that play many games."""


class Replica:
    """One process of a service, on a port of its own that it keeps when it is started again."""

    def __init__(self, service: str, folder: Path, environment: Mapping[str, str], before: str = "") -> None:
        """Statements of `before` are executed in the process before the service starts."""
        self.service = service
        self._before = before
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.log = folder / f"{service}-{self.port}.log"
        listen = {f"CHEESEBOARD_{service.upper()}_LISTEN": self.address}
        self._environment = {**os.environ, "CHEESEBOARD_GUESTS": "true", **environment, **listen}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def launch(self) -> None:
        """Start the process without waiting for it."""
        with self.log.open("ab") as lines:
            program = ["-m", f"{self.service}_service"]
            if self._before:
                program = ["-c", f"{self._before}\nfrom {self.service}_service.__main__ import main; main()"]
            self._process = subprocess.Popen(
                [sys.executable, *program], env=self._environment, stdout=lines, stderr=lines
            )

    def wait(self) -> None:
        """Return when it serves."""
        deadline = time.monotonic() + START_SECONDS
        with grpc.insecure_channel(self.address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            while not _serves(channel):
                assert self._process is not None and self._process.poll() is None, self.log.read_text()[-2000:]
                assert time.monotonic() < deadline, f"{self.service} does not serve:\n{self.log.read_text()[-2000:]}"
                time.sleep(0.05)

    def start(self) -> None:
        """Start it and return when it serves."""
        self.launch()
        self.wait()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._signal(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop, as an orchestrator does; return its exit code."""
        return self._signal(signal.SIGTERM)

    def terminate(self) -> None:
        """Ask it to stop without waiting."""
        assert self._process is not None
        self._process.terminate()

    @property
    def pid(self) -> int:
        """Return the process id."""
        assert self._process is not None
        return self._process.pid

    def _signal(self, number: int) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        return process.wait(timeout=30)


class Stack:
    """A running product."""

    valkey: EmbeddedRedis
    """Its server, if it has one of its own."""

    def __init__(self, redis_url: str, folder: Path, engines: int, scorings: int, settings: Mapping[str, str]) -> None:
        environment = {"CHEESEBOARD_REDIS_URL": redis_url, **settings}
        self.redis_url = redis_url
        self.engines = [Replica("engine", folder, environment) for _ in range(engines)]
        self.scorings = [Replica("scoring", folder, environment) for _ in range(scorings)]

    @property
    def engine_addresses(self) -> list[str]:
        """Where the engines listen."""
        return [replica.address for replica in self.engines]

    @property
    def scoring_addresses(self) -> list[str]:
        """Where the scoring replicas listen."""
        return [replica.address for replica in self.scorings]

    def start(self) -> None:
        """Start every replica, side by side."""
        for replica in (*self.engines, *self.scorings):
            replica.launch()
        for replica in (*self.engines, *self.scorings):
            replica.wait()

    def kill(self) -> None:
        """End every replica."""
        for replica in (*self.engines, *self.scorings):
            replica.kill()


@contextlib.contextmanager
def running_stack(
    folder: Path, engines: int = 1, scorings: int = 1, settings: Mapping[str, str] | None = None
) -> Iterator[Stack]:
    """A product of this size with a Valkey server of its own."""
    with (
        running_valkey(folder / "valkey") as valkey,
        running_replicas(valkey.url, folder, engines, scorings, settings) as stack,
    ):
        stack.valkey = valkey
        yield stack


@contextlib.contextmanager
def running_replicas(
    redis_url: str, folder: Path, engines: int = 1, scorings: int = 1, settings: Mapping[str, str] | None = None
) -> Iterator[Stack]:
    """A product of this size on a store that is there."""
    stack = Stack(redis_url, folder, engines, scorings, settings or {})
    try:
        stack.start()
        yield stack
    finally:
        stack.kill()


def _serves(channel: grpc.Channel) -> bool:
    try:
        answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=1)
    except grpc.RpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
