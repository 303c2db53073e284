"""The clock of a table, as the pure function of events that it is."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine_service.rules.game import Move, Question
from engine_service.rules.games.cheesy_heist.actions import DropAll, PlayCat
from engine_service.rules.games.cheesy_heist.options import Options as HeistOptions
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.shuffle import derived
from engine_service.tables import playing, seating
from engine_service.tables.games import game_of
from engine_service.tables.policy import Policy
from engine_service.tables.table import Sitter, Table, TableOptions
from engine_service.tables.timing import retimed
from tests.rules.cheesy_heist.tabletop import laid_out

POLICY = Policy(bot_min_ms=500, bot_max_ms=900)
MOVE_MS, BANK_MS = 10_000, 5_000


@pytest.fixture
def table() -> Table[Any, Any]:
    """Two people, ten seconds a move, five in the bank; seat 0 is asked at time 0."""
    options = TableOptions(Options(starting_seat=0), 2, 10, 5, allow_spectators=False, listed=False)
    seats = (Sitter("ann", "Ann"), Sitter("ben", "Ben"))
    key = derived(bytes(32), "test")
    empty: Table[Any, Any] = Table("00" + "a" * 18, "CODE", "cheez_tricks", options, key, 0, seats, host=0)
    return seating.start(empty, 0, 0, POLICY).table


def _asked(table: Table[Any, Any]) -> tuple[int | None, int | None]:
    (asked,) = table.asked
    return asked.seat, asked.due_ms


def _played(table: Table[Any, Any], seat: int, now_ms: int) -> Table[Any, Any]:
    game = game_of(table)
    offer = game.offers(table.state, seat)[0]
    return playing.move(table, Move(seat, offer.window, offer.choice), now_ms, POLICY).table


def _bank_ms(table: Table[Any, Any], seat: int) -> int:
    sitter = table.seats[seat]
    assert sitter is not None
    return sitter.bank_ms


def test_a_question_is_due_after_the_move_time_and_the_bank(table: Table[Any, Any]):
    assert _asked(table) == (0, MOVE_MS + BANK_MS)


def test_a_move_in_time_costs_nothing_of_the_bank(table: Table[Any, Any]):
    after = _played(table, 0, MOVE_MS)
    assert _bank_ms(after, 0) == BANK_MS
    assert _asked(after) == (1, 2 * MOVE_MS + BANK_MS)


def test_time_over_the_move_time_is_taken_from_the_bank(table: Table[Any, Any]):
    assert _bank_ms(_played(table, 0, MOVE_MS + 1_200), 0) == BANK_MS - 1_200


def test_who_goes_away_and_comes_back_has_what_was_left(table: Table[Any, Any]):
    """Four seconds of thought, a minute away, and the rest of the time; all of it is counted once."""
    away = seating.go_away(table, 0, left=True, now_ms=4_000, policy=POLICY).table
    assert _asked(away) == (0, 4_000)
    back = seating.come_back(away, 0, 64_000, POLICY).table
    assert _asked(back) == (0, 60_000 + MOVE_MS + BANK_MS)
    assert _bank_ms(_played(back, 0, 60_000 + MOVE_MS + 1_500), 0) == BANK_MS - 1_500


def test_going_away_twice_gains_nothing(table: Table[Any, Any]):
    for at in (3_000, 6_000):
        table = seating.go_away(table, 0, left=True, now_ms=at, policy=POLICY).table
        table = seating.come_back(table, 0, at, POLICY).table
    assert _asked(table) == (0, MOVE_MS + BANK_MS)


def test_time_up_before_its_time_does_nothing(table: Table[Any, Any]):
    early = playing.time_up(table, 0, table.asked[0].window, MOVE_MS + BANK_MS - 1, POLICY)
    assert early.events == () and early.table == table


def test_the_second_time_out_in_a_row_makes_a_seat_away_and_a_move_of_its_own_forgives_the_first(
    table: Table[Any, Any],
):
    def time_out(at: Table[Any, Any]) -> Table[Any, Any]:
        (asked,) = at.asked
        assert asked.due_ms is not None
        return playing.time_up(at, asked.seat, asked.window, asked.due_ms, POLICY).table

    def missed(at: Table[Any, Any]) -> tuple[int, bool]:
        sitter = at.seats[0]
        assert sitter is not None
        return sitter.missed, sitter.away

    once = time_out(table)
    assert missed(once) == (1, False)
    while once.asked[0].seat != 0:
        once = _played(once, 1, 20_000)
    forgiven = _played(once, 0, 20_000)
    assert missed(forgiven) == (0, False)
    assert missed(time_out(once)) == (0, True)


def test_a_bot_thinks_as_long_as_public_facts_say(table: Table[Any, Any]):
    """The same table, game, window and seat give the same time, whatever the hands are."""
    bots = replace(table, seats=(Sitter("ann", "Ann"), Sitter("", "Bot", bot="careful")))
    other = replace(bots, key=derived(bytes(32), "another"))
    times = set()
    for each in (bots, other):
        begun = seating.open_game(replace(each, game_number=0), 0, POLICY).table
        after = _played(begun, 0, 1_000)
        times.add(after.asked[0].due_ms)
    (due_ms,) = times
    assert due_ms is not None and 1_500 <= due_ms <= 1_900


REACTION_MS = 4_000


@pytest.fixture
def window() -> Table[Any, Any]:
    """A reaction window of four seconds for two people and a bot, a second a move, opened at time 0."""
    options = TableOptions(HeistOptions(), 3, 1, 5, allow_spectators=False, listed=False)
    people = (Sitter("ann", "Ann", bank_ms=BANK_MS), Sitter("ben", "Ben", bank_ms=BANK_MS))
    seats = (*people, Sitter("", "Bot", bot="careful"))
    key = derived(bytes(32), "test")
    table: Table[Any, Any] = Table("00" + "a" * 18, "CODE", "cheesy_heist", options, key, 0, seats, status="running")
    state = laid_out("XC", "m", "s")
    table = retimed(replace(table, state=state), game_of(table).actors(state), 0, POLICY)
    return playing.move(table, Move(0, state.window, PlayCat()), 0, POLICY).table


def _window_due_ms(table: Table[Any, Any]) -> dict[int | None, int | None]:
    return {asked.seat: asked.due_ms for asked in table.asked}


def test_nobody_is_answered_for_before_the_earliest_time(window: Table[Any, Any]):
    """However short a move's time is, and however fast a bot thinks; the bank comes after it."""
    person_ms = REACTION_MS + BANK_MS
    assert _window_due_ms(window) == {0: person_ms, 1: person_ms, 2: REACTION_MS, None: REACTION_MS}
    away = seating.go_away(window, 1, left=True, now_ms=0, policy=POLICY).table
    assert _window_due_ms(away)[1] == REACTION_MS


@pytest.mark.parametrize(("at_ms", "left_ms"), [(1_500, BANK_MS), (REACTION_MS, BANK_MS), (4_700, BANK_MS - 700)])
def test_the_earliest_time_costs_nothing_of_the_bank(window: Table[Any, Any], at_ms: int, left_ms: int):
    """It is longer than the time of a move, and belongs to everyone."""
    after = playing.move(window, Move(1, window.state.window, DropAll()), at_ms, POLICY).table
    assert _bank_ms(after, 1) == left_ms


@pytest.mark.parametrize(("move_seconds", "due_ms"), [(10, 20_000), (0, None)])
def test_seconds_of_a_question_hold_where_there_is_a_clock(
    table: Table[Any, Any], move_seconds: int, due_ms: int | None
):
    """What a seat is asked waits for it at a table without a clock; a pause lasts at every table."""
    table = replace(table, options=replace(table.options, move_seconds=move_seconds))
    questions = (Question(7, 0, seconds=20), Question(8, None, seconds=4))
    assert [asked.due_ms for asked in retimed(table, questions, 0, POLICY).asked] == [due_ms, 4_000]
