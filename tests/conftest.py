"""Fixtures that every test may use: real Valkey servers and connections to them."""

import socket
from collections.abc import AsyncIterator, Iterator

import pytest

from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.redis_connection import RedisConnection
from tests.support.valkey import running_valkey

MINDING_THE_TIME = {
    "faults",
    "cluster",
    "test_outages.py",
    "test_absence.py",
    "test_cheat_trick_games.py",
    "test_heist_games.py",
    "test_heist_time_outs.py",
}
"""What kills servers, or plays against the clock: one after the other, so that none is starved by another."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give a file to one worker, and all that minds the time to the same."""
    for item in items:
        together = MINDING_THE_TIME & {item.path.name, item.path.parent.name}
        item.add_marker(pytest.mark.xdist_group("minding the time" if together else str(item.path)))


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """One server for the whole run; nobody kills this one."""
    with running_valkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def redis_url(valkey: EmbeddedRedis) -> str:
    """The URL of an empty database."""
    with socket.create_connection(("127.0.0.1", valkey.port)) as line:
        line.sendall(b"FLUSHALL\r\n")
        assert line.recv(64).startswith(b"+OK")
    return valkey.url


@pytest.fixture
async def connection(redis_url: str) -> AsyncIterator[RedisConnection]:
    """A connection to an empty database."""
    connection = await RedisConnection.open(redis_url)
    yield connection
    await connection.close()


@pytest.fixture
def own_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """A server of the test's own, to kill and to start again on the same data."""
    with running_valkey(tmp_path_factory.mktemp("own-valkey")) as server:
        yield server
