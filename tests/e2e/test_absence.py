"""Players who vanish: the clock plays for them, they come back, and what nobody wants any more goes."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Snapshot, Step, new_request_id, table_options
from cheeseboard_client.errors import TableNotFound
from service_runtime.redis_connection import RedisConnection
from tests.support.players import QUICK_GAME, guests, play_out, seated
from tests.support.recount import recount
from tests.support.stack import QUICK, Stack, running_stack

SHORT_LIVES = {
    "CHEESEBOARD_OPEN_SECONDS": "2",
    "CHEESEBOARD_FINISHED_SECONDS": "2",
    "CHEESEBOARD_LINGER_SECONDS": "1",
    "CHEESEBOARD_ABANDONED_SECONDS": "3",
}


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product where nothing is kept for long."""
    folder = tmp_path_factory.mktemp("brief")
    with running_stack(folder, engines=2, settings={**QUICK, **SHORT_LIVES}) as running:
        yield running


async def test_a_seat_that_stops_playing_is_played_for_until_its_player_is_back(stack: Stack):
    """One time-out is counted, after two it is away, until a call of its player, who gets all events it missed."""
    async with guests(stack, 2) as (present, absent):
        table_id = await seated([present, absent], move_seconds=1)
        left_at = (await absent.snapshot(table_id)).resume_point
        playing = asyncio.create_task(play_out(present, table_id))
        counted = asyncio.create_task(_missed(present, table_id, seat=1))
        events = await _until(present, table_id, lambda e: e.HasField("seat_went_away"))
        assert await counted == [0, 1]
        assert [e.seat_went_away.left for e in events if e.HasField("seat_went_away")] == [False]
        assert sum(_by_engine(event) for event in events) == 2
        missed = await _resumed(absent, table_id, left_at, lambda e: e.HasField("seat_returned"))
        assert [event.sequence for event in missed] == list(range(missed[0].sequence, missed[-1].sequence + 1))
        assert missed[-1].seat_returned.seat == 1
        assert not (await absent.view(table_id)).seats[1].away
        await play_out(absent, table_id)
        assert (await playing).status == tables_pb2.TABLE_STATUS_FINISHED


async def test_whoever_has_to_choose_trump_may_vanish_too(stack: Stack):
    """The engine chooses the suit that the seat holds most of; the game goes on to its end."""
    async with guests(stack, 2) as people:
        table_id = await seated(people, move_seconds=1)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_play_cards_only(person, table_id)) for person in people]
        assert all(task.result() for task in tasks)
        record = await people[0].record(table_id)
        chosen = [e.cheez_tricks.trump_set for e in record.events if e.cheez_tricks.HasField("trump_set")]
        assert [trump.by_engine for trump in chosen] == [False, True, True, True]
        recount(record.options, record.events)


async def test_when_all_vanish_the_game_still_ends_and_its_keys_go(brief: Stack):
    """Nobody calls any more: the clock plays the game out, then the table closes and is removed."""
    async with guests(brief, 2) as people:
        table_id = await seated(people, move_seconds=1)
        assert await _keys(brief, table_id)
        await _until_gone(brief, table_id, seconds=30)
        record = await people[0].record(table_id)
        assert record.complete
        recount(record.options, record.events)
        with pytest.raises(TableNotFound):
            await people[0].view(table_id)
        assert await people[0].my_tables() == ()


async def test_a_creation_that_is_sent_again_when_its_table_is_gone_makes_no_other(brief: Stack):
    """It gets the answer it got, and the table stays gone: its record and its scores are not played over."""
    request_id, options = new_request_id(), table_options(QUICK_GAME, 2)
    async with guests(brief, 1) as (person,):
        made = await person.create_table(options, request_id=request_id)
        await _until_gone(brief, made.table_id, seconds=15)
        assert await person.create_table(options, request_id=request_id) == made
        with pytest.raises(TableNotFound):
            await person.view(made.table_id)


async def test_a_game_without_a_clock_that_nobody_touches_ends_void(brief: Stack):
    """It counts for nobody."""
    async with guests(brief, 2) as people:
        table_id = await seated(people)
        await _until_gone(brief, table_id, seconds=30)
        record = await people[0].record(table_id)
        assert record.events[-1].game_voided.reason == tables_pb2.END_REASON_ABANDONED


