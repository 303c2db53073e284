"""A request has one effect and one answer, however often and wherever it is sent."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as ch
from cheeseboard_client import Cheeseboard, new_request_id, table_options
from cheeseboard_client.errors import RequestIdReused, WindowClosed
from tests.support.players import QUICK_GAME, guests, play_all, seated
from tests.support.stack import Stack

Send = Callable[[Cheeseboard], Awaitable[Any]]

TIMES = 10


async def _sent_again_and_again(stack: Stack, person: Cheeseboard, send: Send) -> Any:
    """Send a request ten times at once over both replicas and twice more after that; return the one answer."""
    async with guests_as(stack, person, TIMES) as devices:
        answers = await asyncio.gather(*(send(device) for device in devices))
        answers += [await send(devices[0]), await send(devices[-1])]
    assert all(answer == answers[0] for answer in answers), answers
    return answers[0]


class guests_as:
    """The same player on several devices, spread over the replicas."""

    def __init__(self, stack: Stack, person: Cheeseboard, count: int) -> None:
        addresses = stack.engine_addresses
        self._devices = [Cheeseboard.connect(addresses[n % len(addresses)], token=person.token) for n in range(count)]

    async def __aenter__(self) -> list[Cheeseboard]:
        return self._devices

    async def __aexit__(self, *trouble: object) -> None:
        for device in self._devices:
            await device.close()


async def _events(person: Cheeseboard, table_id: str) -> int:
    return (await person.view(table_id)).sequence


async def test_creating_a_table_again_finds_the_same_table(stack: Stack):
    """Ten creations with one id make one table with one code."""
    request_id, options = new_request_id(), table_options(QUICK_GAME, 3)
    async with guests(stack, 1) as (person,):
        table = await _sent_again_and_again(
            stack, person, lambda device: device.create_table(options, request_id=request_id)
        )
        assert [mine.table_id for mine in await person.my_tables()] == [table.table_id]
        assert await _events(person, table.table_id) == 2


async def test_joining_again_keeps_the_seat(stack: Stack):
    """Ten joins with one id take one seat; a join with another id is given the same seat."""
    request_id = new_request_id()
    async with guests(stack, 2) as (host, person):
        table_id = (await host.create_table(table_options(QUICK_GAME, 4))).table_id
        joined = await _sent_again_and_again(stack, person, lambda device: device.join(table_id, request_id=request_id))
        assert joined.seat == 1
        assert (await person.join(table_id)).seat == 1
        assert await _events(host, table_id) == 3


async def test_seating_a_bot_starting_and_leaving_again_happen_once(stack: Stack):
    """Each lobby request that writes has one effect."""
    bot, start, leave = new_request_id(), new_request_id(), new_request_id()
    async with guests(stack, 2) as (host, other):
        table_id = (await host.create_table(table_options(QUICK_GAME, 2))).table_id
        await other.join(table_id)
        await _sent_again_and_again(stack, other, lambda device: device.leave(table_id, request_id=leave))
        assert await _events(host, table_id) == 4
        assert await _sent_again_and_again(stack, host, lambda d: d.seat_bot(table_id, request_id=bot)) == 1
        assert await _events(host, table_id) == 5
        assert await _sent_again_and_again(stack, host, lambda d: d.start(table_id, request_id=start)) == 1
        assert (await host.view(table_id)).game_number == 1


async def test_a_move_again_is_the_same_move(stack: Stack):
    """Ten moves with one id play one card, and all get the same answer."""
    request_id = new_request_id()
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        views = [await person.view(table_id) for person in people]
        person, view = next((p, v) for p, v in zip(people, views, strict=True) if v.prompt.offers)
        offer = view.prompt.offers[0]
        answer = await _sent_again_and_again(
            stack, person, lambda device: device.move(table_id, offer, request_id=request_id)
        )
        after = await person.view(table_id)
        assert answer.sequence == view.sequence + 1 == after.sequence
        assert len(after.cheez_tricks.hand) == len(view.cheez_tricks.hand) - 1


async def test_a_rematch_asked_for_again_is_one_wish(stack: Stack):
    """Ten wishes with one id are one event; the game begins when the other player wishes too."""
    request_id = new_request_id()
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        before = await play_all(people, table_id)
        await _sent_again_and_again(stack, people[0], lambda device: device.rematch(table_id, request_id=request_id))
        assert await _events(people[0], table_id) == before.sequence + 1
        await people[1].rematch(table_id)
        view = await people[0].view(table_id)
        assert (view.game_number, view.status) == (2, tables_pb2.TABLE_STATUS_RUNNING)
        assert (await people[0].record(table_id, 1)).complete


async def test_an_id_used_for_something_else_is_refused(stack: Stack):
    """The same request_id with another body changes nothing."""
    request_id = new_request_id()
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        turn = (await people[0].view(table_id)).prompt.questions[0].seat
        first, second = list((await people[turn].view(table_id)).prompt.offers)[:2]
        await people[turn].move(table_id, first, request_id=request_id)
        now = await _events(people[0], table_id)
        with pytest.raises(RequestIdReused):
            await people[turn].move(table_id, second, request_id=request_id)
        assert await _events(people[0], table_id) == now


async def test_a_creation_with_other_options_under_the_same_id_is_refused(stack: Stack):
    """The table that the id made stays as it is."""
    request_id = new_request_id()
    async with guests(stack, 1) as (person,):
        made = await person.create_table(table_options(QUICK_GAME, 3), request_id=request_id)
        with pytest.raises(RequestIdReused):
            await person.create_table(table_options(QUICK_GAME, 4), request_id=request_id)
        assert len((await person.view(made.table_id)).seats) == 3


async def test_ten_players_want_the_last_seats_and_each_gets_one_or_none(stack: Stack):
    """Joins from different replicas at once never put two on one seat."""
    async with guests(stack, 7) as (host, *others):
        table_id = (await host.create_table(table_options(QUICK_GAME, 5))).table_id
        seats = await asyncio.gather(*(person.join(table_id) for person in others), return_exceptions=True)
        taken = sorted(joined.seat for joined in seats if isinstance(joined, lobby_pb2.JoinTableResponse))
        assert taken == [1, 2, 3, 4]
        refused = [type(outcome).__name__ for outcome in seats if isinstance(outcome, Exception)]
        assert refused == ["TableFull", "TableFull"]


async def test_a_move_of_one_game_is_none_of_the_next(stack: Stack):
    """Neither again, when its answer is forgotten, nor late: windows are never the same in two games of a table."""
    options = ch.Options(dealer=1, reaction_seconds=1)
    async with guests(stack, 2) as people:
        table_id = await seated(people, options=options)
        first, late = await _asked(people[0], table_id), await _asked(people[0], table_id)
        await people[0].move(table_id, first, request_id="first")
        await play_all(people, table_id)
        for person in people:
            await person.rematch(table_id)
        again = await _asked(people[0], table_id)
        assert again.window != first.window
        before = await _events(people[0], table_id)
        for request_id in ("first", "late"):
            with pytest.raises(WindowClosed):
                await people[0].move(table_id, late, request_id=request_id)
        assert await _events(people[0], table_id) == before
        await people[0].move(table_id, again)


async def _asked(person: Cheeseboard, table_id: str) -> tables_pb2.Offer:
    """Return the offer to draw a card, with which the seat after the dealer begins a game of Cheesy Heist."""
    offers = (await person.view(table_id)).prompt.offers
    return next(offer for offer in offers if offer.cheesy_heist.HasField("draw_card"))
