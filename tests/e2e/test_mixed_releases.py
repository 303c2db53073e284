"""Replicas of two releases side by side: the older one leaves alone what it cannot read, and the newer goes on with it.

The newer one is this release, told that it writes the next schema. What else is newer: tests/tables/test_releases.py.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from cheeseboard.engine.v1 import lobby_pb2, lobby_pb2_grpc, tables_pb2, tables_pb2_grpc
from cheeseboard_client import Cheeseboard, status
from engine_service.store import keys
from engine_service.store.table_store import LEASE_MS
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from tests.support.players import guests, play_all, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import QUICK, Replica, Stack, running_stack

NEXT_SCHEMA = "from engine_service.tables import codec; codec.SCHEMA += 1"
MOVE_SECONDS = 1


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product with an engine of this release, and one of the next."""
    folder: Path = tmp_path_factory.mktemp("mixed")
    with running_stack(folder, settings=QUICK) as running:
        environment = {"CHEESEBOARD_REDIS_URL": running.redis_url, **QUICK}
        newer = Replica("engine", folder, environment, before=NEXT_SCHEMA)
        try:
            newer.start()
            running.engines.append(newer)
            yield running
        finally:
            newer.kill()


async def test_the_older_one_refuses_and_the_newer_one_plays(stack: Stack):
    """Who comes to the older one is told to go elsewhere, which clients do: the game ends, scored right."""
    older, newer = stack.engine_addresses
    async with guests(stack, 2) as people, Cheeseboard.connect(newer, token=people[0].token) as host:
        table_id = await seated([host, people[1]], bots=1)
        for ask in _calls(table_id):
            assert await _refusal(older, people[0], ask) == ("NEWER_RELEASE", grpc.StatusCode.UNAVAILABLE)
        await play_all(people, table_id)
        record = await people[0].record(table_id)
        assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))
    assert _troubles(stack.engines[0]) == []


async def test_a_table_goes_over_to_the_newer_one_while_it_is_watched_at_the_older(stack: Stack):
    """Its watchers are sent on too, without losing an event."""
    older, newer = stack.engine_addresses
    async with guests(stack, 2) as people, Cheeseboard.connect(older, token=people[0].token) as host:
        table_id = await seated([host, people[1]], start=False)
        async with Cheeseboard.connect(newer, token=people[0].token) as mover:
            playing = asyncio.create_task(play_all(people, table_id))
            await asyncio.sleep(0.3)
            await mover.start(table_id)
            assert (await playing).status == tables_pb2.TABLE_STATUS_FINISHED
    assert _troubles(stack.engines[0]) == []


async def test_what_is_due_waits_for_the_newer_one_without_being_asked_for_again_and_again(stack: Stack):
    """The newer replica is down: the older one looks once and gives the table back; the newer acts when it is there."""
    older, newer = stack.engines
    async with guests(stack, 2) as people, Cheeseboard.connect(newer.address, token=people[0].token) as host:
        table_id = await seated([host, people[1]], move_seconds=MOVE_SECONDS)
        newer.kill()
        await asyncio.sleep(LEASE_MS / 1000 + MOVE_SECONDS + 1)
        assert _said(older, lambda line: line.get("table") == table_id) == ["a table is left to a newer release"]
        connection = await RedisConnection.open(stack.redis_url)
        assert await connection.command("ZSCORE", keys.due(partition_of(table_id)), table_id) == b"0"
        await connection.close()
        await asyncio.to_thread(newer.start)
        async with asyncio.timeout(30):
            while not (await people[0].view(table_id)).cheez_tricks.trick.plays:
                await asyncio.sleep(0.05)
    assert _troubles(older) == []


Ask = Callable[[grpc.aio.Channel], tuple[object, object]]


def _calls(table_id: str) -> list[Ask]:
    tables, lobby = tables_pb2_grpc.TableServiceStub, lobby_pb2_grpc.LobbyServiceStub
    move = tables_pb2.SubmitMoveRequest(table_id=table_id, request_id="r", window=1)
    join = lobby_pb2.JoinTableRequest(table_id=table_id, request_id="r")
    return [
        lambda channel: (tables(channel).GetView, tables_pb2.GetViewRequest(table_id=table_id)),
        lambda channel: (tables(channel).WatchTable, tables_pb2.WatchTableRequest(table_id=table_id)),
        lambda channel: (tables(channel).GetRecord, tables_pb2.GetRecordRequest(table_id=table_id)),
        lambda channel: (tables(channel).SubmitMove, move),
        lambda channel: (lobby(channel).JoinTable, join),
    ]


async def _refusal(address: str, person: Cheeseboard, ask: Ask) -> tuple[str, grpc.StatusCode]:
    async with grpc.aio.insecure_channel(address) as channel:
        method, request = ask(channel)
        call = method(request, metadata=(("authorization", f"Bearer {person.token}"),), timeout=5)  # type: ignore[operator]
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await (call.read() if hasattr(call, "read") else call)
    refusal = status.from_call(failed.value)
    return refusal.reason, failed.value.code()


def _said(replica: Replica, which: Callable[[dict[str, object]], bool]) -> list[object]:
    """Return the events of a replica's log lines, but for calls."""
    lines = [json.loads(line) for line in replica.log.read_text().splitlines() if line.startswith("{")]
    return [line["event"] for line in lines if line["event"] != "call" and which(line)]


def _troubles(replica: Replica) -> list[object]:
    return _said(replica, lambda line: line["level"] == "error")
