"""A TCP line between clients and a service that can be cut, slowed down, stopped, refuse, or swallow what comes back.

Real sockets, real faults, also for one connection alone. A reply that is swallowed before the line is cut is a write
that happened and whose answer is lost.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

PART = 65536


class Connection:
    """One client's way through a line."""

    def __init__(self, line: "FaultyLine", client: asyncio.StreamWriter, service: asyncio.StreamWriter) -> None:
        self._line = line
        self._client = client
        self._service = service
        self.swallows = False
        """While True, nothing that the service says arrives."""
        self.delay_seconds = 0.0
        """How long everything that the service says is under way."""

    def cut(self) -> None:
        """Break it, as a pulled cable does."""
        for writer in (self._client, self._service):
            writer.transport.abort()

    async def carry(self, from_client: asyncio.StreamReader, from_service: asyncio.StreamReader) -> None:
        """Forward both ways until either end is gone."""
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self._ask(from_client), self._answer(from_service))
        self.cut()

    async def _ask(self, reader: asyncio.StreamReader) -> None:
        while part := await reader.read(PART):
            self._service.write(part)
            await self._service.drain()
        raise ConnectionResetError

    async def _answer(self, reader: asyncio.StreamReader) -> None:
        while part := await reader.read(PART):
            await self._line.flows.wait()
            if self.delay_seconds:
                await asyncio.sleep(self.delay_seconds)
            if self.swallows or self._line.swallows:
                self._line.swallowed.set()
                continue
            self._client.write(part)
            await self._client.drain()
        raise ConnectionResetError


class FaultyLine:
    """Forwards bytes both ways until it is told otherwise."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = host, int(port)
        self.connections: list[Connection] = []
        """Those that are there, the oldest first."""
        self.swallows = False
        """While True, nothing that the service says arrives, on no connection."""
        self.swallowed = asyncio.Event()
        """Set when something was swallowed."""
        self.flows = asyncio.Event()
        """While cleared, nobody reads what the service says: it piles up in the service's own socket."""
        self.flows.set()
        self.refuses = False
        """While True, whoever connects is cut off at once, as where nobody listens."""
        self.calls = 0
        """How many connections were made."""

    @property
    def address(self) -> str:
        """Where clients connect to."""
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection that is there."""
        for connection in tuple(self.connections):
            connection.cut()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        if self.refuses:
            writer.transport.abort()
            return
        try:
            from_service, to_service = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        connection = Connection(self, writer, to_service)
        self.connections.append(connection)
        await connection.carry(reader, from_service)
        self.connections.remove(connection)


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


@asynccontextmanager
async def faulty_lines(targets: list[str]) -> AsyncIterator[list[FaultyLine]]:
    """A line to each address."""
    async with AsyncExitStack() as exits:
        yield [await exits.enter_async_context(faulty_line(target)) for target in targets]
