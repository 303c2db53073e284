"""Whole games on a cluster, counted again from their records."""

import asyncio
import itertools

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard
from tests.support.cluster import Node, ValkeyCluster
from tests.support.players import guests, play_all, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import Stack

GAMES = 12


async def test_games_on_all_shards_are_scored_as_a_recount_of_their_records_says(stack: Stack, cluster: ValkeyCluster):
    """Tables lie on every shard; two replicas of each service serve all of them."""
    kinds = enumerate(itertools.cycle((2, 3, 4, 5)))
    homes: set[Node] = set()
    async with guests(stack, 2) as people:
        while homes != set(cluster.primaries()):  # Where a table lies is chance.
            games = (_one_game(people, *kind) for kind in itertools.islice(kinds, GAMES))
            homes |= {cluster.primary_of(f"{{p{int(table_id[:2], 16)}}}") for table_id in await asyncio.gather(*games)}


async def _one_game(people: list[Cheeseboard], seed: int, seats: int) -> str:
    options = ct.Options(level=(ct.LEVEL_HOUSE_CAT, ct.LEVEL_WILD_CAT)[seed % 2])
    table_id = await seated(people, bots=seats - 2, options=options)
    view = await play_all(people, table_id, seed)
    record = await people[0].record(table_id)
    counted = recount(record.options, record.events)
    assert_scoreboard(counted, await people[0].scoreboard(table_id))
    assert tuple(view.cheez_tricks.places) == counted.places
    return table_id
