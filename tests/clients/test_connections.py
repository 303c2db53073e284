"""Lost answers, cut lines, killed engines, expiring tokens: one effect, no gap, nothing to do for the caller."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, suppress

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import (
    Cheeseboard,
    Frame,
    Interrupted,
    Patience,
    PlaySession,
    Snapshot,
    Step,
    channels,
    play,
    table_options,
    verify_deal,
)
from cheeseboard_client.errors import NotAllowedNow, TableNotFound, TokenExpired
from tests.clients.conftest import IMPATIENT
from tests.support.faulty_line import FaultyLine, faulty_line, faulty_lines
from tests.support.players import play_out, seated
from tests.support.stack import Stack
from tests.support.tokens import token


@pytest.fixture
async def line(stack: Stack) -> AsyncIterator[FaultyLine]:
    """A line to one engine that can be broken."""
    async with faulty_line(stack.engine_addresses[0]) as line:
        yield line


@pytest.fixture
async def remote(line: FaultyLine) -> AsyncIterator[Cheeseboard]:
    """A guest at the other end of the line."""
    async with Cheeseboard.connect(line.address, patience=IMPATIENT) as cheeseboard:
        await cheeseboard.sign_in_guest("Far")
        yield cheeseboard


async def test_a_write_whose_answer_is_lost_has_one_effect(line: FaultyLine, remote: Cheeseboard):
    """The engine did it, the answer never came: the repeat gets the same answer."""
    line.swallows = True
    creating = asyncio.create_task(remote.create_table(table_options(ct.Options(), 2)))
    await line.swallowed.wait()
    await asyncio.sleep(0.3)  # Time for the engine to have done it.
    line.swallows = False
    line.cut()
    table_id = (await creating).table_id
    assert [table.table_id for table in await remote.my_tables()] == [table_id]


async def test_a_lost_move_is_not_played_twice(line: FaultyLine, remote: Cheeseboard):
    """One event in the record for it."""
    table_id = await seated([remote], bots=1, options=ct.Options(starting_seat=0))
    offer = (await remote.view(table_id)).prompt.offers[0]
    line.swallows = True
    moving = asyncio.create_task(remote.move(table_id, offer))
    await line.swallowed.wait()
    await asyncio.sleep(0.3)
    line.swallows = False
    line.cut()
    answer = await moving
    played = [event for event in (await remote.record(table_id)).events if event.cheez_tricks.card_played.card.value]
    mine = [event for event in played if event.cheez_tricks.card_played.seat == 0]
    assert [event.sequence for event in mine] == [answer.sequence]


async def test_a_watched_game_has_no_gap_however_often_the_line_is_cut(line: FaultyLine, remote: Cheeseboard):
    """Every event comes once and in order, and nothing is concluded from an end."""
    table_id = await seated([remote], bots=2)
    told, cuts = await _played_while_cutting(line, _frames_and_moves(remote, table_id))
    assert cuts >= 3
    await _assert_whole(remote, table_id, told)


async def test_a_session_over_one_stream_has_no_gap_either(line: FaultyLine, remote: Cheeseboard):
    """Moves and frames share the stream that breaks."""
    table_id = await seated([remote], bots=2)
    told, cuts = await _played_while_cutting(line, _session(remote, table_id))
    assert cuts >= 3
    await _assert_whole(remote, table_id, told)


async def test_a_session_that_is_not_read_still_moves_and_misses_nothing(
    guest: Cheeseboard, monkeypatch: pytest.MonkeyPatch
):
    """Unread frames are not piled up without end: watching stops, and resumes when they are read."""
    monkeypatch.setattr(play, "UNREAD_FRAMES", 4)
    table_id = await seated([guest], bots=1)
    told: list[int] = []
    async with guest.play(table_id) as session:
        async for frame in _frames_and_moves(guest, table_id, by=session):
            assert session._frames.qsize() <= 4 or isinstance(frame, Interrupted)
        last = (await guest.record(table_id)).events[-1].sequence
        async for frame in session:
            if isinstance(frame, Snapshot | Step):
                told += [frame.sequence] if isinstance(frame, Snapshot) else [event.sequence for event in frame.events]
                if frame.sequence == last:
                    break
    await _assert_whole(guest, table_id, told)


async def test_a_move_that_is_given_up_leaves_its_session_as_it_was(guest: Cheeseboard):
    """Wherever the call is when it is cancelled: the stream goes on, and the same request gets the one answer."""
    table_id = await seated([guest], bots=1)
    told: list[int] = []
    async with guest.play(table_id, include_view=True) as session:
        async for frame in session:
            assert not isinstance(frame, Interrupted), frame
            if isinstance(frame, Snapshot | Step):
                told += [frame.sequence] if isinstance(frame, Snapshot) else [event.sequence for event in frame.events]
            if _over(frame):
                break
            if offer := _offer(frame):
                moving = asyncio.create_task(session.move(offer, request_id=f"move-{offer.window}"))
                for _ in range(offer.window % 8):
                    await asyncio.sleep(0)
                moving.cancel()
                with suppress(NotAllowedNow):
                    await session.move(offer, request_id=f"move-{offer.window}")
    await _assert_whole(guest, table_id, told)


async def test_whoever_watches_is_told_of_a_loss_and_gets_what_was_missed(line: FaultyLine, guest: Cheeseboard):
    """While the line is down, others play on."""
    table_id = await seated([guest], bots=1)
    async with (
        Cheeseboard.connect(line.address, token=guest.token, patience=IMPATIENT) as far,
        aclosing(far.watch(table_id)) as frames,
    ):
        first = await anext(frames)
        assert isinstance(first, Snapshot)
        line.cut()
        assert isinstance(await anext(frames), Interrupted)
        await play_out(guest, table_id)
        async for frame in frames:
            if isinstance(frame, Step):
                assert frame.events[0].sequence == first.sequence + 1
                break


@pytest.fixture
def patient_grpc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have gRPC wait for an hour before it connects again."""
    hours = {"grpc.initial_reconnect_backoff_ms": 3_600_000, "grpc.max_reconnect_backoff_ms": 3_600_000}
    monkeypatch.setattr(channels, "OPTIONS", tuple({**dict(channels.OPTIONS), **hours}.items()))


