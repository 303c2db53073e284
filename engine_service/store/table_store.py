"""Tables in Redis, as bytes: read with their clock, committed in one step, removed when they are done.

Nothing else writes a table. Every script may be sent twice: its effect is guarded by the head.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from engine_service.store import keys
from engine_service.store.head import WIDTH, Head
from engine_service.store.logged import Logged, folded, logged, onward, unfolded
from engine_service.store.replies import checked
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import load_script
from service_runtime.store_errors import StoreUnavailable

GAP_MS = 3_000
"""A partition unswept for longer than this had an outage; its clock stood still."""
LEASE_MS = 5_000
"""How long whoever takes a due table has to act on it."""
PRESENCE_MS = 40_000
"""How long a stream counts as open without a sign of life."""
BACKSTOP_MS = 14 * 86_400_000
"""When Redis drops a table that nobody closed; deadlines close it long before."""

FOLD_AT, FOLDED = 40, 32
"""When a log holds so many commits one by one, so many of the oldest are folded; watchers read on from the others."""
CHUNK = 96
"""A chunk with so many commits is full."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """A table as it was read, with the time of that moment, and the commits after the head that was asked about."""

    value: bytes | None
    """The table without its head; None for no such table."""
    head: Head
    server_ms: int
    """Redis time: what clients are told."""
    credit_ms: int
    """What the partition's clock is behind Redis time."""
    connected: frozenset[int]
    """Seats with a stream open."""
    faults: int
    """How often the table's rules raised."""
    fate: str
    """Of the head asked about: none (was given), on (the log leads on from it), trimmed (older than the log), lost (on
    another branch).
    """
    entries: tuple[Logged, ...]


class Step(msgspec.Struct, frozen=True, gc=False):
    """One step of a table, ready to be written."""

    table_id: str
    old: Head | None
    """None for a new table."""
    new: Head
    value: bytes
    entry: bytes
    due_ms: int | None
    """When the engine next has something to do there, on the partition's clock."""
    listed_ms: int | None
    """When it was set up, if it is listed as open."""
    round_ended: bytes | None
    """What goes to the round stream with it."""
    scores_entry: str = ""
    """The id of the entry of the score stream that it follows from, if it does."""


class EntryGone(Exception):
    """A step follows from an entry of a stream that is not there: it was dealt with, or a failover lost it."""


