"""What every call of the SDK sends and gives back, against the product."""

import time
from contextlib import aclosing

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard.scoring.v1 import scoring_pb2
from cheeseboard_client import Cheeseboard, Step, move_of, new_request_id, table_options
from cheeseboard_client.errors import NotAllowedNow, RequestIdReused
from tests.support.players import play_out, seated
from tests.support.stack import Stack


async def test_open_tables_come_page_after_page(guest: Cheeseboard):
    """Newest first, each once, whatever the size of a page."""
    options = table_options(ct.Options(), 2, listed=True)
    created = [(await guest.create_table(options)).table_id for _ in range(3)]
    listed = [table.table_id async for table in guest.list_tables("cheez_tricks", page_size=1)]
    assert [table_id for table_id in listed if table_id in created] == created[::-1]
    assert {table.table_id for table in await guest.my_tables()} == set(created)
    for table_id in created:
        await guest.leave(table_id)


async def test_a_view_is_the_table_and_a_snapshot_where_to_go_on_from(guest: Cheeseboard):
    """As a watch begins; what happens after it comes as a step."""
    table_id = await seated([guest], bots=1, start=False)
    seen = await guest.snapshot(table_id)
    assert (seen.view, seen.sequence) == (await guest.view(table_id), seen.view.sequence)
    assert not seen.reset and not seen.missed and abs(seen.server_time.timestamp() - time.time()) < 60
    await guest.start(table_id)
    async with aclosing(guest.watch(table_id, resume_point=seen.resume_point)) as frames:
        step = await anext(frames)
    assert isinstance(step, Step) and step.events[0].sequence == seen.sequence + 1


async def test_a_table_is_joined_by_id_or_by_code(stack: Stack, guest: Cheeseboard):
    """However the code is written; who is seated keeps the seat."""
    table = await guest.create_table(table_options(ct.Options(), 3))
    async with Cheeseboard.connect(stack.engine_addresses) as other:
        await other.sign_in_guest("Pinky")
        code = f" {table.code[:3].lower()} {table.code[3:]}"
        seats = {(await other.join(named, seat=2)).seat for named in (code, table.table_id)}
    assert seats == {2}


async def test_a_repeated_call_with_the_same_id_has_one_effect(guest: Cheeseboard):
    """And the same id for something else is refused."""
    request_id = new_request_id()
    options = table_options(ct.Options(), 2)
    tables = {(await guest.create_table(options, request_id=request_id)).table_id for _ in range(3)}
    assert len(tables) == 1
    with pytest.raises(RequestIdReused):
        await guest.create_table(table_options(ct.Options(), 3), request_id=request_id)


async def test_a_move_is_an_offer_or_a_message_with_its_window(guest: Cheeseboard):
    """An offer brings its window; a message needs one named."""
    table_id = await seated([guest], bots=1, options=ct.Options(starting_seat=0))
    offer = (await guest.view(table_id)).prompt.offers[0]
    with pytest.raises(ValueError, match="window"):
        await guest.move(table_id, move_of(offer))
    with pytest.raises(NotAllowedNow):
        await guest.move(table_id, move_of(offer), window=offer.window + 1)
    answer = await guest.move(table_id, move_of(offer).cheez_tricks, window=offer.window)
    played = next(e for e in (await guest.record(table_id)).events if e.sequence == answer.sequence)
    assert played.cheez_tricks.card_played.card == offer.cheez_tricks.play_card.card


def test_what_is_no_move_and_no_options_is_refused_before_it_is_sent():
    """A message of something else, or an offer of a game that this release does not know."""
    with pytest.raises(TypeError):
        move_of(ct.Card())
    with pytest.raises(TypeError):
        table_options(ct.Card(), 2)
    with pytest.raises(ValueError, match="does not know"):
        move_of(tables_pb2.Offer(window=1))


async def test_scores_agree_with_the_table(guest: Cheeseboard):
    """Scoreboard, the scoring of its facts, and a player without rated games."""
    table_id = await seated([guest], bots=2)
    view = (await play_out(guest, table_id)).cheez_tricks
    board = await guest.scoreboard(table_id)
    assert list(board.places) == list(view.places)
    assert list(board.totals) == [seat.total for seat in view.seats]
    for score in board.rounds:
        assert (await guest.score_round(score.facts)).points == score.points
    assert (await guest.player()).standings == []
    assert [row async for row in guest.leaderboard("cheez_tricks", page_size=1)] == []


async def test_scores_need_a_scoring_address(stack: Stack):
    """Said at once, by an error of the caller's own making."""
    async with Cheeseboard.connect(stack.engine_addresses) as cheeseboard:
        with pytest.raises(ValueError, match="scoring_address"):
            await cheeseboard.score_round(scoring_pb2.RoundFacts())