async def test_a_replica_is_reached_as_soon_as_it_is_back(patient_grpc: None, line: FaultyLine, remote: Cheeseboard):
    """In a roll-out the next replica is stopped the moment the one before it serves: gRPC's back-off is too long."""
    table_id = await seated([remote], bots=1)
    async with aclosing(remote.watch(table_id)) as frames:
        await anext(frames)
        line.refuses = True
        line.cut()
        assert isinstance(await anext(frames), Interrupted)
        viewing = asyncio.create_task(remote.view(table_id))
        while line.calls < 2:
            await asyncio.sleep(0.01)
        line.refuses = False
        assert (await viewing).table_id == table_id
        while isinstance(frame := await anext(frames), Interrupted):
            pass
        assert isinstance(frame, Snapshot | Step)


async def test_a_move_that_a_stream_does_not_answer_goes_another_way(stack: Stack, guest: Cheeseboard):
    """A line may die without a word under a session too: a move waits for it no longer than for a call of its own."""
    table_id = await seated([guest], bots=1, options=ct.Options(starting_seat=0))
    async with (
        faulty_lines(stack.engine_addresses) as lines,
        Cheeseboard.connect([line.address for line in lines], token=guest.token, patience=IMPATIENT) as far,
        far.play(table_id, include_view=True) as session,
    ):
        offer = _offer(await anext(session))
        assert offer is not None
        (used,) = [line for line in lines if line.connections]
        used.swallows = True
        answer = await session.move(offer)
    record = await guest.record(table_id)
    assert answer.sequence in [event.sequence for event in record.events]
    mine = [event for event in record.events if event.cheez_tricks.card_played.card.value]
    assert [event.sequence for event in mine if event.cheez_tricks.card_played.seat == 0] == [answer.sequence]


