"""Servers of the cluster die while games are played: all games end by themselves, and nobody is told a tale."""

import asyncio
import random
from contextlib import aclosing, suppress

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, Patience, Snapshot, Step
from cheeseboard_client.errors import NotAllowedNow
from tests.support.cluster import ValkeyCluster
from tests.support.players import guests, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import Stack
from tests.support.witness import Witness

TABLES = 9
THINKING_SECONDS = 0.15
PATIENT = Patience(total=60)


async def test_games_go_on_through_a_failover_of_every_server(stack: Stack, cluster: ValkeyCluster):
    """Every primary is killed once; the games on all shards are played to their end, scored right, and told right."""
    async with guests(stack, 3, PATIENT) as (*people, spectator):
        tables = [await seated(people, bots=1) for _ in range(TABLES)]
        while {cluster.primary_of(_partition(t)) for t in tables} != set(cluster.primaries()):
            tables.append(await seated(people, bots=1))  # Where a table lies is chance.
        witnesses = [Witness(person, t) for t in tables for person in (*people, spectator)]
        watching = [asyncio.create_task(witness.watch()) for witness in witnesses]
        playing = [asyncio.create_task(_play(person, t)) for t in tables for person in people]
        for primary in cluster.primaries():
            await asyncio.sleep(0.5)
            assert not all(task.done() for task in playing)
            await asyncio.to_thread(cluster.fail_over, primary)
            await asyncio.to_thread(cluster.mend)
        async with asyncio.timeout(60):
            await asyncio.gather(*playing, *watching)
        for table_id in tables:
            record = await people[0].record(table_id)
            assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))
        for number, witness in enumerate(witnesses):
            record = await (*people, spectator)[number % 3].record(tables[number // 3])
            witness.assert_true(record.events)


def _partition(table_id: str) -> str:
    return f"{{p{int(table_id[:2], 16)}}}"


async def _play(person: Cheeseboard, table_id: str) -> None:
    """Play one's seat at a person's pace, until the game is over."""
    choices = random.Random(table_id)
    async with aclosing(person.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            view = frame.view if isinstance(frame, Snapshot | Step) else None
            if view is not None and view.status == tables_pb2.TABLE_STATUS_FINISHED:
                return
            if view is not None and view.prompt.offers:
                await asyncio.sleep(THINKING_SECONDS)
                with suppress(NotAllowedNow):
                    await person.move(table_id, choices.choice(list(view.prompt.offers)))
