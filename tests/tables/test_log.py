"""The log of a table is whole, however much of it was folded."""

import asyncio

from engine_service.store import keys
from engine_service.store.head import Head
from engine_service.store.table_store import CHUNK, FOLD_AT, Step, TableStore
from service_runtime.redis_connection import RedisConnection

TABLE = "07" + 18 * "0"
COMMITS = 2 * CHUNK
EVENTS = 2
"""Of each commit."""


async def test_a_log_leads_on_from_every_head_that_was_ever_on_it(connection: RedisConnection):
    """Also from those whose commits were folded, and while others are being folded."""
    store, heads = TableStore(connection, "one"), list[Head]()
    while len(heads) < COMMITS:
        heads.append(await _commit(store, heads[-1] if heads else None))
        for since in (heads[0], heads[len(heads) // 2], heads[-1]):
            row = await store.read(TABLE, since)
            assert row.fate == "on"
            assert [entry.last for entry in row.entries] == [h.sequence for h in heads if h.sequence > since.sequence]
    logged = await store.log(TABLE, 1, heads[-1].sequence)
    assert [(entry.last, entry.commit, entry.entry) for entry in logged] == [
        (head.sequence, head.commit, _entry(head)) for head in heads
    ]


async def test_part_of_a_log_is_the_commits_that_end_there(connection: RedisConnection):
    """Wherever it begins and ends: in a chunk, between two of them, or after all."""
    store, heads = TableStore(connection, "one"), list[Head]()
    while len(heads) < COMMITS:
        heads.append(await _commit(store, heads[-1] if heads else None))
    numbers = [head.sequence for head in heads]
    for first, last in ((1, 9), (30, 70), (63, 66), (numbers[-3], numbers[-1]), (numbers[-1] + 1, numbers[-1] + 9)):
        found = [entry.last for entry in await store.log(TABLE, first, last)]
        assert found == [number for number in numbers if first <= number <= last]


async def test_another_branch_is_lost_wherever_it_left_ours(connection: RedisConnection):
    """A number that is on the log with another commit, or on none of its commits."""
    store, heads = TableStore(connection, "one"), list[Head]()
    while len(heads) < COMMITS:
        heads.append(await _commit(store, heads[-1] if heads else None))
    for head in (heads[10], heads[-1], Head(heads[-1].sequence + 9, b"otherway")):
        assert (await store.read(TABLE, Head(head.sequence, b"otherway"))).fate == "lost"
    assert (await store.read(TABLE, Head(heads[10].sequence - 1, heads[10].commit))).fate == "lost"


async def test_old_commits_take_little_room(connection: RedisConnection):
    """The log holds no more than it must, one by one, whichever replicas wrote it, and the past a few chunks."""
    stores, heads = [TableStore(connection, name) for name in ("one", "other")], list[Head]()
    while len(heads) < COMMITS:
        heads.append(await _commit(stores[len(heads) % 2], heads[-1] if heads else None))
    async with asyncio.timeout(5):
        while await connection.command("XLEN", keys.log(TABLE)) >= FOLD_AT:
            await asyncio.sleep(0.01)
    assert await connection.command("XLEN", keys.past(TABLE)) == COMMITS // CHUNK


async def _commit(store: TableStore, old: Head | None) -> Head:
    new = Head.after((old.sequence if old else 0) + EVENTS)
    step = Step(TABLE, old, new, b"a table", _entry(new), due_ms=None, listed_ms=None, round_ended=None)
    assert await store.commit(step)
    return new


def _entry(head: Head) -> bytes:
    return f"what happened up to {head.sequence}".encode()
