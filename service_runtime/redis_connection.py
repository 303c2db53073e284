"""Our way to Redis, a single server or a cluster, behind an interface narrow enough to be replaced.

Replies are RESP2 and undecoded: bytes, int, None and lists of them. Only what is marked repeatable is ever sent again
after its reply was lost; scripts always are, so every script must have one effect however often it runs with the same
arguments. What a server refuses without doing it is sent again whatever it is.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from . import metrics
from .redis_address import addresses_in, is_cluster
from .redis_cluster import Cluster
from .redis_durability import durability_warnings
from .redis_listener import Listener
from .redis_refusals import WriteRefusals
from .redis_script import Script
from .redis_servers import Servers, SingleServer
from .redis_wire import Argument, Command, ConnectionLost, NotSent, ReplyError
from .store_errors import AWAY_CODES, ELSEWHERE_CODES, StoreUnavailable

PAUSE_SECONDS = 0.1
"""Between tries of what a server refuses for now."""
FREE_TRIES = 3
"""So often a command that is sent elsewhere goes there at once."""


class RedisConnection:
    """Commands from any task, at any time; they share the connections and leave together.

    While Redis is away a command waits up to `budget_seconds` for it, an impatient one not at all.
    """

    def __init__(self, url: str, *, reply_seconds: float = 5.0, budget_seconds: float = 2.0) -> None:
        self._reply_seconds = reply_seconds
        self._budget_seconds = budget_seconds
        self._listeners: list[Listener] = []
        self._refusals = WriteRefusals(lambda command: self.command(*command, patient=False))
        self._servers = self._servers_of(url)

    @classmethod
    async def open(
        cls, url: str, *, wait_seconds: float = 2.0, reply_seconds: float = 5.0, budget_seconds: float = 2.0
    ) -> "RedisConnection":
        """Return a connection that works now. Raises StoreUnavailable after `wait_seconds`, ValueError (bad URL)."""
        connection = cls(url, reply_seconds=reply_seconds, budget_seconds=budget_seconds)
        try:
            await connection._until_ready(wait_seconds)
        except BaseException:
            await connection.close()
            raise
        return connection

    @property
    def address(self) -> str:
        """Where Redis is, for people."""
        return str(self._servers)

    @property
    def available(self) -> bool:
        """Whether Redis is connected now; of a cluster, any part of it."""
        return self._servers.available

    async def command(self, *command: Argument, repeatable: bool = False, patient: bool = True) -> Any:
        """Return the reply. Raises ReplyError, or StoreUnavailable; `repeatable` ones survive a lost connection."""
        until, news = self._until(patient), self._servers.news.next
        try:
            return await self._servers.send(command, None)
        except (ReplyError, ConnectionLost) as first:
            (reply,) = await self._insisted([command], [first], until, news, repeatable)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def pipeline(
        self, commands: Sequence[Command], *, repeatable: bool = False, patient: bool = True
    ) -> list[Any]:
        """Return a reply or an exception (ReplyError, StoreUnavailable) for each command, in one round trip."""
        until, news = self._until(patient), self._servers.news.next
        replies = [self._servers.send(command, None) for command in commands]
        first = await asyncio.gather(*replies, return_exceptions=True)
        return await self._insisted(commands, first, until, news, repeatable)

    async def script(
        self,
        script: Script,
        keys: Sequence[str | bytes] = (),
        args: Sequence[Argument] = (),
        *,
        patient: bool = True,
    ) -> Any:
        """Run a script and return its reply. It may run twice if a connection is lost: scripts are idempotent."""
        operands = (len(keys), *keys, *args)
        try:
            return await self.command("EVALSHA", script.sha, *operands, repeatable=True, patient=patient)
        except ReplyError as refusal:
            if refusal.code != "NOSCRIPT":
                raise
        return await self.command("EVAL", script.source, *operands, repeatable=True, patient=patient)

    def listener(self) -> Listener:
        """Return a new pub/sub connection to the same servers; it closes with this one."""
        listener = Listener(
            self._servers.listening_at, reply_seconds=self._reply_seconds, budget_seconds=self._budget_seconds
        )
        self._listeners.append(listener)
        return listener

    async def now_ms(self) -> int:
        """Return the time of Redis in milliseconds since 1970; of a cluster, of any server of it."""
        seconds, micros = await self.command("TIME", repeatable=True)
        return int(seconds) * 1000 + int(micros) // 1000

    async def durability_warnings(self) -> list[str]:
        """Return a sentence for each setting of each server that our promises need and that does not hold."""
        asked = (durability_warnings(address, self._reply_seconds) for address in self._servers.addresses)
        return [line for lines in await asyncio.gather(*asked) for line in lines]

    async def close(self) -> None:
        """Close this connection and its listeners."""
        self._refusals.close()
        await asyncio.gather(*(listener.close() for listener in self._listeners))
        await self._servers.close()

    def _servers_of(self, url: str) -> Servers:
        addresses = addresses_in(url)
        if is_cluster(url):
            return Cluster(addresses, self._reply_seconds, self._failed_over)
        return SingleServer(addresses[0], self._reply_seconds)

    def _failed_over(self) -> None:
        # Messages may be lost as with a connection, and more: what was read before may not be true any more.
        for listener in self._listeners:
            listener.drop()

    async def _until_ready(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not self._servers.ready:
                    await self._servers.news.next.wait()
        except TimeoutError:
            raise StoreUnavailable(f"Redis at {self.address}: {self._servers.trouble}") from None

    def _until(self, patient: bool) -> float:
        return time.monotonic() + (self._budget_seconds if patient else 0)

    async def _insisted(
        self, commands: Sequence[Command], first: Sequence[Any], until: float, news: asyncio.Event, repeatable: bool
    ) -> list[Any]:
        """Return what comes of commands after their first answers: those that may be sent again are, for a while."""
        told, tries = [self._learnt(answer) for answer in first], 1
        while left := [number for number, answer in enumerate(told) if self._goes_again(answer, repeatable)]:
            if not await self._waited([told[number] for number in left], tries, until, news):
                break
            news, tries = self._servers.news.next, tries + 1
            replies = [self._servers.send(commands[number], told[number]) for number in left]
            for number, answer in zip(left, await asyncio.gather(*replies, return_exceptions=True), strict=True):
                told[number] = self._learnt(answer)
        for command, answer in zip(commands, told, strict=True):
            self._refusals.learn(command, answer)
        return [self._understood(answer) for answer in told]

    def _learnt(self, answer: Any) -> Any:
        if isinstance(answer, ReplyError):
            self._servers.learn(answer)
        elif isinstance(answer, ConnectionLost):
            metrics.REDIS_ERRORS.labels("away" if isinstance(answer, NotSent) else "lost").inc()
        return answer

    def _goes_again(self, answer: Any, repeatable: bool) -> bool:
        if isinstance(answer, ReplyError):
            return answer.code in self._servers.again
        return isinstance(answer, NotSent) or (repeatable and isinstance(answer, ConnectionLost))

    async def _waited(self, left: Sequence[Any], tries: int, until: float, news: asyncio.Event) -> bool:
        """Wait for a better moment to send again what was answered so; return whether there is time to."""
        seconds = until - time.monotonic()
        codes = {answer.code for answer in left if isinstance(answer, ReplyError)}
        if seconds <= 0 or (codes and codes <= ELSEWHERE_CODES and tries <= FREE_TRIES):
            return seconds > 0
        try:
            async with asyncio.timeout(min(seconds, PAUSE_SECONDS) if codes else seconds):
                await news.wait()
        except TimeoutError:
            return bool(codes) and time.monotonic() < until
        return True

    def _understood(self, answer: Any) -> Any:
        if isinstance(answer, ConnectionLost):
            return StoreUnavailable(f"Redis at {self.address}: {answer}")
        if not isinstance(answer, ReplyError) or answer.code not in AWAY_CODES:
            return answer
        metrics.REDIS_ERRORS.labels(answer.code.lower()).inc()
        hint = " (a cluster's URL begins with redis+cluster://)" if answer.code == "MOVED" else ""
        return StoreUnavailable(f"Redis at {self.address}: {answer.code}{hint}")
