"""One connection to Redis, seen from the other end: what leaves when, and what is known of it when the line is cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from service_runtime.redis_address import RedisAddress
from service_runtime.redis_wire import ConnectionLost, NotSent, RedisWire, connect


class OtherEnd:
    """A server that answers when it is told to; it has been greeted."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def heard(self) -> bytes:
        """Return what has arrived."""
        return await asyncio.wait_for(self._reader.read(65536), 5)

    def answer(self, replies: int) -> None:
        """Answer so many commands."""
        self.writer.write(b"+OK\r\n" * replies)


@asynccontextmanager
async def line() -> AsyncIterator[tuple[RedisWire, OtherEnd]]:
    """Yield both ends of a connection."""
    came: asyncio.Future[OtherEnd] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        writer.write(b"+PONG\r\n")
        came.set_result(OtherEnd(reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    wire = await connect(RedisAddress.of(f"redis://127.0.0.1:{port}"), reply_seconds=5)
    other = await came
    try:
        yield wire, other
    finally:
        wire.close()
        other.writer.close()
        server.close()


async def test_what_is_sent_while_a_reply_is_awaited_leaves_with_it_together() -> None:
    async with line() as (wire, other):
        first = wire.send(("GET", "first"))
        assert b"first" in await other.heard()
        later = [wire.send(("GET", f"later {number}")) for number in range(3)]
        await asyncio.sleep(0.05)
        later.append(wire.send(("GET", "latest")))
        other.answer(1)
        assert await first == b"OK"
        heard = await other.heard()
        assert [heard.count(b"later "), heard.count(b"latest")] == [3, 1]
        other.answer(4)
        assert await asyncio.gather(*later) == [b"OK"] * 4


async def test_what_waited_for_its_turn_when_the_line_was_cut_was_not_sent() -> None:
    async with line() as (wire, other):
        sent = wire.send(("INCR", "sent"))
        await other.heard()
        waiting = wire.send(("INCR", "waiting"))
        other.writer.transport.abort()
        with pytest.raises(ConnectionLost) as cut:
            await sent
        assert not isinstance(cut.value, NotSent)
        with pytest.raises(NotSent):
            await waiting
