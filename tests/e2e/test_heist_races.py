"""Five seats on two replicas react to a Cat in the same instant: the committed order decides, and everyone is answered.

CHEESEBOARD_HEIST_WINDOWS says in how many reaction windows. The requests are plain calls: nothing repeats them.
"""

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import grpc
import pytest

from cheeseboard.engine.v1 import tables_pb2, tables_pb2_grpc
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import Cheeseboard, Refused, new_request_id
from cheeseboard_client.status import from_call
from tests.support.filling import filled
from tests.support.players import guests, seated
from tests.support.recount.cheesy_heist import recount_heist
from tests.support.stack import Stack

WINDOWS = int(os.environ.get("CHEESEBOARD_HEIST_WINDOWS", "30"))
TABLES = 5 if WINDOWS < 100 else 15
SEATS = 5
LONG_GAME = heist.Options(goal=16, reaction_seconds=1)
EVENT_OF = {
    "drop_all": "cards_dropped",
    "keep_in_vault": "cards_dropped",
    "play_vault": "vault_played",
    "play_decoy": "decoy_played",
}
"""The event that an accepted reaction brings, by the reaction."""

TOO_LATE = ("WINDOW_CLOSED", "WOULD_BE_WASTED", "GAME_NOT_RUNNING")
"""How an answer is refused before which another closed the window, or with the last drop the game."""


class Hand:
    """One seat at one replica, by plain calls."""

    def __init__(self, channel: grpc.aio.Channel, token: str, dice: random.Random) -> None:
        self._stub = tables_pb2_grpc.TableServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._dice = dice

    async def view(self, table_id: str) -> tables_pb2.TableView:
        answer = await self._stub.GetView(tables_pb2.GetViewRequest(table_id=table_id), metadata=self._metadata)
        return tables_pb2.TableView.FromString(answer.view.SerializeToString())

    async def move(self, table_id: str, offer: tables_pb2.Offer) -> tuple[str, int]:
        """Send a move once; return what came of it: the event it brought and its number, or a reason and 0."""
        move = filled(offer, self._dice)
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id, request_id=new_request_id(), window=offer.window, move=move
        )
        try:
            answer = await self._stub.SubmitMove(request, metadata=self._metadata, timeout=30)
        except grpc.aio.AioRpcError as error:
            refused = from_call(error)
            assert isinstance(refused, Refused), refused
            return refused.reason, 0
        return EVENT_OF.get(str(move.cheesy_heist.WhichOneof("action")), ""), answer.sequence


@asynccontextmanager
async def hands(stack: Stack, people: Sequence[Cheeseboard]) -> AsyncIterator[list[Hand]]:
    """Yield each person's hand, in turns at one replica and the other."""
    channels = [grpc.aio.insecure_channel(address) for address in stack.engine_addresses]
    tokens = [person.token or "" for person in people]
    yield [Hand(channels[i % len(channels)], token, random.Random(i)) for i, token in enumerate(tokens)]
    for channel in channels:
        await channel.close()


class Race:
    """One table, played so that Cats are let loose whenever there is one."""

    def __init__(self, table_id: str, at: list[Hand], dice: random.Random) -> None:
        self.table_id = table_id
        self.answers: list[tuple[str, int]] = []
        self._hands = at
        self._dice = dice

    async def run(self) -> None:
        """Play the game to its end."""
        while (view := await self._hands[0].view(self.table_id)).status != tables_pb2.TABLE_STATUS_FINISHED:
            asked = [question.seat for question in view.prompt.questions if question.HasField("seat")]
            if view.cheesy_heist.phase == heist.PHASE_REACTION:
                await self._react()
            elif asked:
                await self._act(asked[0])
            else:
                await asyncio.sleep(0.02)

    async def _act(self, seat: int) -> None:
        offers = list((await self._hands[seat].view(self.table_id)).prompt.offers)
        cats = [offer for offer in offers if offer.cheesy_heist.HasField("play_cat")]
        draws = [offer for offer in offers if offer.cheesy_heist.HasField("draw_card")]
        for offer in (cats or draws or offers)[:1]:  # None: the clock was quicker.
            await self._hands[seat].move(self.table_id, offer)

    async def _react(self) -> None:
        """Have every seat that may do something do it, all at once."""
        views = await asyncio.gather(*(hand.view(self.table_id) for hand in self._hands))
        reacting = [
            (hand, self._dice.choice(list(view.prompt.offers)))
            for hand, view in zip(self._hands, views, strict=True)
            if view.cheesy_heist.phase == heist.PHASE_REACTION and view.prompt.offers
        ]
        if not reacting:
            await asyncio.sleep(0.05)
        self.answers += await asyncio.gather(*(hand.move(self.table_id, offer) for hand, offer in reacting))


@pytest.mark.timeout(3000)
async def test_the_committed_order_decides_and_everyone_is_answered(stack: Stack) -> None:
    """Drops, Vaults and Decoys in every order: each accepted one is an event of its own, nothing else happens, each
    other one was refused as too late, and the recount, which judges by the committed order alone, finds nothing."""
    seen: Counter[str] = Counter()
    orders: set[tuple[str, ...]] = set()
    async with guests(stack, SEATS) as people, hands(stack, people) as at:
        number = 0
        while seen["windows"] < WINDOWS:
            races = [Race(await _table(people), at, random.Random(number + n)) for n in range(TABLES)]
            number += TABLES
            await asyncio.gather(*(race.run() for race in races))
            for race in races:
                events = await _judged(race, people[0])
                orders |= set(_orders(events))
                seen["windows"] += len(_orders(events))
                seen.update(answer for answer, _ in race.answers)
    assert set(seen) <= {"windows", *EVENT_OF.values(), *TOO_LATE}, seen
    assert seen["WINDOW_CLOSED"], "no Decoy ever came before another's answer"
    assert len(orders) > 10, orders


async def _table(people: list[Cheeseboard]) -> str:
    return await seated(people, options=LONG_GAME)


async def _judged(race: Race, person: Cheeseboard) -> list[tables_pb2.TableEvent]:
    """Hold what was answered against what was committed; return the events."""
    record = await person.record(race.table_id)
    recount_heist(record.options, record.events)
    became = {event.sequence: str(event.cheesy_heist.WhichOneof("event")) for event in record.events}
    accepted = [(kind, sequence) for kind, sequence in race.answers if sequence]
    numbers = [_of_step(became, kind, sequence) for kind, sequence in accepted]
    assert len(set(numbers)) == len(numbers), "one event answered two requests"
    assert len(numbers) == sum(kind in EVENT_OF.values() for kind in became.values()), "an event that nobody asked for"
    return list(record.events)


def _of_step(became: dict[int, str], kind: str, last: int) -> int:
    """Return the number of the event of this kind in the step that ended with event `last`: one or two before it."""
    return next(number for number in (last, last - 1) if became[number] == kind)


def _orders(events: Sequence[tables_pb2.TableEvent]) -> list[tuple[str, ...]]:
    """Return the order of events in each reaction window."""
    found: list[list[str]] = []
    for event in events:
        kind = str(event.cheesy_heist.WhichOneof("event"))
        if kind in ("cat_played", "last_drop_called"):
            found.append([])
        elif found and kind in (*EVENT_OF.values(), "reaction_time_ended"):
            found[-1].append(kind)
    return [tuple(order) for order in found]
