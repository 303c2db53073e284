"""A reply that is lost on its way: the command is not sent again unless that is harmless, and then has one effect."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import Script
from service_runtime.store_errors import StoreUnavailable

# As a table's commit does it: the effect hangs on an id, so that it happens once; `runs` shows how often it was sent.
COMMIT = Script.of(
    "commit",
    "redis.call('INCR', 'runs') "
    "if redis.call('SETNX', KEYS[1], ARGV[1]) == 1 then redis.call('INCR', 'effects') end "
    "return redis.call('GET', KEYS[1])",
)


class Swallower:
    """A way to the server that passes on commands, and cuts the line instead of passing on a reply when told to."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.swallow = 0
        self.swallowed = 0

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        forth = asyncio.create_task(self._pass_on(reader, to_server))
        while reply := await from_server.read(65536):
            if self.swallow:
                self.swallow -= 1
                self.swallowed += 1
                break
            writer.write(reply)
        forth.cancel()
        to_server.close()
        writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while sent := await reader.read(65536):
            writer.write(sent)
        writer.close()


@pytest.fixture
async def swallower(valkey: EmbeddedRedis, redis_url: str) -> AsyncIterator[tuple[Swallower, RedisConnection]]:
    swallower = Swallower(valkey.port)
    server = await asyncio.start_server(swallower.carry, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connection = await RedisConnection.open(f"redis://127.0.0.1:{port}/0")
    yield swallower, connection
    await connection.close()
    server.close()


async def test_a_script_whose_reply_is_lost_is_sent_again_and_has_one_effect(
    swallower: tuple[Swallower, RedisConnection], connection: RedisConnection
) -> None:
    fault, ours = swallower
    await ours.script(COMMIT, ["warm"], ["up"])
    fault.swallow = 1
    assert await ours.script(COMMIT, ["head"], ["7"]) == b"7"
    assert fault.swallowed == 1
    assert await connection.command("MGET", "runs", "effects") == [b"3", b"2"]


async def test_a_command_whose_reply_is_lost_is_not_sent_again(
    swallower: tuple[Swallower, RedisConnection], connection: RedisConnection
) -> None:
    fault, ours = swallower
    fault.swallow = 1
    with pytest.raises(StoreUnavailable):
        await ours.command("INCR", "count")
    assert await connection.command("GET", "count") == b"1"
    assert await ours.command("INCR", "count") == 2


async def test_everybody_waiting_on_a_lost_connection_is_told(swallower: tuple[Swallower, RedisConnection]) -> None:
    fault, ours = swallower
    fault.swallow = 1
    results = await asyncio.gather(*(ours.command("INCR", "count") for _ in range(50)), return_exceptions=True)
    assert all(isinstance(result, StoreUnavailable) for result in results)


async def test_a_line_that_never_holds_gives_up_in_time(swallower: tuple[Swallower, RedisConnection]) -> None:
    fault, ours = swallower
    fault.swallow = 10_000
    started = asyncio.get_running_loop().time()
    with pytest.raises(StoreUnavailable):
        await ours.script(COMMIT, ["head"], ["7"])
    assert asyncio.get_running_loop().time() - started < 4
