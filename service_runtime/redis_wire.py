"""One connection to Redis: commands go out together, replies come back in their order.

While some are under way, others wait for the next reply: Redis would not begin with them sooner (it has one fsync for
all that it has read), and what leaves and returns together costs a fraction of what it costs alone.

Replies are matched by place in a queue that only this class touches. Whoever waits for one may be cancelled at any
time: its place stays, so no later reply can be taken for its own.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, cast

import hiredis

from .redis_address import RedisAddress

Argument = bytes | str | int | float
Command = Sequence[Argument]

_NOTHING = object()


class ReplyError(Exception):
    """Redis answered with an error; `code` is its first word (`ERR`, `WRONGTYPE`, or a script's own)."""

    @property
    def code(self) -> str:
        """Return the first word."""
        return str(self).partition(" ")[0]


class ConnectionLost(Exception):
    """The connection went away; whether the command was carried out is not known."""


class NotSent(ConnectionLost):
    """There was no connection; the command was not carried out."""


class RedisWire(asyncio.Protocol):
    """A connection; make one with `connect`."""

    def __init__(self, reply_seconds: float, receive: Callable[[Any], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._reply_seconds = reply_seconds
        self._receive = receive or self._answer
        self._reader = hiredis.Reader(replyError=ReplyError, notEnoughData=_NOTHING)
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._outbox: list[bytes] = []
        self._watch: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self.lost: asyncio.Future[None] = self._loop.create_future()
        """Done when the connection is gone."""

    def send(self, command: Command) -> asyncio.Future[Any]:
        """Return the reply to come: bytes, int, list or None; ReplyError; ConnectionLost, NotSent."""
        reply: asyncio.Future[Any] = self._loop.create_future()
        if self.lost.done():
            reply.set_exception(NotSent("not connected"))
            return reply
        packed = hiredis.pack_command(cast("Any", tuple(command)))
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._outbox.append(packed)
        self._waiting.append((reply, self._loop.time() + self._reply_seconds))
        if self._watch is None:
            self._watch = self._loop.call_later(self._reply_seconds, self._check_patience)
        return reply

    def close(self) -> None:
        """Drop the connection; what is still awaited is lost."""
        if self._transport is not None:
            self._transport.abort()

    def take_waiting(self) -> asyncio.Future[Any] | None:
        """Return the oldest reply still awaited, which the caller now settles."""
        return self._waiting.popleft()[0] if self._waiting else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport (asyncio calls this)."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Settle what these bytes answer (asyncio calls this)."""
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not _NOTHING:
                self._receive(reply)
            if self._outbox:
                self._flush()
        except hiredis.ProtocolError:
            self.close()

    def connection_lost(self, cause: Exception | None) -> None:
        """Tell everyone who waits (asyncio calls this)."""
        if not self.lost.done():
            self.lost.set_result(None)
        if self._watch is not None:
            self._watch.cancel()
        why = str(cause or "connection closed")
        while (reply := self.take_waiting()) is not None:
            if not reply.done():
                reply.set_exception(NotSent(why) if len(self._waiting) < len(self._outbox) else ConnectionLost(why))

    def _answer(self, value: Any) -> None:
        reply = self.take_waiting()
        if reply is None:
            # An answer nobody asked for ("max number of clients reached"): nothing after it could be trusted.
            self.close()
        elif not reply.done():
            settle(reply, value)

    def _flush(self) -> None:
        if self._transport is not None and not self.lost.done():
            self._transport.write(b"".join(self._outbox))
        self._outbox.clear()

    def _check_patience(self) -> None:
        self._watch = None
        if not self._waiting:
            return
        due = self._waiting[0][1]
        if due <= self._loop.time():
            self.close()
        else:
            self._watch = self._loop.call_at(due, self._check_patience)


def ignore(reply: asyncio.Future[Any]) -> None:
    """Take a reply that nobody waits for (a callback of the future)."""
    if not reply.cancelled():
        reply.exception()


def settle(reply: asyncio.Future[Any], value: Any) -> None:
    """Give a reply its value or its error."""
    if isinstance(value, ReplyError):
        reply.set_exception(value)
    else:
        reply.set_result(value)


async def connect(
    address: RedisAddress, reply_seconds: float, receive: Callable[[RedisWire], Callable[[Any], None]] | None = None
) -> RedisWire:
    """Return a connection that is authenticated, on its database and answering.

    `receive` makes, for the new connection, what takes each reply; without it replies go to their senders. Raises
    OSError, TimeoutError, ConnectionLost or ReplyError.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(reply_seconds):
        if address.path is not None:
            _, wire = await loop.create_unix_connection(lambda: RedisWire(reply_seconds), address.path)
        else:
            _, wire = await loop.create_connection(
                lambda: RedisWire(reply_seconds), address.host, address.port, ssl=address.tls
            )
        try:
            await _introduce(wire, address)
        except BaseException:
            wire.close()
            raise
    if receive is not None:
        wire._receive = receive(wire)
    return wire


async def _introduce(wire: RedisWire, address: RedisAddress) -> None:
    if address.password is not None:
        await wire.send(("AUTH", address.username or "default", address.password))
    if address.database:
        await wire.send(("SELECT", address.database))
    # A server that still loads its data refuses this, and so is not taken for ready; one that only reads does not.
    await wire.send(("DBSIZE",))