async def test_a_session_gets_past_a_replica_that_never_speaks(stack: Stack, guest: Cheeseboard):
    """A move is given up before gRPC gives up connecting: what waits to be written there holds nothing up."""
    table_id = await seated([guest], bots=1, options=ct.Options(starting_seat=0))
    offer = (await guest.view(table_id)).prompt.offers[0]
    async with faulty_line(stack.engine_addresses[0]) as line:
        line.swallows = True
        addresses = [line.address, stack.engine_addresses[1]]
        async with Cheeseboard.connect(addresses, token=guest.token, patience=IMPATIENT) as far:
            far._engine.replicas._at = 0
            async with far.play(table_id) as session:
                while not line.calls:
                    await asyncio.sleep(0.01)
                answer = await session.move(offer)
                while isinstance(frame := await anext(session), Interrupted):
                    pass
    assert isinstance(frame, Snapshot)
    mine = [event for event in (await guest.record(table_id)).events if event.cheez_tricks.card_played.card.value]
    assert [event.sequence for event in mine if event.cheez_tricks.card_played.seat == 0] == [answer.sequence]


async def test_a_silent_stream_is_taken_for_lost(line: FaultyLine, guest: Cheeseboard):
    """A line may die without a word: then signs of life stay out."""
    table_id = await seated([guest], bots=1, start=False)
    patience = Patience(total=5, first_pause=0.02, silence=0.5)
    async with (
        Cheeseboard.connect(line.address, token=guest.token, patience=patience) as far,
        aclosing(far.watch(table_id)) as frames,
    ):
        await anext(frames)
        line.swallows = True
        assert isinstance(await anext(frames), Interrupted)
        line.swallows = False
        line.cut()
        await guest.start(table_id)
        assert isinstance(await _next(frames, Step), Step)


async def test_another_engine_takes_over_when_one_is_killed(stack: Stack, guest: Cheeseboard):
    """Whoever plays and watches notices nothing but a moment's pause, while either engine is gone."""
    table_id = await seated([guest], bots=4)
    told: list[int] = []
    playing = asyncio.create_task(_note(_frames_and_moves(guest, table_id, seconds_a_move=0.1), told))
    for engine in stack.engines:
        await _more(told, 5)
        engine.kill()
        try:
            await _more(told, 12)
            assert not playing.done()
        finally:
            await asyncio.to_thread(engine.start)
    await playing
    await _assert_whole(guest, table_id, told)


async def test_one_wrong_address_among_several_does_not_hurt(stack: Stack):
    """Whichever is tried first."""
    for _ in range(4):
        addresses = ["127.0.0.1:1", *stack.engine_addresses]
        async with Cheeseboard.connect(addresses, patience=IMPATIENT) as cheeseboard:
            await cheeseboard.sign_in_guest("Lucky")
            assert await cheeseboard.list_games()


async def test_a_refusal_ends_a_watch_and_a_session(guest: Cheeseboard):
    """Time would not heal it."""
    with pytest.raises(TableNotFound):
        await anext(guest.watch("00" + "a" * 18))
    async with guest.play("00" + "a" * 18) as session:
        with pytest.raises(TableNotFound):
            await anext(session)
        with pytest.raises(TableNotFound):
            await session.move(ct.Move(play_card=ct.PlayCard()), window=1)


async def test_an_expired_token_is_renewed_by_its_source(stack: Stack):
    """For calls and for watching; without a source the expiry is told."""
    asked: list[str] = []

    async def fresh() -> str:
        asked.append(token("Renata", seconds=2 if len(asked) < 2 else 3600))
        return asked[-1]

    async with Cheeseboard.connect(stack.engine_addresses, token_source=fresh, patience=IMPATIENT) as cheeseboard:
        table_id = await seated([cheeseboard], bots=1, start=False)
        async with aclosing(cheeseboard.watch(table_id)) as frames:
            await anext(frames)
            await asyncio.sleep(3)
            await cheeseboard.start(table_id)
            assert isinstance(await _next(frames, Step), Step)
        assert len(asked) > 1
    async with Cheeseboard.connect(stack.engine_addresses, token=asked[0], patience=IMPATIENT) as expired:
        with pytest.raises(TokenExpired):
            await expired.my_tables()


async def test_a_guest_stays_the_same_player_when_renewed(guest: Cheeseboard):
    """Well before the token expires, at the next call."""
    table_id = await seated([guest], bots=1, start=False)
    before = guest.token
    guest._credentials.renew_at = time.time() - 1
    await asyncio.sleep(1)  # Tokens are issued for whole seconds.
    assert [table.table_id for table in await guest.my_tables()] == [table_id]
    assert guest.token != before


