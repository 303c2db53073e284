"""Streams between the services: every entry is dealt with, whoever dies when; poison is set aside and can come back."""

import asyncio
import contextlib
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from service_runtime import parked
from service_runtime.consumer import Entry, NotOurs, Poisoned, StreamConsumer
from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.redis_connection import RedisConnection
from service_runtime.store_errors import StoreUnavailable
from service_runtime.stream_entry import TRIES, stream_key

from .consuming import PARTITIONS

Handle = Callable[[Entry], Awaitable[None]]


async def write(connection: RedisConnection, payload: str, partition: int = 1, *, wake: bool = True) -> str:
    """Append an entry as a writer's script does; return its id."""
    entry_id = await connection.command("XADD", stream_key("rounds", partition), "*", "m", payload)
    if wake:
        await connection.command("PUBLISH", "rounds", partition)
    return str(entry_id.decode())


async def left(connection: RedisConnection) -> int:
    """How many entries all partitions still hold."""
    lengths = await connection.pipeline([("XLEN", stream_key("rounds", p)) for p in range(PARTITIONS)], repeatable=True)
    return sum(lengths)


async def all_done(connection: RedisConnection, seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while await left(connection):
            await asyncio.sleep(0.02)


def consumer(connection: RedisConnection, handle: Handle, name: str = "one", **more: Any) -> StreamConsumer:
    return StreamConsumer(
        connection,
        stream="rounds",
        group="scoring",
        consumer=name,
        partitions=PARTITIONS,
        handle=handle,
        **{"claim_idle_seconds": 0.3, "retry_seconds": 0.01, **more},
    )


@contextlib.asynccontextmanager
async def running(made: StreamConsumer) -> AsyncIterator[StreamConsumer]:
    task = asyncio.create_task(made.run())
    try:
        yield made
    finally:
        await made.stop(patience_seconds=0.2)
        await asyncio.wait_for(task, 10)


class Recorder:
    """A handler that notes payloads, finishes entries, and first raises what it was given."""

    def __init__(self, connection: RedisConnection, *trouble: Exception) -> None:
        self.trouble = list(trouble)
        self.seen: list[str] = []
        self.consumer = consumer(connection, self.handle)

    async def handle(self, entry: Entry) -> None:
        self.seen.append(entry.payload.decode())
        if self.trouble:
            raise self.trouble.pop(0)
        await self.consumer.finish(entry)


async def test_entries_of_all_partitions_are_handled_and_leave_nothing(connection: RedisConnection) -> None:
    recorder = Recorder(connection)
    await write(connection, "before", 3)
    async with running(recorder.consumer):
        for partition in range(PARTITIONS):
            await write(connection, f"p{partition}", partition)
        await all_done(connection)
    assert sorted(recorder.seen) == ["before", "p0", "p1", "p2", "p3"]
    pending = await connection.command("XPENDING", stream_key("rounds", 3), "scoring")
    assert pending[0] == 0


async def test_a_lost_wake_up_costs_a_moment_and_no_entry(connection: RedisConnection) -> None:
    recorder = Recorder(connection)
    async with running(recorder.consumer):
        await asyncio.sleep(0.1)
        for n in range(50):
            await write(connection, f"{n}", wake=False)
        await all_done(connection, seconds=3)
    assert sorted(map(int, recorder.seen)) == list(range(50))


async def test_a_wake_up_that_says_nothing_sensible_does_no_harm(connection: RedisConnection) -> None:
    recorder = Recorder(connection)
    async with running(recorder.consumer):
        for nonsense in ("", "x", "99999", "-1", "1.5"):
            await connection.command("PUBLISH", "rounds", nonsense)
        await write(connection, "fine")
        await all_done(connection)
    assert recorder.seen == ["fine"]


async def test_our_own_trouble_is_tried_again_and_never_parks_an_entry(connection: RedisConnection) -> None:
    trouble = [StoreUnavailable("away"), RuntimeError("bug"), KeyError("bug")] * 2
    recorder = Recorder(connection, *trouble)
    async with running(recorder.consumer):
        await write(connection, "patient")
        await all_done(connection)
    assert recorder.seen == ["patient"] * (len(trouble) + 1)
    assert await parked.list_parked(connection, "rounds", PARTITIONS) == []


async def test_poison_is_parked_after_five_tries_and_nobody_waits_behind_it(connection: RedisConnection) -> None:
    recorder = Recorder(connection, *[Poisoned("no such card")] * TRIES)
    async with running(recorder.consumer):
        await write(connection, "poison", 2)
        await all_done(connection)
        await write(connection, "next", 2)
        await all_done(connection)
    assert recorder.seen == ["poison"] * TRIES + ["next"]
    (entry,) = await parked.list_parked(connection, "rounds", PARTITIONS)
    assert (entry.payload, entry.error, entry.reference.split("/")[0]) == (b"poison", "no such card", "2")
    assert await connection.command("HLEN", "{p2}:rounds:tries") == 0


async def test_tries_are_counted_over_restarts(connection: RedisConnection) -> None:
    tries = 0

    async def handle(_: Entry) -> None:
        nonlocal tries
        tries += 1
        if tries == 3:
            # As far as anybody can tell this process dies here.
            await asyncio.sleep(60)
        raise Poisoned("still bad")

    await write(connection, "poison")
    first = consumer(connection, handle, "first")
    async with running(first):
        async with asyncio.timeout(5):
            while tries < 3:
                await asyncio.sleep(0.01)
    async with running(consumer(connection, handle, "second")):
        await all_done(connection)
    # Two were counted before the restart, three after it; the third of the first process was cut short.
    assert tries == 2 + 1 + (TRIES - 2)


async def test_an_entry_that_recovers_leaves_no_count_behind(connection: RedisConnection) -> None:
    recorder = Recorder(connection, Poisoned("once"), Poisoned("twice"))
    async with running(recorder.consumer):
        await write(connection, "mended")
        await all_done(connection)
        await asyncio.sleep(0.1)
    assert await connection.command("EXISTS", "{p1}:rounds:tries") == 0


async def test_a_parked_entry_is_replayed_once_and_handled(connection: RedisConnection) -> None:
    recorder = Recorder(connection, *[Poisoned("bad release")] * TRIES)
    async with running(recorder.consumer):
        await write(connection, "poison")
        await all_done(connection)
        (entry,) = await parked.list_parked(connection, "rounds", PARTITIONS)
        assert await parked.replay_parked(connection, "rounds", entry.reference)
        assert not await parked.replay_parked(connection, "rounds", entry.reference)
        await all_done(connection)
    assert recorder.seen == ["poison"] * (TRIES + 1)
    assert await parked.list_parked(connection, "rounds", PARTITIONS) == []


@pytest.mark.parametrize("reference", ["", "1", "x/1-1", "/1-1", "-1/1-1"])
async def test_a_malformed_reference_is_refused(connection: RedisConnection, reference: str) -> None:
    with pytest.raises(ValueError, match="partition/id"):
        await parked.replay_parked(connection, "rounds", reference)


async def test_another_takes_over_what_a_dead_consumer_left(connection: RedisConnection) -> None:
    stuck = asyncio.Event()

    async def hang(_: Entry) -> None:
        stuck.set()
        await asyncio.sleep(60)

    async with running(consumer(connection, hang, "dead")):
        await write(connection, "orphan")
        await asyncio.wait_for(stuck.wait(), 5)
    recorder = Recorder(connection)
    async with running(recorder.consumer):
        await all_done(connection)
    assert recorder.seen == ["orphan"]


async def test_entries_whose_delivery_was_lost_are_found_again(connection: RedisConnection) -> None:
    recorder = Recorder(connection)
    async with running(recorder.consumer):
        await asyncio.sleep(0.1)
    # The server handed entries to this consumer, but the answer never arrived.
    for n in range(40):
        await write(connection, f"{n}")
    taken = await connection.command(
        "XREADGROUP", "GROUP", "scoring", "one", "COUNT", 100, "STREAMS", stream_key("rounds", 1), ">"
    )
    assert len(taken[0][1]) == 40
    again = Recorder(connection)
    async with running(again.consumer):
        await all_done(connection)
    assert sorted(map(int, again.seen)) == list(range(40))


async def test_work_is_bounded_and_shared(connection: RedisConnection) -> None:
    at_once = most = 0

    async def handle(entry: Entry) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        at_once -= 1
        await made.finish(entry)

    made = consumer(connection, handle, concurrency=5)
    for n in range(60):
        await write(connection, f"{n}", n % PARTITIONS, wake=False)
    async with running(made):
        await all_done(connection)
    assert most == 5


async def test_names_of_consumers_long_gone_are_forgotten_but_not_what_they_owe(connection: RedisConnection) -> None:
    recorder = Recorder(connection)
    async with running(recorder.consumer):
        await asyncio.sleep(0.1)
    key = stream_key("rounds", 1)
    await write(connection, "owed")
    for name in ("debtor", "idle"):
        await connection.command("XREADGROUP", "GROUP", "scoring", name, "COUNT", 1, "STREAMS", key, ">")
    await asyncio.sleep(0.05)
    await recorder.consumer._reader.forget_consumers(idle_ms=10)
    names = {fields[1] for fields in await connection.command("XINFO", "CONSUMERS", key, "scoring")}
    assert names == {b"one", b"debtor"}


async def test_a_server_that_forgot_its_groups_gets_them_again(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url)
    recorder = Recorder(connection)
    async with running(recorder.consumer):
        await asyncio.sleep(0.1)
        await connection.command("FLUSHALL")
        await write(connection, "new life")
        await all_done(connection)
    assert recorder.seen == ["new life"]
    await connection.close()


async def test_kill_9_of_consumers_and_of_the_server_loses_nothing(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url, budget_seconds=10)
    dice = random.Random(9)
    written: dict[str, str] = {}
    consumers = [_spawn(own_valkey.url, f"c{n}") for n in range(2)]
    try:
        for round_number in range(300):
            partition = dice.randrange(PARTITIONS)
            entry_id = await write(connection, f"{round_number}", partition)
            written[f"{partition}/{entry_id}"] = f"{round_number}"
            if round_number % 60 == 30:
                victim = dice.randrange(2)
                consumers[victim].kill()
                consumers[victim].wait()
                # Now and then under the same name, as a container restarts, now and then under a new one.
                consumers[victim] = _spawn(own_valkey.url, dice.choice([f"c{victim}", f"c{round_number}"]))
            if round_number == 150:
                await asyncio.to_thread(own_valkey.kill)
                await own_valkey.start_soon()
        await all_done(connection, seconds=20)
        assert await _counted(connection) == written
    finally:
        for process in consumers:
            process.kill()
            process.wait()
        await connection.close()


def _spawn(url: str, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.runtime.consuming", url, name], stdout=subprocess.DEVNULL)


async def _counted(connection: RedisConnection) -> dict[str, str]:
    counted: dict[str, str] = {}
    for partition in range(PARTITIONS):
        pairs = iter(await connection.command("HGETALL", f"{stream_key('rounds', partition)}:done"))
        counted |= {f"{partition}/{i.decode()}": payload.decode() for i, payload in zip(pairs, pairs, strict=True)}
    return counted


async def test_what_only_another_replica_can_deal_with_is_put_back_until_that_one_has_it(connection: RedisConnection):
    """It goes round with a pause in between, is dealt with once, and is never parked."""
    refused, done = 0, []

    async def older(entry: Entry) -> None:
        nonlocal refused
        refused += 1
        raise NotOurs

    async def newer(entry: Entry) -> None:
        done.append(entry.payload)
        await second.finish(entry)

    second = consumer(connection, newer, "two")
    async with running(consumer(connection, older)):
        await write(connection, "x")
        await asyncio.sleep(2.0)
        assert 2 <= refused <= 5 and await left(connection) == 1
        async with running(second):
            await all_done(connection)
    assert done == [b"x"]
