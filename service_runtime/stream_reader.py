"""How one replica takes entries from all partitions of a stream: what is new, its own pending ones, others' stale ones.

Nothing blocks: each of these is one pipeline over the partitions. An entry that was read is in the group's pending
list until it is acknowledged, so a reply that was lost on its way loses nothing; `own` finds it again.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from .redis_connection import RedisConnection
from .redis_script import load_script
from .redis_wire import Command, ReplyError
from .stream_entry import Entry, stream_key, tries_key

_FORGET = load_script(__package__, "scripts/forget_consumers.lua")
_FINISH = load_script(__package__, "scripts/finish.lua")

PAGE = 16
"""Entries taken from one partition at once."""


class StreamReader:
    """Reads for `consumer` in `group`. Every method raises StoreUnavailable."""

    def __init__(self, connection: RedisConnection, stream: str, group: str, consumer: str, partitions: int) -> None:
        self._connection = connection
        self._stream = stream
        self._group = group
        self._consumer = consumer
        self.partitions = range(partitions)
        self._keys = [stream_key(stream, partition) for partition in self.partitions]

    async def create_groups(self) -> None:
        """Make sure that the group exists everywhere; it begins with the oldest entry."""
        replies = await self._connection.pipeline(
            [("XGROUP", "CREATE", key, self._group, "0", "MKSTREAM") for key in self._keys], repeatable=True
        )
        for reply in replies:
            if isinstance(reply, Exception) and not str(reply).startswith("BUSYGROUP"):
                raise reply

    async def new(self, partitions: Iterable[int]) -> list[Entry]:
        """Return entries that no consumer has taken yet. If this raises, some may have been taken: read `own`."""
        wanted = list(partitions)
        return await self._read(wanted, [self._xreadgroup(partition, ">") for partition in wanted])

    async def own(self) -> list[Entry]:
        """Return all entries that this consumer has taken and not acknowledged."""
        found: list[Entry] = []
        after = dict.fromkeys(self.partitions, "0")
        while after:
            page = await self._read(list(after), [self._xreadgroup(p, start) for p, start in after.items()])
            found += page
            # An entry deleted meanwhile is not in the page, so only an empty one ends the walk of a partition.
            after = {entry.partition: entry.id for entry in page}
        return found

    async def stale(self, idle_ms: int) -> list[Entry]:
        """Take over entries whose consumer has left them alone for `idle_ms`, at most a page a partition."""
        claims: list[Command] = [
            ("XAUTOCLAIM", key, self._group, self._consumer, idle_ms, "0-0", "COUNT", PAGE) for key in self._keys
        ]
        replies = await self._ask(claims)
        return [e for p, reply in zip(self.partitions, replies, strict=True) for e in self._entries(p, reply[1])]

    async def finish(self, entry: Entry) -> None:
        """Acknowledge and delete."""
        keys = [entry.stream_key, tries_key(self._stream, entry.partition)]
        await self._connection.script(_FINISH, keys, [entry.group, entry.id])

    async def forget_tries(self, entry: Entry) -> None:
        """Drop what was counted against an entry that its handler acknowledged by itself."""
        await self._connection.command("HDEL", tries_key(self._stream, entry.partition), entry.id, repeatable=True)

    async def forget_consumers(self, idle_ms: int) -> None:
        """Drop the names of consumers that owe nothing and have not been heard of for `idle_ms`."""
        for key in self._keys:
            await self._connection.script(_FORGET, [key], [self._group, idle_ms, self._consumer])

    def _xreadgroup(self, partition: int, start: str) -> Command:
        key = self._keys[partition]
        return ("XREADGROUP", "GROUP", self._group, self._consumer, "COUNT", PAGE, "STREAMS", key, start)

    async def _read(self, partitions: Sequence[int], reads: Sequence[Command]) -> list[Entry]:
        replies = await self._ask(reads)
        return [
            entry
            for partition, reply in zip(partitions, replies, strict=True)
            for entry in self._entries(partition, reply[0][1] if reply else ())
        ]

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        # Not repeatable by the connection: what a lost reply took is found by reading our own again.
        replies = await self._connection.pipeline(commands)
        for reply in replies:
            if isinstance(reply, ReplyError) and reply.code == "NOGROUP":
                await self.create_groups()
            if isinstance(reply, Exception):
                raise reply
        return replies

    def _entries(self, partition: int, found: Iterable[Any]) -> list[Entry]:
        key = self._keys[partition]
        # Fields are gone when somebody deleted the entry by hand; XAUTOCLAIM clears its place in the pending list.
        return [Entry(partition, i.decode(), fields[1], key, self._group) for i, fields in found if fields]
