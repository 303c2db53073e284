"""Our way to Redis: one pipelined connection, kept up, behind an interface narrow enough to be replaced.

Replies are RESP2 and undecoded: bytes, int, None and lists of them. Only what is marked repeatable is ever sent twice;
scripts always are, so every script must have one effect however often it runs with the same arguments.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from . import metrics
from .logs import logger
from .redis_listener import Listener
from .redis_script import Script
from .redis_wire import Argument, Command, ConnectionLost, RedisAddress, RedisWire, ReplyError, connect
from .store_errors import AWAY_CODES, StoreUnavailable

log = logger("redis")

LONGEST_PAUSE_SECONDS = 0.5
IDLE_PING_SECONDS = 5.0


class RedisConnection:
    """Commands from any task, at any time; they share the connection and leave together.

    While Redis is away a command waits up to `budget_seconds` for it, then raises StoreUnavailable.
    """

    def __init__(self, url: str, *, reply_seconds: float = 5.0, budget_seconds: float = 2.0) -> None:
        self.address = RedisAddress.of(url)
        self._reply_seconds = reply_seconds
        self._budget_seconds = budget_seconds
        self._wire: RedisWire | None = None
        self._connected = asyncio.Event()
        self._trouble: BaseException | None = None
        self._listeners: list[Listener] = []
        self._keeper = asyncio.create_task(self._keep_connected(), name="redis connection")

    @classmethod
    async def open(
        cls, url: str, *, wait_seconds: float = 2.0, reply_seconds: float = 5.0, budget_seconds: float = 2.0
    ) -> "RedisConnection":
        """Return a connection that works now. Raises StoreUnavailable after `wait_seconds`, ValueError (bad URL)."""
        connection = cls(url, reply_seconds=reply_seconds, budget_seconds=budget_seconds)
        try:
            await connection._wire_within(wait_seconds)
        except BaseException:
            await connection.close()
            raise
        return connection

    @property
    def available(self) -> bool:
        """Whether Redis is connected now."""
        return self._wire is not None

    async def command(self, *command: Argument, repeatable: bool = False) -> Any:
        """Return the reply. Raises ReplyError, or StoreUnavailable; `repeatable` ones survive a lost connection."""
        (reply,) = await self.pipeline([command], repeatable=repeatable)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def pipeline(self, commands: Sequence[Command], *, repeatable: bool = False) -> list[Any]:
        """Return a reply or an exception (ReplyError, StoreUnavailable) for each command, in one round trip.

        Raises StoreUnavailable when the connection is lost on the way.
        """
        deadline = asyncio.get_running_loop().time() + self._budget_seconds
        while True:
            wire = await self._wire_within(deadline - asyncio.get_running_loop().time())
            try:
                return await self._exchange(wire, commands)
            except ConnectionLost as lost:
                metrics.REDIS_ERRORS.labels("lost").inc()
                if not repeatable or asyncio.get_running_loop().time() >= deadline:
                    raise StoreUnavailable(f"Redis at {self.address}: {lost}") from lost

    async def script(self, script: Script, keys: Sequence[str | bytes] = (), args: Sequence[Argument] = ()) -> Any:
        """Run a script and return its reply. It may run twice if a connection is lost: scripts are idempotent."""
        operands = (len(keys), *keys, *args)
        try:
            return await self.command("EVALSHA", script.sha, *operands, repeatable=True)
        except ReplyError as refusal:
            if refusal.code != "NOSCRIPT":
                raise
        return await self.command("EVAL", script.source, *operands, repeatable=True)

    def listener(self) -> Listener:
        """Return a new pub/sub connection to the same server; it closes with this one."""
        listener = Listener(self.address, reply_seconds=self._reply_seconds, budget_seconds=self._budget_seconds)
        self._listeners.append(listener)
        return listener

    async def now_ms(self) -> int:
        """Return the time of Redis in milliseconds since 1970."""
        seconds, micros = await self.command("TIME", repeatable=True)
        return int(seconds) * 1000 + int(micros) // 1000

    async def durability_warnings(self) -> list[str]:
        """Return a sentence for each setting of the server that our promises need and that does not hold."""
        wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
        replies = await self.pipeline([("CONFIG", "GET", name) for name in wanted], repeatable=True)
        return [
            line for name, reply in zip(wanted, replies, strict=True) if (line := _compare(name, wanted[name], reply))
        ]

    async def close(self) -> None:
        """Close this connection and its listeners."""
        await asyncio.gather(*(listener.close() for listener in self._listeners))
        self._keeper.cancel()
        await asyncio.wait([self._keeper])
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    async def _exchange(self, wire: RedisWire, commands: Sequence[Command]) -> list[Any]:
        replies = [wire.send(command) for command in commands]
        answers = await asyncio.gather(*replies, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, ConnectionLost):
                raise answer
        return [self._understood(answer, wire) for answer in answers]

    def _understood(self, answer: Any, wire: RedisWire) -> Any:
        if not isinstance(answer, ReplyError) or answer.code not in AWAY_CODES:
            return answer
        metrics.REDIS_ERRORS.labels(answer.code.lower()).inc()
        if answer.code == "READONLY":
            # The primary became a replica: the name may by now lead to another server.
            wire.close()
        return StoreUnavailable(f"Redis at {self.address}: {answer.code}")

    async def _wire_within(self, seconds: float) -> RedisWire:
        if self._wire is not None and not self._wire.lost.done():
            return self._wire
        try:
            async with asyncio.timeout(max(seconds, 0)):
                while self._wire is None or self._wire.lost.done():
                    await self._connected.wait()
                    await asyncio.sleep(0)
        except TimeoutError:
            metrics.REDIS_ERRORS.labels("away").inc()
            raise StoreUnavailable(f"Redis at {self.address}: {self._trouble or 'no connection'}") from None
        return self._wire

    async def _keep_connected(self) -> None:
        pause = 0.01
        while True:
            try:
                wire = await connect(self.address, self._reply_seconds)
            except (OSError, TimeoutError, ConnectionLost, ReplyError) as trouble:
                self._trouble = trouble
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                continue
            pause = 0.01
            await self._use(wire)

    async def _use(self, wire: RedisWire) -> None:
        self._wire = wire
        self._connected.set()
        metrics.REDIS_CONNECTED.set(1)
        if self._trouble is not None:
            log.info("redis is back", address=str(self.address))
        try:
            await _until_lost(wire)
        finally:
            self._connected.clear()
            self._wire = None
            wire.close()
            metrics.REDIS_CONNECTED.set(0)
        self._trouble = ConnectionLost("connection lost")
        log.warning("redis went away", address=str(self.address))


async def _until_lost(wire: RedisWire) -> None:
    while not wire.lost.done():
        await asyncio.wait([wire.lost], timeout=IDLE_PING_SECONDS)
        # An unanswered ping closes the wire; that is how a silent death is noticed.
        wire.send(("PING",)).add_done_callback(_ignore)


def _ignore(reply: asyncio.Future[Any]) -> None:
    if not reply.cancelled():
        reply.exception()


def _compare(name: str, wanted: str, reply: Any) -> str | None:
    if isinstance(reply, Exception) or not reply:
        return f"Redis does not tell its {name}; it must be {wanted} for nothing acknowledged to be lost."
    found = reply[1].decode()
    if found == wanted:
        return None
    return f"Redis has {name} {found}; with anything but {wanted} acknowledged moves can be lost."
