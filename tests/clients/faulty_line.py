"""A TCP line between a client and a service that can be cut, or swallow what comes back: real sockets, real faults."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class FaultyLine:
    """Forwards bytes both ways until it is told otherwise."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = host, int(port)
        self._lines: set[asyncio.StreamWriter] = set()
        self.swallows = False
        """While True, nothing that the service says arrives."""
        self.swallowed = asyncio.Event()
        """Set when something was swallowed."""
        self.calls = 0
        """How many connections were made."""

    @property
    def address(self) -> str:
        """Where clients connect to."""
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection that is there, as a pulled cable does."""
        for writer in self._lines:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        try:
            from_service, to_service = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, to_service}
        self._lines |= both
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self._forward(reader, to_service), self._answer(from_service, writer))
        for line in both:
            line.transport.abort()
        self._lines -= both

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
        raise ConnectionResetError

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while part := await reader.read(65536):
            if self.swallows:
                self.swallowed.set()
                continue
            writer.write(part)
            await writer.drain()
        raise ConnectionResetError


@asynccontextmanager
async def faulty_line(target: str) -> AsyncIterator[FaultyLine]:
    """A line to an address, open as long as the block runs."""
    line = FaultyLine(target)
    line._server = await asyncio.start_server(line._connected, "127.0.0.1", 0)
    try:
        yield line
    finally:
        line._server.close()
        line.cut()
