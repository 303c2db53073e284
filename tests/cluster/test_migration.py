"""Slots move from server to server, key by key, while games are played there: nobody sees more of it than a pause."""

import asyncio
import itertools
import time
from collections import Counter

from redis.crc import key_slot

from service_runtime.partitions import partition_of, tag
from tests.support.cluster import ValkeyCluster
from tests.support.players import guests, play_all, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import Stack
from tests.support.witness import Witness

TABLES = 4
KEY_SECONDS = 0.03
"""Between two keys that move: games go on while some of their keys are here and some there."""


async def test_games_are_played_to_their_end_while_their_slots_move(stack: Stack, cluster: ValkeyCluster):
    """Commands are sent on by MOVED and ASK; every game ends and is scored right; nobody is reset or misses a step."""
    async with guests(stack, 3) as (*people, spectator):
        tables = [await seated(people, bots=1) for _ in range(TABLES)]
        before = _sent_on(cluster)
        witnesses = [Witness(spectator, table_id) for table_id in tables]
        watching = [asyncio.create_task(witness.watch()) for witness in witnesses]
        playing = asyncio.gather(*(play_all(people, table_id) for table_id in tables))
        moving = itertools.takewhile(lambda _: not playing.done(), itertools.cycle(tables))
        for table_id in moving:
            await asyncio.to_thread(_move_slot, cluster, table_id)
        await asyncio.gather(playing, *watching)
        assert set(_sent_on(cluster) - before) == {"MOVED", "ASK"}
        for table_id, witness in zip(tables, witnesses, strict=True):
            record = await people[0].record(table_id)
            assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))
            assert witness.resets == 0
            witness.assert_true((await spectator.record(table_id)).events)


def _move_slot(cluster: ValkeyCluster, table_id: str) -> None:
    """Move the slot of a table to another server, one key after the other."""
    home = tag(partition_of(table_id))
    source = cluster.primary_of(home)
    target = next(node for node in cluster.primaries() if node is not source)
    with cluster.moving(home, target):
        for key in source.ask("CLUSTER GETKEYSINSLOT", key_slot(home.encode()), 100):
            source.ask("MIGRATE", *target.place, key, 0, 5000)
            time.sleep(KEY_SECONDS)


def _sent_on(cluster: ValkeyCluster) -> Counter[str]:
    return sum((node.redirections() for node in cluster.nodes), Counter())
