"""Finding a game on a cluster: tickets lie on one shard, the tables of their matches on all."""

import asyncio

from cheeseboard_client import accepted_game
from tests.support.cluster import Node, ValkeyCluster
from tests.support.players import QUICK_GAME, guests
from tests.support.stack import Stack

PEOPLE = 8


async def test_players_are_seated_on_all_shards(stack: Stack, cluster: ValkeyCluster):
    """Two replicas match; every match has one table, full, and its game begun."""
    homes: set[Node] = set()
    async with guests(stack, PEOPLE) as people, asyncio.timeout(60):
        while homes != set(cluster.primaries()):  # Where a table lies is chance.
            finds = (person.find_match(accepted_game(QUICK_GAME, 2, move_seconds=0)) for person in people)
            matches = await asyncio.gather(*finds)
            tables = {match.table_id for match in matches}
            assert len(tables) == PEOPLE / 2
            assert {(match.table_id, match.seat) for match in matches} == {(t, seat) for t in tables for seat in (0, 1)}
            homes |= {cluster.primary_of(f"{{p{int(table_id[:2], 16)}}}") for table_id in tables}
            for match in matches:
                await match.frames.aclose()
