"""How one replica takes entries from all partitions of a stream: new ones, its own pending ones, others' stale ones.

Nothing blocks: each of these is one pipeline over the partitions, and a partition whose Redis is away never holds up
the others. An entry that was read is in the group's pending list until it is acknowledged, so a reply that was lost on
its way loses nothing; `own` finds it again.
"""

from collections.abc import Callable, Iterable
from typing import Any

from .redis_connection import RedisConnection
from .redis_script import load_script
from .redis_wire import Command, ReplyError
from .stream_entry import Entry, stream_key, tries_key

_FORGET = load_script(__package__, "scripts/forget_consumers.lua")
_PUT_BACK = load_script(__package__, "scripts/put_back.lua")
_FINISH = load_script(__package__, "scripts/finish.lua")

PAGE = 16
"""Entries taken from one partition at once."""


class StreamReader:
    """Reads for `consumer` in `group`. `new`, `own`, `stale` never raise: `unsure` tells what they could not read."""

    def __init__(self, connection: RedisConnection, stream: str, group: str, consumer: str, partitions: int) -> None:
        self._connection = connection
        self._stream = stream
        self._group = group
        self._consumer = consumer
        self.partitions = range(partitions)
        self._keys = [stream_key(stream, partition) for partition in self.partitions]
        self.unsure: dict[int, Exception | None] = dict.fromkeys(self.partitions)
        """Partitions that may hold entries of ours which we do not know of: all in the beginning, then those where a
        reply was lost, with why."""

    async def new(self, partitions: Iterable[int]) -> list[Entry]:
        """Return entries that no consumer has taken yet."""
        return await self._read(dict.fromkeys(partitions, ">"))

    async def own(self) -> list[Entry]:
        """Return all entries that this consumer has taken and not acknowledged, where we are unsure of them."""
        found: list[Entry] = []
        walked, after = set(self.unsure), dict.fromkeys(self.unsure, "0")
        self.unsure.clear()
        while after:
            page = await self._read(after)
            found += page
            # An entry deleted meanwhile is not in the page, so only an empty one ends the walk of a partition.
            after = {entry.partition: entry.id for entry in page}
        await self._create_groups(partition for partition in walked if _no_group(self.unsure.get(partition)))
        return found

    async def stale(self, idle_ms: int) -> list[Entry]:
        """Take over entries whose consumer has left them alone for `idle_ms`, at most a page a partition."""
        claim = ("XAUTOCLAIM", self._group, self._consumer, idle_ms, "0-0", "COUNT", PAGE)
        commands: dict[int, Command] = {p: (claim[0], self._keys[p], *claim[1:]) for p in self.partitions}
        return await self._ask(commands, lambda reply: reply[1])

    async def is_there(self, entry: Entry) -> bool:
        """Tell whether an entry still waits: another consumer may have finished it, a failover may have lost it.

        Raises StoreUnavailable, as all that follow.
        """
        return bool(await self._connection.command("XRANGE", entry.stream_key, entry.id, entry.id, repeatable=True))

    async def finish(self, entry: Entry) -> None:
        """Acknowledge and delete."""
        keys = [entry.stream_key, tries_key(self._stream, entry.partition)]
        await self._connection.script(_FINISH, keys, [entry.group, entry.id])

    async def put_back(self, entry: Entry) -> None:
        """Have the entry be read anew, by whoever comes first."""
        await self._connection.script(_PUT_BACK, [entry.stream_key], [entry.group, entry.id, entry.payload])

    async def forget_tries(self, entry: Entry) -> None:
        """Drop what was counted against an entry that its handler acknowledged by itself."""
        await self._connection.command("HDEL", tries_key(self._stream, entry.partition), entry.id, repeatable=True)

    async def forget_consumers(self, idle_ms: int) -> None:
        """Drop the names of consumers that owe nothing and have not been heard of for `idle_ms`."""
        for key in self._keys:
            await self._connection.script(_FORGET, [key], [self._group, idle_ms, self._consumer])

    async def _create_groups(self, partitions: Iterable[int]) -> None:
        """Make groups where there are none; they begin with the oldest entry, and hold nothing of ours."""
        wanted = list(partitions)
        commands = [("XGROUP", "CREATE", self._keys[p], self._group, "0", "MKSTREAM") for p in wanted]
        for partition, reply in zip(wanted, await self._connection.pipeline(commands, patient=False), strict=True):
            if not isinstance(reply, Exception):
                del self.unsure[partition]

    async def _read(self, after: dict[int, str]) -> list[Entry]:
        how = ("XREADGROUP", "GROUP", self._group, self._consumer, "COUNT", PAGE, "STREAMS")
        return await self._ask(
            {partition: (*how, self._keys[partition], start) for partition, start in after.items()},
            lambda reply: reply[0][1] if reply else (),
        )

    async def _ask(self, commands: dict[int, Command], entries: Callable[[Any], Iterable[Any]]) -> list[Entry]:
        # Never sent again by the connection: what a lost reply took is found by reading our own.
        replies = await self._connection.pipeline(list(commands.values()), patient=False)
        found: list[Entry] = []
        for partition, reply in zip(commands, replies, strict=True):
            if isinstance(reply, Exception):
                self.unsure[partition] = reply
            else:
                found += self._entries(partition, entries(reply))
        return found

    def _entries(self, partition: int, found: Iterable[Any]) -> list[Entry]:
        key = self._keys[partition]
        # Fields are gone when somebody deleted the entry by hand; XAUTOCLAIM clears its place in the pending list.
        return [Entry(partition, i.decode(), fields[1], key, self._group) for i, fields in found if fields]


def _no_group(trouble: Exception | None) -> bool:
    return isinstance(trouble, ReplyError) and trouble.code == "NOGROUP"
