"""A service as a process: its log, its end on a signal, its exit when it cannot begin."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from cheeseboard.engine.v1 import lobby_pb2, lobby_pb2_grpc, tables_pb2, tables_pb2_grpc
from service_runtime.call_log import WRITE_SECONDS
from service_runtime.embedded_redis import free_port

DRAIN_SECONDS = 2


class ServiceProcess:
    """The small service of serving.py in a process of its own, its log in a file."""

    def __init__(self, log: Path, redis_url: str, **settings: str) -> None:
        self.port = free_port()
        environment = {
            "CHEESEBOARD_REDIS_URL": redis_url,
            "CHEESEBOARD_SERVING_LISTEN": f"127.0.0.1:{self.port}",
            "CHEESEBOARD_GUESTS": "true",
            "CHEESEBOARD_DRAIN_SECONDS": str(DRAIN_SECONDS),
            **settings,
        }
        self._log = log
        self._complaints = log.with_suffix(".stderr")
        with log.open("wb") as lines, self._complaints.open("wb") as complaints:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.runtime.serving"],
                env={**os.environ, **environment},
                stdout=lines,
                stderr=complaints,
            )

    def lines(self) -> list[dict[str, Any]]:
        """Return the log so far."""
        return [json.loads(line) for line in self._log.read_bytes().splitlines()]

    def threads(self) -> list[int]:
        """Return its threads' ids, the one it began with first."""
        return sorted(int(thread.name) for thread in Path(f"/proc/{self.process.pid}/task").iterdir())

    async def end(self) -> int:
        """Return its exit code once it has ended."""
        return await asyncio.wait_for(asyncio.to_thread(self.process.wait), 20)

    def said(self) -> str:
        """Return what it wrote to stderr."""
        return self._complaints.read_text()


@contextlib.contextmanager
def service(log: Path, redis_url: str, **settings: str) -> Iterator[ServiceProcess]:
    running = ServiceProcess(log, redis_url, **settings)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