async def test_a_table_that_never_fills_closes_and_says_so_to_who_asks(brief: Stack):
    """Unless somebody is there: a table that is watched is not taken away."""
    async with guests(brief, 3) as (watching, gone, spectator):
        options = table_options(QUICK_GAME, 3, listed=True, allow_spectators=True)
        kept = await watching.create_table(options)
        left = await gone.create_table(options)
        staying = asyncio.create_task(_until(watching, kept.table_id, lambda e: e.HasField("table_closed")))
        listening = asyncio.create_task(_until(spectator, kept.table_id, lambda e: e.HasField("table_closed")))
        listed = {table.table_id async for table in watching.list_tables()}
        assert {kept.table_id, left.table_id} <= listed
        await _until_gone(brief, left.table_id, seconds=15)
        assert (await watching.view(kept.table_id)).status == tables_pb2.TABLE_STATUS_OPEN
        with pytest.raises(TableNotFound):
            await gone.join(left.code)
        await watching.leave(kept.table_id)
        staying.cancel()
        closed = await listening
        assert closed[-1].table_closed.reason == tables_pb2.END_REASON_ALL_LEFT


async def test_who_leaves_is_played_for_at_once_and_may_come_back(stack: Stack):
    """Leaving a running game is no end of it."""
    async with guests(stack, 2) as (present, leaver):
        table_id = await seated([present, leaver])
        await leaver.leave(table_id)
        assert (await play_out(present, table_id)).status == tables_pb2.TABLE_STATUS_FINISHED
        record = await present.record(table_id)
        assert any(event.seat_went_away.left for event in record.events)
        assert all(_by_engine(event) for event in record.events if event.cheez_tricks.card_played.seat == 1)


async def test_the_host_of_an_open_table_leaves_and_another_takes_over(stack: Stack):
    """Seats in the lobby are given up for good."""
    async with guests(stack, 2) as (host, other):
        table_id = await seated([host, other], start=False)
        await host.leave(table_id)
        view = await other.view(table_id)
        assert view.host == 1 and not view.seats[0].HasField("player")
        await other.seat_bot(table_id)
        assert await other.start(table_id) == 1


async def _frames(person: Cheeseboard, table_id: str, resume_point: str = "") -> AsyncIterator[Snapshot | Step]:
    async with aclosing(person.watch(table_id, resume_point=resume_point, include_view=True)) as frames:
        async for frame in frames:
            if isinstance(frame, Snapshot | Step):
                yield frame


async def _until(person: Cheeseboard, table_id: str, is_it, resume_point: str = "") -> list[tables_pb2.TableEvent]:  # type: ignore[no-untyped-def]
    """Return the events that come up to the first of this kind."""
    events: list[tables_pb2.TableEvent] = []
    async for frame in _frames(person, table_id, resume_point):
        for event in frame.events if isinstance(frame, Step) else ():
            events.append(event)
            if is_it(event):
                return events
    raise AssertionError("a watch does not end by itself")


async def _resumed(person: Cheeseboard, table_id: str, resume_point: str, is_it) -> list[tables_pb2.TableEvent]:  # type: ignore[no-untyped-def]
    return await _until(person, table_id, is_it, resume_point)


async def _missed(person: Cheeseboard, table_id: str, seat: int) -> list[int]:
    """Return how many questions in a row a seat is shown to have missed, until it is away."""
    counts: list[int] = []
    async for frame in _frames(person, table_id):
        assert frame.view is not None
        at = frame.view.seats[seat]
        if at.away:
            assert not at.missed
            break
        counts += [at.missed] if [at.missed] != counts[-1:] else []
    return counts


async def _play_cards_only(person: Cheeseboard, table_id: str) -> bool:
    """Play cards at once and never choose trump; return whether the game came to its end."""
    async for frame in _frames(person, table_id):
        assert frame.view is not None
        if frame.view.status == tables_pb2.TABLE_STATUS_FINISHED:
            return True
        offers = [o for o in frame.view.prompt.offers if o.cheez_tricks.HasField("play_card")]
        if offers:
            await person.move(table_id, offers[0])
    return False


async def _until_gone(stack: Stack, table_id: str, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while await _keys(stack, table_id):
            await asyncio.sleep(0.1)


async def _keys(stack: Stack, table_id: str) -> list[str]:
    """Return what the store still holds of a table, beside what is kept on purpose for as long as its record."""
    connection = await RedisConnection.open(stack.valkey.url)
    try:
        names = [name.decode() for name in await connection.command("KEYS", "*")]
        kept = (":record:", ":board:", ":gone:")
        held = [name for name in names if table_id in name and not any(kind in name for kind in kept)]
        for name in names:
            kind = (await connection.command("TYPE", name)).decode()
            if kind == "zset" and await connection.command("ZSCORE", name, table_id) is not None:
                held.append(name)
            if kind == "string" and name.startswith("code:"):
                held += [name] if await connection.command("GET", name) == table_id.encode() else []
        return held
    finally:
        await connection.close()


def _by_engine(event: tables_pb2.TableEvent) -> bool:
    game: ct.Event = event.cheez_tricks
    return game.card_played.by_engine or game.trump_set.by_engine
