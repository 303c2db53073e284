"""Rounds that cannot be scored hold nobody up: parked after five tries, listed, and scored once the cause is gone."""

from dataclasses import replace

import pytest

from cheeseboard.scoring.v1 import scoring_pb2
from scoring_service.tables import registry
from service_runtime.consumer import Poisoned
from service_runtime.parked import list_parked, replay_parked
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from tests.scoring.at_work import TABLE, board_of, consuming, ledger_on, settled
from tests.scoring.rounds import PARTITIONS, people, push, round_ended, scores, table_id, taken, waiting


def bad_rounds() -> dict[str, scoring_pb2.RoundEnded]:
    wrong_game = round_ended(TABLE, 1)
    wrong_game.game = "whist"
    no_facts = round_ended(TABLE, 1)
    no_facts.facts.Clear()
    return {
        "no facts": no_facts,
        "facts of another game": wrong_game,
        "facts of more seats": round_ended(TABLE, 1, [3, 3, 4], seats=people("a", "b")),
        "a seat that is not there": round_ended(TABLE, 1, [6, 4], [[0], [2], []]),
        "two cats": round_ended(TABLE, 1, [6, 4], [[], []]),
        "no round": round_ended(TABLE, 0),
        "no game": round_ended(TABLE, 1, game_number=0),
        "no table": round_ended("", 1),
    }


@pytest.mark.parametrize("name", bad_rounds())
async def test_a_round_that_cannot_be_scored_is_poisoned_and_leaves_no_trace(
    connection: RedisConnection, name: str
) -> None:
    ended = bad_rounds()[name]
    entry = await taken(connection, round_ended(TABLE, 1))
    with pytest.raises(Poisoned):
        await ledger_on(connection).record(replace(entry, payload=ended.SerializeToString()))
    assert await scores(connection) == []
    assert (await board_of(connection)).rounds == ()
    assert await waiting(connection) == (1, 1)


async def test_bytes_that_are_no_message_and_tables_of_other_partitions_are_poisoned(
    connection: RedisConnection,
) -> None:
    entry = await taken(connection, round_ended(TABLE, 1))
    elsewhere = round_ended(table_id("one table", (entry.partition + 1) % PARTITIONS), 1)
    for payload in (b"\xff\xff", elsewhere.SerializeToString()):
        with pytest.raises(Poisoned):
            await ledger_on(connection).record(replace(entry, payload=payload))


async def test_a_round_with_another_number_of_seats_than_its_game_is_poisoned(connection: RedisConnection) -> None:
    await ledger_on(connection).record(await taken(connection, round_ended(TABLE, 1)))
    with pytest.raises(Poisoned, match="no part of the game"):
        await ledger_on(connection).record(await taken(connection, round_ended(TABLE, 2, [3, 3, 4])))


async def test_poison_is_parked_after_five_tries_and_scored_when_replayed_after_the_cause_is_gone(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replica of an older release does not know the game yet; other tables go on meanwhile."""
    table = registry.TABLES["cheez_tricks"]
    raised = 0

    def raises(facts: object) -> int:
        nonlocal raised
        raised += 1
        raise ZeroDivisionError("a fault in the table")

    other = table_id("another table", partition_of(TABLE))
    monkeypatch.setitem(registry.TABLES, "cheez_tricks", replace(table, seats=raises))
    async with consuming(connection):
        await push(connection, round_ended(TABLE, 1))
        await settled(connection)
        assert raised == 5
        monkeypatch.undo()
        await push(connection, round_ended(other, 1))
        await settled(connection)
        (parked,) = await list_parked(connection, "rounds", PARTITIONS)
        assert "ZeroDivisionError" in parked.error
        assert scoring_pb2.RoundEnded.FromString(parked.payload).table_id == TABLE
        assert [message.table_id for message in await scores(connection)] == [other]
        assert await replay_parked(connection, "rounds", parked.reference)
        await settled(connection)
        assert not await replay_parked(connection, "rounds", parked.reference)
    assert [message.table_id for message in await scores(connection)] == [other, TABLE]
    assert await list_parked(connection, "rounds", PARTITIONS) == []
