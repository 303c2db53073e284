"""Seats that never do what they are asked in Cheesy Heist: the clock does it, on whichever replica is left."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress

import pytest

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import Cheeseboard
from cheeseboard_client.errors import NotAllowedNow
from tests.support.players import play_out, seated
from tests.support.recount.cheesy_heist import recount_heist
from tests.support.stack import QUICK, Stack, running_stack

BUSY, IDLE = range(2)
LONG_GAME = heist.Options(goal=16, reaction_seconds=1)

Done = Callable[[heist.Event], bool]
PHASES: tuple[tuple[heist.Phase, Done], ...] = (
    (heist.PHASE_COLLECTION, lambda event: _by_engine(event.card_taken)),
    (heist.PHASE_REACTION, lambda event: _by_engine(event.cards_dropped)),
    (heist.PHASE_TURN, lambda event: _by_engine(event.card_drawn)),
)
"""Where the idle seat does not do what it is asked, and the event that shows that the engine did it. The one that is
longest to come to stands first, and has most time."""


def _by_engine(event: heist.CardDrawn | heist.CardsDropped | heist.CardTaken) -> bool:
    return event.by_engine and event.seat == IDLE


@pytest.fixture(scope="module")
def killable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product whose first engine is killed."""
    with running_stack(tmp_path_factory.mktemp("killable"), engines=2, settings=QUICK) as running:
        yield running


async def test_the_clock_goes_on_in_every_phase_when_its_replica_is_killed(killable: Stack) -> None:
    """All is asked by the first replica, which dies with its timers; the second one finds what is due."""
    first, second = killable.engines
    async with AsyncExitStack() as exits:
        people = [await _guest(exits, killable, first.address, name) for name in ("Busy", "Idle")]
        others = [await _device(exits, killable, second.address, person) for person in people]
        tables = []
        for phase, _ in PHASES:
            tables.append(await seated(people, options=LONG_GAME, move_seconds=3))
            await _until_asked(people, tables[-1], phase)
        waited_for = [(table_id, done) for table_id, (_, done) in zip(tables, PHASES, strict=True)]
        assert not any([await _is_done(others[BUSY], *each) for each in waited_for])
        first.kill()
        async with asyncio.timeout(20):
            while not all([await _is_done(others[BUSY], *each) for each in waited_for]):
                await asyncio.sleep(0.2)
        await asyncio.to_thread(first.start)
        await asyncio.gather(*(play_out(others[BUSY], table_id) for table_id in tables))
        for table_id in tables:
            record = await others[BUSY].record(table_id)
            recount_heist(record.options, record.events)


async def _guest(exits: AsyncExitStack, stack: Stack, address: str, name: str) -> Cheeseboard:
    person = await exits.enter_async_context(Cheeseboard.connect(address, stack.scoring_addresses))
    await person.sign_in_guest(name)
    return person


async def _device(exits: AsyncExitStack, stack: Stack, address: str, person: Cheeseboard) -> Cheeseboard:
    return await exits.enter_async_context(Cheeseboard.connect(address, stack.scoring_addresses, token=person.token))


async def _until_asked(people: list[Cheeseboard], table_id: str, phase: heist.Phase) -> None:
    """Have both play, Cats first, up to the moment where the idle one is asked in a phase and the other is not."""
    while True:
        view = await people[IDLE].view(table_id)
        asked = {question.seat for question in view.prompt.questions if question.HasField("seat")}
        if view.cheesy_heist.phase == phase and asked == {IDLE}:
            return
        for seat in (BUSY, IDLE):
            if view.cheesy_heist.phase != phase or seat == BUSY:
                await _act(people[seat], table_id)


async def _act(person: Cheeseboard, table_id: str) -> None:
    offers = list((await person.view(table_id)).prompt.offers)
    cats = [offer for offer in offers if offer.cheesy_heist.HasField("play_cat")]
    with suppress(NotAllowedNow):
        for offer in (cats or offers)[:1]:
            await person.move(table_id, offer)


async def _is_done(person: Cheeseboard, table_id: str, done: Done) -> bool:
    return any(done(event.cheesy_heist) for event in (await person.record(table_id)).events)
