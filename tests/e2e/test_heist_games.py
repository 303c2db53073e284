"""Whole games of Cheesy Heist on two replicas that are killed at random, counted again from their records.

CHEESEBOARD_HEIST_GAMES says how many.
"""

import asyncio
import itertools
import os
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import Cheeseboard, Patience, verify_deal
from tests.faults.chaos import kill_replicas
from tests.support.players import guests, play_all, seated
from tests.support.recount.cheesy_heist import assert_heist_scoreboard, recount_heist
from tests.support.stack import QUICK, Replica, Stack, running_stack

GAMES = int(os.environ.get("CHEESEBOARD_HEIST_GAMES", "20"))
AT_ONCE = 20
GOALS = (None, 2, 4, 7, 16)


@pytest.fixture(scope="module")
def killable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product whose engines may be killed."""
    with running_stack(tmp_path_factory.mktemp("killable"), engines=2, scorings=2, settings=QUICK) as running:
        yield running


@asynccontextmanager
async def killing(replicas: list[Replica], dice: random.Random) -> AsyncIterator[None]:
    """Kill one replica or the other now and then while the block runs, and start it again."""
    done = asyncio.Event()

    async def kill() -> None:
        while not done.is_set():
            await asyncio.sleep(dice.uniform(1.0, 3.0))
            await kill_replicas(replicas, 1, dice)

    task = asyncio.create_task(kill())
    try:
        yield
    finally:
        done.set()
        await task


@pytest.mark.timeout(1800)
async def test_games_end_as_a_recount_of_their_records_says(killable: Stack) -> None:
    """All numbers of players and goals, bots of both kinds beside people; 75 cards are there at every event."""
    kinds = itertools.islice(itertools.cycle(itertools.product((2, 3, 4, 5), GOALS)), GAMES)
    room = asyncio.Semaphore(AT_ONCE)
    async with guests(killable, 2, Patience(total=60.0)) as people, killing(killable.engines, random.Random(1)):
        await asyncio.gather(*(_one_game(people, room, number, *kind) for number, kind in enumerate(kinds)))


async def _one_game(people: list[Cheeseboard], room: asyncio.Semaphore, number: int, seats: int, goal: int) -> None:
    async with room:
        sitting = people[: 1 + number % 2]
        options = heist.Options(goal=goal, reaction_seconds=1)
        table_id = await seated(sitting, bots=seats - len(sitting), options=options, allow_spectators=bool(number % 3))
        view = await play_all(sitting, table_id, number)
        for person in people:
            if person in sitting or number % 3:
                record = await person.record(table_id)
                assert record.complete
                counted = recount_heist(record.options, record.events)
                assert tuple(view.cheesy_heist.places) == counted.places
                assert len(verify_deal(record.options, record.events)) == 1
        assert_heist_scoreboard(counted, await sitting[0].scoreboard(table_id))