class TableStore:
    """The tables of one Redis."""

    def __init__(self, connection: RedisConnection, instance: str) -> None:
        self._redis = connection
        self._instance = instance
        """Whose streams a presence is of: a seat may be watched over several replicas."""
        self._read, self._commit, self._fold, self._note, self._archive, self._remove, self._sweep, self._bar = (
            load_script("engine_service.store", f"scripts/{name}.lua")
            for name in ("read", "commit", "fold", "note", "archive", "remove", "sweep", "bar")
        )
        self._folding: dict[str, asyncio.Task[None]] = {}

    async def read(self, table_id: str, since: Head | None = None, patient: bool = True) -> Row:
        """Return the table as it is now, with all commits after a head. Raises ValueError for what is no table id."""
        partition = partition_of(table_id)
        names = [keys.table(table_id), keys.log(table_id), keys.sweep(partition), keys.here(table_id)]
        after = (since.sequence, since.commit) if since else ("", "")
        arguments = [table_id, GAP_MS, *after]
        names += [keys.faults(partition), keys.past(table_id)]
        reply = await self._redis.script(self._read, names, arguments, patient=patient)
        value, server_ms, credit_ms, here, faults, fate, newest, chunks = reply
        if since and fate == b"before":
            fate, entries = onward(unfolded(chunks, newest), since)
        else:
            fate, entries = fate.decode(), logged(newest)
        return Row(
            value=value[WIDTH:] if value else None,
            head=Head.unpack(value or bytes(WIDTH)),
            server_ms=server_ms,
            credit_ms=credit_ms,
            connected=frozenset(int(name.partition(b"/")[0]) for name in here),
            faults=faults,
            fate=fate,
            entries=entries,
        )

    async def commit(self, step: Step) -> bool:
        """Write one step; False when another came first. Raises EntryGone."""
        table_id, new = step.table_id, step.new.pack()
        arguments = (
            step.old.pack() if step.old else b"",
            new,
            new + step.value,
            f"{step.new.sequence}-0",
            step.new.commit,
            step.entry,
            table_id,
            _or_empty(step.due_ms),
            _or_empty(step.listed_ms),
            step.round_ended or b"",
            BACKSTOP_MS,
            keys.wake(table_id),
            partition_of(table_id),
            step.scores_entry,
        )
        written = await self._redis.script(self._commit, keys.of_commit(table_id), arguments)
        if written < 0:
            raise EntryGone
        if written >= FOLD_AT and table_id not in self._folding:
            self._folding[table_id] = asyncio.create_task(self._fold_oldest(table_id), name=f"fold {table_id}")
        return bool(written)

    async def note(self, table_id: str, head: Head, value: bytes) -> bool:
        """Write a table anew under the head it has; False when another step came first."""
        packed = head.pack()
        return bool(await self._redis.script(self._note, [keys.table(table_id)], [packed, packed + value, BACKSTOP_MS]))

    async def bar(self, table_id: str) -> bool:
        """See to it that a table will never be set up; False when it is there already, or was."""
        names = [keys.table(table_id), keys.gone(table_id)]
        return bool(await self._redis.script(self._bar, names, [BACKSTOP_MS]))

    async def gone(self, table_id: str) -> str | None:
        """Return the code of a table that was removed, as long as its records are kept, or None; '' of a barred one."""
        code = await self._redis.command("GET", keys.gone(table_id), repeatable=True)
        return code.decode() if code else None

    async def log(self, table_id: str, first: int, last: int) -> tuple[Logged, ...]:
        """Return the commits that end with an event from `first` to `last`."""
        # In this order: what is folded meanwhile is there twice, and not missing.
        newest = await self._redis.command("XRANGE", keys.log(table_id), f"{first}-0", f"{last}-0", repeatable=True)
        chunks = await self._redis.command("XRANGE", keys.past(table_id), f"{first}-0", "+", repeatable=True)
        return tuple(commit for commit in unfolded(chunks, newest) if first <= commit.last <= last)

    async def _fold_oldest(self, table_id: str) -> None:
        """Fold the oldest commits of a log; should that fail, the next commit tries again."""
        names = [keys.log(table_id), keys.past(table_id)]
        try:
            with suppress(StoreUnavailable):
                reads = ("XRANGE", names[0], "-", "+", "COUNT", FOLDED), ("XREVRANGE", names[1], "+", "-", "COUNT", 1)
                oldest, newest = checked(await self._redis.pipeline(reads, repeatable=True))
                if len(oldest) == FOLDED:
                    await self._redis.script(self._fold, names, _folding(logged(oldest), newest))
        finally:
            del self._folding[table_id]

    async def archive(self, step: Step, game_number: int, record: bytes, life_ms: int, keep_from: int | None) -> bool:
        """Write a game's record, and the table that knows of it under the same head; False when another came first.

        Log entries before `keep_from` are dropped.
        """
        names = [keys.table(step.table_id), keys.log(step.table_id), keys.due(partition_of(step.table_id))]
        names += [keys.record(step.table_id, game_number), keys.record(step.table_id, 0), keys.past(step.table_id)]
        head, oldest = step.new.pack(), f"{keep_from}-0" if keep_from else ""
        arguments: list[Any] = [head, head + step.value, record, life_ms, step.table_id]
        arguments += [_or_empty(step.due_ms), oldest, BACKSTOP_MS]
        return bool(await self._redis.script(self._archive, names, arguments))

    async def record(self, table_id: str, game_number: int) -> bytes | None:
        """Return the record of a finished game, the latest for number 0, or None."""
        value: bytes | None = await self._redis.command("GET", keys.record(table_id, game_number), repeatable=True)
        return value

    async def remove(self, table_id: str, head: Head, code: str, remembered_ms: int) -> bool:
        """Remove a closed table, and remember for a while that it was there; False when another step came first."""
        partition = partition_of(table_id)
        names = [keys.table(table_id), keys.log(table_id), keys.due(partition), keys.listed(partition)]
        names += [keys.here(table_id), keys.faults(partition), keys.gone(table_id), keys.past(table_id)]
        arguments: list[Any] = [head.pack(), table_id, code, remembered_ms]
        return bool(await self._redis.script(self._remove, names, arguments))

    async def sweep(self, partition: int, most: int, left: Sequence[str] = ()) -> list[str]:
        """Sweep a partition and return up to `most` tables that are due, taken for a lease; `left` are not taken.

        Raises StoreUnavailable at once while the partition's Redis is away: the others are not to wait for it.
        """
        names = [keys.due(partition), keys.sweep(partition)]
        ids = await self._redis.script(self._sweep, names, [GAP_MS, LEASE_MS, most, *left], patient=False)
        return [table_id.decode() for table_id in ids]

    async def postpone(self, table_id: str, due_ms: int | None) -> None:
        """Set when the engine next looks at a table, without a step; None for never."""
        due = keys.due(partition_of(table_id))
        command = ("ZREM", due, table_id) if due_ms is None else ("ZADD", due, due_ms, table_id)
        await self._redis.command(*command, repeatable=True)

    async def count_fault(self, table_id: str) -> int:
        """Note that the table's rules raised; return how often they did."""
        return int(await self._redis.command("HINCRBY", keys.faults(partition_of(table_id)), table_id, 1))

    async def be_here(self, table_id: str, seat: int, until_ms: int) -> None:
        """Lease the seat's presence. It is no event and has no number."""
        here = keys.here(table_id)
        lease = [("ZADD", here, until_ms, f"{seat}/{self._instance}"), ("PEXPIRE", here, 2 * PRESENCE_MS)]
        checked(await self._redis.pipeline(lease, repeatable=True))

    async def be_gone(self, table_id: str, seat: int) -> None:
        """End the seat's presence."""
        await self._redis.command("ZREM", keys.here(table_id), f"{seat}/{self._instance}", repeatable=True)


def _folding(commits: Sequence[Logged], newest: Sequence[Any]) -> list[Any]:
    """Return the arguments of fold.lua: commits go into the newest chunk, if there is one and it is not full."""
    first, last = commits[0], commits[-1]
    before = unfolded(newest)
    joins = 0 < len(before) < CHUNK
    chunk = folded((*before, *commits) if joins else commits)
    expected = [f"{first.last}-0", f"{last.last}-0", last.commit, newest[0][0] if newest else ""]
    return [*expected, int(joins), *chunk, f"{last.last + 1}-0", BACKSTOP_MS]


def _or_empty(number: int | None) -> int | str:
    return "" if number is None else number
