"""Seats belong to players: who gives one up, takes another, or is not there."""

import asyncio
from contextlib import aclosing

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, Frame, Snapshot, Step, new_request_id, table_options
from cheeseboard_client.errors import NoSpectators, RequestIdReused
from tests.support.players import QUICK_GAME, guests, play_all, play_out, seated
from tests.support.stack import Stack


@pytest.mark.parametrize("over_play", [False, True], ids=["watch", "play"])
async def test_a_stream_that_was_opened_from_a_seat_shows_nothing_more_when_the_seat_is_given_up(
    stack: Stack, over_play: bool
):
    """Another player sits there now: its hand is not for whoever sat there before."""
    async with guests(stack, 3) as (host, leaver, heir):
        table_id = await seated([host, leaver], start=False, allow_spectators=False)
        seen: list[Frame] = []
        watching = asyncio.create_task(_listen(leaver, table_id, seen, over_play))
        await _until(lambda: bool(seen))
        await leaver.leave(table_id)
        with pytest.raises(NoSpectators):
            await watching
        await heir.join(table_id)
        await host.start(table_id)
        assert not any(frame.view.HasField("cheez_tricks") for frame in seen if isinstance(frame, Snapshot | Step))


async def test_a_stream_follows_its_player_to_another_seat_and_off_it(stack: Stack):
    """A spectator who sits down gets its own hand; whoever gives its seat up watches on as a spectator."""
    async with guests(stack, 2) as (host, guest):
        table_id = (await host.create_table(table_options(QUICK_GAME, 3, allow_spectators=True))).table_id
        await host.seat_bot(table_id)
        seen: list[Frame] = []
        watching = asyncio.create_task(_listen(guest, table_id, seen, over_play=False))
        await _until(lambda: bool(seen))
        await guest.join(table_id)
        await _until(lambda: _last(seen).viewer == 2)
        await guest.leave(table_id)
        await _until(lambda: not _last(seen).HasField("viewer"))
        await guest.join(table_id, seat=2)
        await host.start(table_id)
        await _until(lambda: len(_last(seen).cheez_tricks.hand) == 12)
        watching.cancel()


async def test_nobody_is_dragged_into_a_rematch(stack: Stack):
    """Whoever left or is away when the others want another game gives its seat up; the game waits for somebody."""
    async with guests(stack, 3) as (present, leaver, friend):
        table_id = await seated([present, leaver])
        await leaver.leave(table_id)
        await play_out(present, table_id)
        await present.rematch(table_id)
        view = await present.view(table_id)
        assert view.status == tables_pb2.TABLE_STATUS_FINISHED
        assert not view.seats[1].HasField("player")
        await friend.join(table_id)
        assert (await present.view(table_id)).game_number == 1
        await friend.rematch(table_id)
        view = await present.view(table_id)
        assert (view.status, view.game_number) == (tables_pb2.TABLE_STATUS_RUNNING, 2)


async def test_a_seat_given_up_after_a_game_can_be_filled_by_a_bot_for_the_next(stack: Stack):
    """The rematch begins as soon as everyone who is there has asked and no seat is free."""
    async with guests(stack, 2) as (stays, goes):
        table_id = await seated([stays, goes])
        await play_all([stays, goes], table_id)
        await goes.leave(table_id)
        await stays.rematch(table_id)
        assert (await stays.view(table_id)).status == tables_pb2.TABLE_STATUS_FINISHED
        await stays.seat_bot(table_id)
        assert (await stays.view(table_id)).game_number == 2


async def test_one_id_in_two_methods_is_refused(stack: Stack):
    """Requests whose bytes are the same ask for different things."""
    async with guests(stack, 2) as (host, guest):
        table_id = (await host.create_table(table_options(QUICK_GAME, 2))).table_id
        await guest.join(table_id, request_id="1")
        with pytest.raises(RequestIdReused):
            await guest.leave(table_id, request_id="1")
        assert (await host.view(table_id)).seats[1].HasField("player")


async def test_a_request_that_changed_nothing_is_remembered_too(stack: Stack):
    """Its repeat, after the world has moved on, still changes nothing."""
    again = new_request_id()
    async with guests(stack, 2) as (host, guest):
        table_id = (await host.create_table(table_options(QUICK_GAME, 2))).table_id
        first = await guest.join(table_id)
        assert await guest.join(table_id, request_id=again) == first
        await guest.leave(table_id)
        assert await guest.join(table_id, request_id=again) == first
        assert not (await host.view(table_id)).seats[1].HasField("player")


async def test_answers_of_a_seated_player_are_not_pushed_out_by_others(stack: Stack):
    """Guests who come and go at an open table do not make it forget."""
    mine = new_request_id()
    async with guests(stack, 3) as (host, guest, fickle):
        table_id = (await host.create_table(table_options(QUICK_GAME, 4))).table_id
        first = await guest.join(table_id, request_id=mine)
        for _ in range(30):
            await fickle.join(table_id)
            await fickle.leave(table_id)
        before = (await host.view(table_id)).sequence
        assert await guest.join(table_id, request_id=mine) == first
        assert (await host.view(table_id)).sequence == before


async def test_leaving_and_returning_gains_no_time(stack: Stack):
    """The question goes on where it was: the deadline is the old one, to the moment it took to return."""
    async with guests(stack, 2) as people:
        table_id = await seated(people, move_seconds=600, bank_seconds=60)
        before = (await people[0].view(table_id)).prompt.questions[0]
        thinker = people[before.seat]
        await asyncio.sleep(1.5)
        await asyncio.gather(thinker.leave(table_id), *(thinker.view(table_id) for _ in range(8)))
        view = await thinker.view(table_id)
        (question,) = view.prompt.questions
        if question.window == before.window:  # Else the engine played for the seat before it was back.
            assert abs(question.deadline.ToMilliseconds() - before.deadline.ToMilliseconds()) < 1000


async def _listen(person: Cheeseboard, table_id: str, seen: list[Frame], over_play: bool) -> None:
    if over_play:
        async with person.play(table_id, include_view=True) as session:
            async for frame in session:
                seen.append(frame)
    async with aclosing(person.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            seen.append(frame)


def _last(seen: list[Frame]) -> tables_pb2.TableView:
    return next(f.view for f in reversed(seen) if isinstance(f, Snapshot | Step) and f.view is not None)


async def _until(is_it) -> None:  # type: ignore[no-untyped-def]
    async with asyncio.timeout(10):
        while not is_it():
            await asyncio.sleep(0.01)
