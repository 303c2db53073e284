"""Whole games over gRPC, on two replicas of each service, counted again from their records."""

import asyncio
import itertools
import os

import pytest

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, verify_deal
from tests.support.decks import LITTLE_DECK, MIXED_DECK
from tests.support.players import guests, play_all, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import Stack

GAMES = int(os.environ.get("CHEESEBOARD_GAMES", "64"))
AT_ONCE = 10
LEVELS = (ct.LEVEL_HOUSE_CAT, ct.LEVEL_WILD_CAT)
DECKS = ((), (), LITTLE_DECK, MIXED_DECK)


@pytest.mark.timeout(400)
async def test_games_are_scored_as_a_recount_of_their_records_says(stack: Stack):
    """Every card is accounted for, and every scoreboard equals a recount that shares no code with the product."""
    kinds = itertools.islice(itertools.cycle(itertools.product((2, 3, 4, 5), LEVELS, DECKS)), GAMES)
    room = asyncio.Semaphore(AT_ONCE)
    async with guests(stack, 2) as people:
        await asyncio.gather(*(_one_game(people, room, seed, *kind) for seed, kind in enumerate(kinds)))


async def _one_game(
    people: list[Cheeseboard], room: asyncio.Semaphore, seed: int, seats: int, level: ct.Level, deck: tuple[ct.Cat, ...]
) -> None:
    async with room:
        sitting = people[: 1 + seed % 2]
        options = ct.Options(level=level, cat_deck=deck)
        table_id = await seated(sitting, bots=seats - len(sitting), options=options, allow_spectators=bool(seed % 3))
        view = await play_all(sitting, table_id, seed)
        record = await sitting[0].record(table_id)
        assert record.complete
        counted = recount(record.options, record.events)
        assert_scoreboard(counted, await sitting[0].scoreboard(table_id))
        assert tuple(view.cheez_tricks.places) == counted.places
        assert len(verify_deal(record.options, record.events)) == view.cheez_tricks.rounds
