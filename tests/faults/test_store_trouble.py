"""A disk that stalls, a memory that is full, a server that only reads, one that lost everything: typed refusals in
bounded time, nothing half done, and everything goes on by itself.
"""

import asyncio
import json
import random
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import grpc
import pytest

from cheeseboard.engine.v1 import tables_pb2, tables_pb2_grpc
from cheeseboard_client import Cheeseboard, status
from cheeseboard_client.errors import StoreUnavailable, TableNotFound
from cheeseboard_client.moves import move_request
from service_runtime.redis_connection import RedisConnection
from tests.faults import chaos
from tests.faults.stored import disagreements, everything
from tests.support.players import guests, play_all, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import QUICK, Replica, Stack, running_stack

ANSWERED_WITHIN_SECONDS = 8.0
"""Five for a reply that does not come, two for a connection, and one to spare."""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product whose Redis server has a hard time."""
    with running_stack(tmp_path_factory.mktemp("trouble"), engines=2, settings=QUICK) as running:
        yield running


@pytest.fixture
async def connection(stack: Stack) -> AsyncIterator[RedisConnection]:
    """A way of our own to the Redis server."""
    connection = await RedisConnection.open(stack.valkey.url)
    yield connection
    await connection.close()


@asynccontextmanager
async def _two_at_a_table(stack: Stack) -> AsyncIterator[tuple[list[Cheeseboard], str]]:
    async with guests(stack, 2) as people:
        yield people, await seated(people)


async def _refused(stack: Stack, person: Cheeseboard, request: tables_pb2.SubmitMoveRequest) -> None:
    """Have a move refused by both engines because of the store, in bounded time."""
    metadata = (("authorization", f"Bearer {person.token}"),)
    for address in stack.engine_addresses:
        async with grpc.aio.insecure_channel(address) as channel:
            began = time.monotonic()
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await tables_pb2_grpc.TableServiceStub(channel).SubmitMove(request, metadata=metadata, timeout=20)
        refusal = status.from_call(failed.value)
        assert isinstance(refusal, StoreUnavailable) and refusal.code == grpc.StatusCode.UNAVAILABLE, refusal
        assert time.monotonic() - began < ANSWERED_WITHIN_SECONDS


async def _a_move(people: list[Cheeseboard], table_id: str) -> tuple[Cheeseboard, tables_pb2.SubmitMoveRequest, int]:
    """Return who is asked, a move that would be accepted, and the number of the table's last event."""
    for person in people:
        view = await person.view(table_id)
        for offer in view.prompt.offers:
            return person, move_request(table_id, offer, None, f"move-{view.sequence}"), view.sequence
    raise AssertionError("nobody is asked")


async def _done(person: Cheeseboard, request: tables_pb2.SubmitMoveRequest) -> int:
    """Send a move as the SDK does; return where it led."""
    answer = await person.move(request.table_id, request.move, window=request.window, request_id=request.request_id)
    assert (await person.view(request.table_id)).sequence == answer.sequence
    return answer.sequence


async def _goes_on(people: list[Cheeseboard], table_id: str, connection: RedisConnection) -> None:
    """Play the game to its end, and count it."""
    assert await disagreements(connection, table_id) == []
    await play_all(people, table_id)
    record = await people[0].record(table_id)
    assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))


async def test_a_disk_that_stalls_is_a_typed_refusal_and_the_move_has_one_effect(
    stack: Stack, connection: RedisConnection
):
    """The move was sent to Redis before it stood still, so it happens later; its repeat gets the one answer."""
    async with _two_at_a_table(stack) as (people, table_id):
        person, request, at = await _a_move(people, table_id)
        async with chaos.stalled(stack.valkey):
            await _refused(stack, person, request)
        assert await _done(person, request) == at + 1
        await _goes_on(people, table_id, connection)


async def test_full_memory_is_a_typed_refusal_and_changes_nothing(stack: Stack, connection: RedisConnection):
    """Not a byte of any key; whoever is patient does not even notice."""
    async with _two_at_a_table(stack) as (people, table_id):
        person, request, at = await _a_move(people, table_id)
        async with chaos.memory_full(connection):
            before = await everything(connection)
            await _refused(stack, person, request)
            assert (await person.view(table_id)).sequence == at
            assert await everything(connection) == before
            patient = asyncio.create_task(_done(person, request))
            await asyncio.sleep(0.5)
        assert await patient == at + 1
        await _goes_on(people, table_id, connection)


async def test_full_memory_is_said_when_it_begins_and_when_it_ends(stack: Stack, connection: RedisConnection):
    """One line each, however many writes were refused in between."""
    (engine, *_) = stack.engines
    before = len(_said(engine))
    async with _two_at_a_table(stack) as (people, table_id):
        person, request, _ = await _a_move(people, table_id)
        async with chaos.memory_full(connection):
            for _ in range(3):
                await _refused(stack, person, request)
            await _until(lambda: _said(engine)[before:] == ["redis refuses writes"])
            await asyncio.sleep(2.5)
        await _until(lambda: _said(engine)[before:] == ["redis refuses writes", "redis takes writes again"])
        await _goes_on(people, table_id, connection)


def _said(replica: Replica) -> list[str]:
    lines = (json.loads(line) for line in replica.log.read_text().splitlines() if line.startswith("{"))
    return [line["event"] for line in lines if line["event"].startswith("redis ") and "writes" in line["event"]]


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not holds():
            await asyncio.sleep(0.05)


async def test_memory_that_is_full_now_and_then_holds_nobody_up_for_good(stack: Stack, connection: RedisConnection):
    """Rounds end, scores come and records are written in between; table, log and streams agree at every moment."""
    async with _two_at_a_table(stack) as (people, table_id):
        playing = asyncio.create_task(play_all(people, table_id))
        while not playing.done():
            async with chaos.memory_full(connection):
                await asyncio.sleep(random.uniform(0.02, 0.1))
            await asyncio.sleep(random.uniform(0.1, 0.6))
        await playing
        assert await disagreements(connection, table_id) == []
        record = await people[0].record(table_id)
        assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))


async def test_a_server_that_only_reads_still_shows_and_refuses_the_rest(stack: Stack, connection: RedisConnection):
    """As a primary that was made a replica; views go on, moves come back when it may write again."""
    async with _two_at_a_table(stack) as (people, table_id):
        person, request, at = await _a_move(people, table_id)
        await connection.command("REPLICAOF", "127.0.0.1", 1)
        try:
            before = await everything(connection)
            await _refused(stack, person, request)
            assert (await person.view(table_id)).sequence == at
            assert await everything(connection) == before
        finally:
            await connection.command("REPLICAOF", "NO", "ONE")
        assert await _done(person, request) == at + 1
        await _goes_on(people, table_id, connection)


async def test_a_server_that_lost_everything_is_begun_anew(stack: Stack):
    """Tables are gone and their watchers are told so; the same guests set up new ones, which are scored."""
    async with _two_at_a_table(stack) as (people, table_id):
        watching = people[0].watch(table_id)
        await anext(watching)
        stack.valkey.kill()
        shutil.rmtree(stack.valkey.folder / "appendonlydir")
        await asyncio.to_thread(stack.valkey.start)
        with pytest.raises(TableNotFound):
            await people[0].view(table_id)
        with pytest.raises(TableNotFound):
            async with asyncio.timeout(30):
                while True:
                    await anext(watching)
        connection = await RedisConnection.open(stack.valkey.url)
        await _goes_on(people, await seated(people), connection)
        await connection.close()
    for replica in (*stack.engines, *stack.scorings):
        assert await asyncio.to_thread(replica.stop) == 0
        await asyncio.to_thread(replica.start)