async def test_a_backend_acts_for_its_players(stack: Stack):
    """Two players on the platform's own token and connections, each in a seat of its own."""
    service = token("backend", scope="service")
    async with Cheeseboard.connect(stack.engine_addresses, stack.scoring_addresses, token=service) as backend:
        one, two = backend.acting_for("p1", "Pinky"), backend.acting_for("p2", "Brain")
        table_id = (await one.create_table(table_options(ct.Options(), 2))).table_id
        await two.join(table_id)
        seats = (await one.view(table_id)).seats
        assert [seat.player.display_name for seat in seats] == ["Pinky", "Brain"]
        assert len({seat.player.player_id for seat in seats}) == 2


async def test_more_streams_than_a_connection_carries(stack: Stack, guest: Cheeseboard):
    """A hundred and twenty watchers in one client, all served: further channels open by themselves."""
    table_id = await seated([guest], bots=1, start=False)
    async with (
        Cheeseboard.connect(stack.engine_addresses[0], token=token("backend", scope="service")) as backend,
        AsyncExitStack() as exits,
    ):
        for number in range(120):
            watch = backend.acting_for(f"w{number}", f"Watcher {number}").watch(table_id)
            frames = await exits.enter_async_context(aclosing(watch))
            assert isinstance(await asyncio.wait_for(anext(frames), 10), Snapshot)


async def _more(told: list[int], events: int) -> None:
    """Wait until so many more events were told."""
    target = len(told) + events
    async with asyncio.timeout(10):
        while len(told) < target:
            await asyncio.sleep(0.01)


async def _frames_and_moves(
    cheeseboard: Cheeseboard, table_id: str, seconds_a_move: float = 0.0, by: PlaySession | None = None
) -> AsyncIterator[Frame]:
    """Play by first offers until the game is over; yield what is watched."""
    async with aclosing(cheeseboard.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            yield frame
            if _over(frame):
                return
            if offer := _offer(frame):
                await asyncio.sleep(seconds_a_move)
                with suppress(NotAllowedNow):
                    await (by.move(offer) if by else cheeseboard.move(table_id, offer))


async def _session(cheeseboard: Cheeseboard, table_id: str) -> AsyncIterator[Frame]:
    """The same over one stream."""
    async with cheeseboard.play(table_id, include_view=True) as session:
        async for frame in session:
            yield frame
            if _over(frame):
                return
            if offer := _offer(frame):
                with suppress(NotAllowedNow):
                    await session.move(offer)


def _over(frame: Frame) -> bool:
    view = frame.view if isinstance(frame, Snapshot | Step) else None
    return view is not None and view.status == tables_pb2.TABLE_STATUS_FINISHED


def _offer(frame: Frame) -> tables_pb2.Offer | None:
    view = frame.view if isinstance(frame, Snapshot | Step) else None
    return view.prompt.offers[0] if view is not None and view.prompt.offers else None


async def _note(frames: AsyncIterator[Frame], told: list[int]) -> None:
    """Note the numbers of all events; a later snapshot shows the table where it was left."""
    async for frame in frames:
        if isinstance(frame, Snapshot):
            told += [frame.sequence] if not told else []
            assert frame.sequence == told[-1]
        elif isinstance(frame, Step):
            told += [event.sequence for event in frame.events]


async def _played_while_cutting(line: FaultyLine, frames: AsyncIterator[Frame]) -> tuple[list[int], int]:
    told: list[int] = []
    playing, cuts = asyncio.create_task(_note(frames, told)), 0
    while not playing.done():
        before = len(told)
        while len(told) < before + 15 and not playing.done():
            await asyncio.sleep(0.005)
        if not playing.done():
            line.cut()
            cuts += 1
    await playing
    return told, cuts


async def _assert_whole(cheeseboard: Cheeseboard, table_id: str, told: list[int]) -> None:
    """The numbers are those of the record, and what they tell is a game."""
    record = await cheeseboard.record(table_id)
    last = record.events[-1].sequence
    assert told == list(range(told[0], last + 1))
    assert verify_deal(record.options, record.events)


async def _next(frames: AsyncIterator[Frame], kind: type) -> Frame:
    async with asyncio.timeout(10):
        async for frame in frames:
            if isinstance(frame, kind):
                return frame
    raise AssertionError("a watch does not end by itself")
