"""A failover that loses acknowledged steps: everyone is told, all is played again, and nothing counts that is gone.

The loss is made: the replica is cut off from its primary, the game goes on there, the primary is killed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Patience, Snapshot
from engine_service.store.table_store import TableStore
from engine_service.tables import scores
from engine_service.tables.commands import Tables
from engine_service.tables.policy import Policy
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from service_runtime.stream_entry import Entry, stream_key
from tests.scoring.at_work import board_of, ledger_on
from tests.support.cluster import Node, ValkeyCluster
from tests.support.players import guests, play_all, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import Stack
from tests.support.witness import Witness

PATIENT = Patience(total=60)
LOST_MOVES = 5

Pick = Callable[[list[tables_pb2.Offer]], tables_pb2.Offer]


@pytest.fixture
def whole(stack: Stack) -> Iterator[Stack]:
    """The product, of which the test may kill replicas."""
    yield stack
    for replica in (*stack.engines, *stack.scorings):
        if not replica.running:
            replica.start()


async def test_what_was_lost_is_taken_back_and_played_again(stack: Stack, cluster: ValkeyCluster):
    """Whoever watches is told to drop what it had, without asking; lost requests are done when they are sent again."""
    async with guests(stack, 3, PATIENT) as (*people, spectator):
        table_id = await seated(people)
        witnesses = [Witness(person, table_id) for person in (*people, spectator)]
        watching = [asyncio.create_task(witness.watch()) for witness in witnesses]
        kept = (await _move(people, table_id)).sequence
        async with _lost(cluster, table_id):
            person, view = await _turn(people, table_id)
            lost = await person.move(table_id, view.prompt.offers[0], request_id="lost")
            for _ in range(LOST_MOVES):
                last = await _move(people, table_id)
            await _until(lambda: all(witness.sequence >= last.sequence for witness in witnesses))
        await _until(lambda: all((witness.resets, witness.sequence) == (1, kept) for witness in witnesses))
        again = await person.move(table_id, view.prompt.offers[0], request_id="lost")
        assert again.sequence == lost.sequence and again.resume_point != lost.resume_point
        assert await person.move(table_id, view.prompt.offers[0], request_id="lost") == again
        await play_all(people, table_id)
        await asyncio.gather(*watching)
        record = await people[0].record(table_id)
        assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))
        for person, witness in zip((*people, spectator), witnesses, strict=True):
            witness.assert_true((await person.record(table_id)).events)


async def test_whoever_waits_is_shown_the_table_after_a_failover(stack: Stack, cluster: ValkeyCluster):
    """Even if nothing seems to be lost: the move that somebody believes to be done may be."""
    async with guests(stack, 2, PATIENT) as people:
        table_id = await seated(people)
        async with aclosing(people[0].watch(table_id)) as frames:
            first = await anext(frames)
            await asyncio.to_thread(cluster.fail_over, cluster.primary_of(_home(table_id)))
            shown = await anext(frames)
        assert isinstance(first, Snapshot) and isinstance(shown, Snapshot)
        assert (shown.reset, shown.missed) == (False, False)
        assert (shown.sequence, shown.view.cheez_tricks) == (first.sequence, first.view.cheez_tricks)


async def test_a_round_that_is_lost_while_it_is_scored_gets_onto_no_board(
    whole: Stack, cluster: ValkeyCluster, connection: RedisConnection
):
    """The scoring service has its facts in hand; the table plays it again, with another end, and that one counts."""
    async with guests(whole, 2, PATIENT) as people:
        table_id = await seated(people)
        for scoring in whole.scorings:
            scoring.kill()
        async with _lost(cluster, table_id):
            await _play_round(people, table_id, lambda offers: offers[0])
            in_hand = await _entry(connection, "rounds", table_id)
        await ledger_on(connection).record(in_hand)
        assert not (await board_of(connection, table_id)).rounds
        await _play_round(people, table_id, lambda offers: offers[-1])
        await ledger_on(connection).record(in_hand)
        assert not (await board_of(connection, table_id)).rounds
        await _start_scoring_and_finish(whole, people, table_id)


async def test_scores_that_are_lost_while_they_are_recorded_have_no_effect(
    whole: Stack, cluster: ValkeyCluster, connection: RedisConnection
):
    """The engine has them in hand; the table meanwhile waits for the scores of the same round with another end."""
    async with guests(whole, 2, PATIENT) as people:
        table_id = await seated(people)
        for scoring in whole.scorings:
            scoring.kill()
        async with _lost(cluster, table_id):
            await _play_round(people, table_id, lambda offers: offers[0])
            for engine in whole.engines:
                engine.kill()
            await ledger_on(connection).record(await _entry(connection, "rounds", table_id))
            in_hand = await _entry(connection, "scores", table_id)
        for engine in whole.engines:
            await asyncio.to_thread(engine.start)
        await _play_round(people, table_id, lambda offers: offers[-1])
        before = await people[0].view(table_id)
        await scores.record(Tables(TableStore(connection, "test"), Policy()), in_hand, _never)
        assert (await people[0].view(table_id)).sequence == before.sequence
        await _start_scoring_and_finish(whole, people, table_id)


@asynccontextmanager
async def _lost(cluster: ValkeyCluster, table_id: str) -> AsyncIterator[None]:
    """What is done inside, the failover at its end loses."""
    primary: Node = cluster.primary_of(_home(table_id))
    heir = await asyncio.to_thread(cluster.cut_off_replica, primary)
    yield
    await asyncio.to_thread(cluster.kill, primary)
    await asyncio.to_thread(cluster.until_heir, heir)


async def _start_scoring_and_finish(stack: Stack, people: list[Cheeseboard], table_id: str) -> None:
    for scoring in stack.scorings:
        scoring.launch()
    async with asyncio.timeout(30):
        await play_all(people, table_id)
    record = await people[0].record(table_id)
    assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))


async def _play_round(people: list[Cheeseboard], table_id: str, pick: Pick) -> None:
    """Play until scores are awaited."""
    while (await people[0].view(table_id)).cheez_tricks.phase != ct.PHASE_SCORING:
        person, view = await _turn(people, table_id)
        await person.move(table_id, pick(list(view.prompt.offers)))


async def _turn(people: list[Cheeseboard], table_id: str) -> tuple[Cheeseboard, tables_pb2.TableView]:
    person = people[(await people[0].view(table_id)).prompt.questions[0].seat]
    return person, await person.view(table_id)


async def _move(people: list[Cheeseboard], table_id: str) -> tables_pb2.SubmitMoveResponse:
    """Whoever is asked does the first thing offered."""
    person, view = await _turn(people, table_id)
    return await person.move(table_id, view.prompt.offers[0])


async def _entry(connection: RedisConnection, stream: str, table_id: str) -> Entry:
    """Return the only entry of a partition's stream, as a consumer has it in hand."""
    partition = partition_of(table_id)
    key = stream_key(stream, partition)
    ((entry_id, fields),) = await connection.command("XRANGE", key, "-", "+")
    return Entry(partition, entry_id.decode(), fields[1], key, {"rounds": "scoring", "scores": "engine"}[stream])


async def _never(entry: Entry) -> None:
    raise AssertionError("an entry that is not there cannot be finished")


def _home(table_id: str) -> str:
    return f"{{p{partition_of(table_id)}}}"


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not holds():
            await asyncio.sleep(0.02)
