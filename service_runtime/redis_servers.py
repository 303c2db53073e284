"""The servers behind a connection: which one a command goes to, and the wire to each, kept up.

`SingleServer` and `Cluster` (redis_cluster.py) are the two kinds; redis_connection.py knows what to do with answers.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from . import metrics
from .logs import logger
from .redis_address import RedisAddress
from .redis_wire import Command, ConnectionLost, NotSent, RedisWire, ReplyError, connect, ignore

log = logger("redis")

LONGEST_PAUSE_SECONDS = 0.5
IDLE_PING_SECONDS = 5.0


class News:
    """Something changed about the servers; whoever could not get through may try again."""

    def __init__(self) -> None:
        self.next = asyncio.Event()
        """Set with the next news; take it before trying, so that none is missed."""

    def tell(self) -> None:
        """Wake everyone who waits."""
        self.next.set()
        self.next = asyncio.Event()


class Servers(Protocol):
    """Where commands go."""

    news: News
    again: frozenset[str]
    """Error codes after which the same command, sent again, may be answered; nothing was done."""

    @property
    def available(self) -> bool:
        """Whether any table can be served now."""

    @property
    def ready(self) -> bool:
        """Whether every table can be served now."""

    @property
    def trouble(self) -> str:
        """Why it is not ready."""

    @property
    def addresses(self) -> Sequence[RedisAddress]:
        """All servers, those in reserve included."""

    def listening_at(self) -> RedisAddress:
        """Return a server on which everything published is heard."""

    def send(self, command: Command, told: Any) -> "asyncio.Future[Any]":
        """Send a command to its server; `told` is what its last try was answered."""

    def learn(self, refusal: ReplyError) -> None:
        """Draw conclusions from a refusal."""

    async def close(self) -> None:
        """Let all connections go."""


class RedisServer:
    """One server, and the wire to it, which is made again whenever it is lost."""

    def __init__(self, address: RedisAddress, reply_seconds: float, changed: Callable[["RedisServer"], None]) -> None:
        self.address = address
        self.trouble = ""
        """Why it is away, or was."""
        self._reply_seconds = reply_seconds
        self._changed = changed
        self._wire: RedisWire | None = None
        self._keeper = asyncio.create_task(self._keep_connected(), name=f"redis {address}")

    @property
    def connected(self) -> bool:
        """Whether it can be sent to now."""
        return self._wire is not None and not self._wire.lost.done()

    def send(self, command: Command) -> "asyncio.Future[Any]":
        """Return the reply to come; NotSent while the server is away."""
        if self._wire is not None:
            return self._wire.send(command)
        return not_sent(self.trouble or "not connected yet")

    def drop(self) -> None:
        """Give up the wire; another one is made."""
        if self._wire is not None:
            self._wire.close()

    def leave(self) -> "asyncio.Task[None]":
        """Close when what is on its way has been answered, or had the time to be; the task ends with it."""
        asyncio.get_running_loop().call_later(self._reply_seconds, self._keeper.cancel)
        return self._keeper

    async def close(self) -> None:
        """Close now."""
        self._keeper.cancel()
        await asyncio.wait([self._keeper])

    async def _keep_connected(self) -> None:
        pause = 0.01
        while True:
            try:
                wire = await connect(self.address, self._reply_seconds)
            except (OSError, TimeoutError, ConnectionLost, ReplyError) as trouble:
                self.trouble = str(trouble) or type(trouble).__name__
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                continue
            pause = 0.01
            await self._use(wire)

    async def _use(self, wire: RedisWire) -> None:
        self._wire = wire
        if self.trouble:
            log.info("redis is back", address=str(self.address))
        with metrics.REDIS_CONNECTED.track_inprogress():
            self._changed(self)
            try:
                await _until_lost(wire)
            finally:
                self._wire = None
                wire.close()
        self.trouble = "connection lost"
        log.warning("redis went away", address=str(self.address))
        self._changed(self)


class SingleServer:
    """All commands go to one server."""

    again: frozenset[str] = frozenset()

    def __init__(self, address: RedisAddress, reply_seconds: float) -> None:
        self.news = News()
        self._server = RedisServer(address, reply_seconds, lambda _: self.news.tell())

    def __str__(self) -> str:
        return str(self._server.address)

    @property
    def available(self) -> bool:
        """Whether it is connected now."""
        return self._server.connected

    @property
    def ready(self) -> bool:
        """Whether it is connected now."""
        return self._server.connected

    @property
    def trouble(self) -> str:
        """Why it is not connected."""
        return self._server.trouble

    @property
    def addresses(self) -> Sequence[RedisAddress]:
        """The one."""
        return [self._server.address]

    def listening_at(self) -> RedisAddress:
        """Return the one."""
        return self._server.address

    def send(self, command: Command, told: Any) -> "asyncio.Future[Any]":
        """Send a command."""
        return self._server.send(command)

    def learn(self, refusal: ReplyError) -> None:
        """Leave a primary that became a replica: the name may by now lead to another server."""
        if refusal.code == "READONLY":
            self._server.drop()

    async def close(self) -> None:
        """Close the connection."""
        await self._server.close()


def not_sent(why: str) -> "asyncio.Future[Any]":
    """Return the answer to a command for which there is no server now."""
    reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    reply.set_exception(NotSent(why))
    return reply


async def _until_lost(wire: RedisWire) -> None:
    while not wire.lost.done():
        await asyncio.wait([wire.lost], timeout=IDLE_PING_SECONDS)
        # An unanswered ping closes the wire; that is how a silent death is noticed.
        wire.send(("PING",)).add_done_callback(ignore)