@contextlib.asynccontextmanager
async def guest(running: ServiceProcess) -> AsyncIterator[tuple[Any, Any]]:
    """A stub and a guest's metadata, once the service answers."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
        signed_in = await lobby.SignInGuest(lobby_pb2.SignInGuestRequest(), wait_for_ready=True, timeout=20)
        yield tables_pb2_grpc.TableServiceStub(channel), (("authorization", f"Bearer {signed_in.token}"),)


async def test_a_call_leaves_one_line_with_who_where_and_why_and_no_secret(tmp_path: Path, redis_url: str) -> None:
    with service(tmp_path / "log", redis_url) as running:
        async with guest(running) as (tables, bearer):
            metadata = (*bearer, ("x-request-id", "r-2"))
            await tables.GetView(tables_pb2.GetViewRequest(table_id="t1"), metadata=metadata)
            with pytest.raises(grpc.aio.AioRpcError):
                await tables.GetView(tables_pb2.GetViewRequest(table_id="break"), metadata=metadata)
        running.process.terminate()
        assert await running.end() == 0
        calls = [line for line in running.lines() if line["event"] == "call" and "table" in line]
        shown = [{key: line.get(key) for key in ("method", "request", "table", "reason")} for line in calls]
        assert shown == [
            {"method": "TableService/GetView", "request": "r-2", "table": "t1", "reason": "OK"},
            {"method": "TableService/GetView", "request": "r-2", "table": "break", "reason": "INTERNAL"},
        ]
        assert all(line["player"].startswith("p") and line["ms"] >= 0 for line in calls)
        (fault,) = [line for line in running.lines() if line["event"] == "call failed"]
        assert "in get_view" in fault["exception"]
        written = (tmp_path / "log").read_text()
        assert "4711" not in written
        assert bearer[0][1].split(".")[2] not in written


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a policy each on Linux only")
async def test_threads_that_read_sockets_do_not_interrupt_the_one_that_works(tmp_path: Path, redis_url: str) -> None:
    """The first thread keeps the usual policy, those of gRPC wait for their turn."""
    with service(tmp_path / "log", redis_url) as running:
        async with guest(running):
            first, *others = running.threads()
            assert os.sched_getscheduler(first) == os.SCHED_OTHER
            assert {os.sched_getscheduler(thread) for thread in others} == {os.SCHED_BATCH}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_on_a_signal_streams_get_their_goodbye_and_the_process_ends(
    tmp_path: Path, redis_url: str, number: signal.Signals
) -> None:
    with service(tmp_path / "log", redis_url) as running:
        async with guest(running) as (tables, bearer):
            watch = tables.WatchTable(tables_pb2.WatchTableRequest(), metadata=bearer)
            await watch.read()
            running.process.send_signal(number)
            frames = [await watch.read()]
            while frames[-1] is not grpc.aio.EOF:
                frames.append(await watch.read())
        assert frames[-2].goodbye.reason == tables_pb2.STREAM_END_DRAINING
        assert await watch.code() is grpc.StatusCode.OK
        assert await running.end() == 0


async def test_a_stream_that_will_not_end_is_cut_within_the_time_to_drain(tmp_path: Path, redis_url: str) -> None:
    with service(tmp_path / "log", redis_url) as running:
        async with guest(running) as (tables, bearer):
            watch = tables.WatchTable(tables_pb2.WatchTableRequest(table_id="stubborn"), metadata=bearer)
            await watch.read()
            asked = time.monotonic()
            running.process.terminate()
            assert await running.end() == 0
            assert time.monotonic() - asked < DRAIN_SECONDS + 2
            with pytest.raises(grpc.aio.AioRpcError):
                await watch.read()


async def test_asked_twice_it_ends_at_once(tmp_path: Path, redis_url: str) -> None:
    with service(tmp_path / "log", redis_url, CHEESEBOARD_DRAIN_SECONDS="60") as running:
        async with guest(running) as (tables, bearer):
            watch = tables.WatchTable(tables_pb2.WatchTableRequest(table_id="stubborn"), metadata=bearer)
            await watch.read()
            running.process.terminate()
            while not any(line["event"] == "draining" for line in running.lines()):
                await asyncio.sleep(0.01)
            running.process.terminate()
            assert await running.end() == 1


async def test_a_taken_port_is_told_in_a_sentence(tmp_path: Path, redis_url: str) -> None:
    with service(tmp_path / "one", redis_url) as first:
        async with guest(first):
            taken = f"127.0.0.1:{first.port}"
            with service(tmp_path / "two", redis_url, CHEESEBOARD_SERVING_LISTEN=taken) as second:
                assert await second.end() == 3
                assert second.said().splitlines()[-1] == (
                    f"Cannot listen on {taken}: it is in use, or no address of this machine. "
                    "Set CHEESEBOARD_SERVING_LISTEN to another."
                )


async def test_figures_are_served_for_prometheus(tmp_path: Path, redis_url: str) -> None:
    port = free_port()
    with service(tmp_path / "log", redis_url, CHEESEBOARD_METRICS_PORT=str(port)) as running:
        async with guest(running):
            await asyncio.sleep(2 * WRITE_SECONDS)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
            figures = (await reader.read()).decode()
            writer.close()
        assert 'cheeseboard_calls_total{method="LobbyService/SignInGuest",reason="OK"} 1.0' in figures
        assert "cheeseboard_redis_connected 1.0" in figures
        with service(tmp_path / "two", redis_url, CHEESEBOARD_METRICS_PORT=str(port)) as second:
            assert await second.end() == 3
            assert "CHEESEBOARD_METRICS_PORT" in second.said()


async def test_without_redis_it_says_which_setting_to_look_at(tmp_path: Path) -> None:
    with service(tmp_path / "log", "redis://127.0.0.1:1/0", CHEESEBOARD_REDIS_WAIT_SECONDS="0.2") as running:
        assert await running.end() == 4
        said = running.said()
        assert "127.0.0.1:1" in said
        assert "Set CHEESEBOARD_REDIS_URL" in said
        assert "Traceback" not in said
