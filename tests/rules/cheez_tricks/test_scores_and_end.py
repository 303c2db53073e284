"""[CT 8] Scores, the end of a game, and the next one."""

from dataclasses import replace as copied

import pytest
from msgspec.structs import replace

from engine_service.rules.game import IllegalMove, RecordScores
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.events import (
    DealRevealed,
    GameEnded,
    GameStarted,
    RoundScored,
    RoundStarted,
)
from engine_service.rules.games.cheez_tricks.facts import Capture, RoundFacts, ScoreDetail
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.state import Phase, SeatScore, State
from engine_service.wire.registry import WIRES
from scoring_service.tables import cheez_tricks as scoring_table
from scoring_service.tables.game_table import PlayedRound
from tests.rules.kits.cheez_tricks import points, score
from tests.rules.walks import Step, ended, evolved, walk

from .tabletop import asked, cat, only

WAITING_AFTER = 41
"""Steps of a game of four until the scores of round 1 are awaited: its beginning and forty cards."""


def waiting(options: Options | None = None) -> tuple[State, RecordScores]:
    """Return a game of four that waits for the scores of round 1, and those scores."""
    step = list(walk(CHEEZ_TRICKS, options or Options(starting_seat=0), 4, bytes(32)))[WAITING_AFTER - 1]
    round_over = ended(CHEEZ_TRICKS, step.log)
    assert round_over is not None and isinstance(step.state, State)
    return step.state, score(step.state, round_over)


def test_points_per_trick() -> None:
    """[CT 8.1] The scoring service's table and the tests' own agree on none, one, two and three cats."""
    captures = tuple(Capture(cat(f"black {n}"), seats) for n, seats in enumerate([(1, 2, 3), (2, 3), (3,)], 1))
    facts = RoundFacts(tricks=(3, 3, 3, 1), captures=captures)
    scored = scoring_table.score(WIRES["cheez_tricks"].facts_out(facts))
    assert tuple(scored.points) == points(facts)[0] == (6, 3, 0, 3)
    assert WIRES["cheez_tricks"].detail_in(scored.detail.cheez_tricks) == ScoreDetail((2, 1, 0, 3))


def test_facts_are_those_of_the_round() -> None:
    """[CT 8.1] Tricks and captures as everyone saw them; whether it is the last round."""
    for step in walk(CHEEZ_TRICKS, Options(), 3, bytes(32)):
        if round_over := ended(CHEEZ_TRICKS, step.events):
            assert round_over.facts.tricks == step.state.won
            assert [capture.seats for capture in round_over.facts.captures] == [c.caught for c in step.state.cats]
            assert all(each.decided for each in step.state.cats)
            assert (round_over.round, round_over.last) == (step.state.round, step.state.round == 3)


def test_the_game_waits_for_scores() -> None:
    """[CT 8.2] Nobody is asked until they come; they are written down as they came, seat by seat."""
    state, scores = waiting()
    assert asked(state) is None
    after = evolved(CHEEZ_TRICKS, state, CHEEZ_TRICKS.decide(state, scores))
    assert asked(after) == after.trump_chooser
    assert (after.round, after.totals) == (2, scores.totals)
    seats = zip(state.won, scores.detail.points_per_trick, scores.points, strict=True)
    caught = [sum(seat in each.caught for each in state.cats) for seat in range(4)]
    expected = [SeatScore(won, cats, worth, got) for (won, worth, got), cats in zip(seats, caught, strict=True)]
    assert list(after.scored[0].seats) == expected
    assert after.scored[0].cats == state.cats


def test_scores_open_the_deal_and_begin_the_next_round() -> None:
    """[CT 8.2] In this order: scored, revealed, started, dealt."""
    state, scores = waiting()
    kinds = [type(event).__name__ for event in CHEEZ_TRICKS.decide(state, scores)]
    assert kinds == ["RoundScored", "DealRevealed", "RoundStarted", "CardsDealt"]


def test_scores_come_once_and_in_their_round() -> None:
    """[CT 8.2] Of another round, or when none are awaited: refused."""
    state, scores = waiting()
    after = evolved(CHEEZ_TRICKS, state, CHEEZ_TRICKS.decide(state, scores))
    for table, late in ((state, replace(scores, round=2)), (after, scores), (after, replace(scores, round=2))):
        with pytest.raises(IllegalMove, match="WINDOW_CLOSED"):
            CHEEZ_TRICKS.decide(table, late)


def last_step(seed: bytes = bytes(32)) -> Step:
    return list(walk(CHEEZ_TRICKS, Options(), 4, seed))[-1]


def test_the_last_scores_end_the_game() -> None:
    """[CT 8.3] With places in the place of a next round; nobody is asked any more."""
    step = last_step()
    assert [type(event) for event in step.events] == [RoundScored, DealRevealed, GameEnded]
    assert CHEEZ_TRICKS.is_over(step.state)
    assert asked(step.state) is None
    assert step.state.phase is Phase.OVER
    best = max(step.state.totals)
    assert all(step.state.totals[seat] == best for seat, place in enumerate(step.state.places) if place == 1)


def places(*rounds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the scoring service's places after rounds with these points by seat."""
    played = [PlayedRound(WIRES["cheez_tricks"].facts_out(RoundFacts((), ())), each) for each in rounds]
    return tuple(scoring_table.rank(played))


def test_ties_fall_to_the_highest_single_round() -> None:
    """[CT 8.4] For every place, not the first alone."""
    assert places((6, 3, 4, 1), (0, 3, 0, 3)) == (1, 2, 3, 4)
    assert places((9, 4, 2, 1), (0, 0, 2, 2)) == (1, 2, 3, 4)


def test_who_still_ties_shares_the_place() -> None:
    """[CT 8.5] And the next one is left out."""
    assert places((5, 1, 5, 0), (1, 5, 1, 0)) == (1, 1, 1, 4)
    assert places((4, 4, 2, 2), (0, 0, 1, 1)) == (1, 1, 3, 3)


def test_places_are_told_as_they_come() -> None:
    """[CT 8.5] The engine adds nothing of its own: what the scores say is what everyone sees."""
    step = last_step()
    assert step.before is not None and isinstance(step.command, RecordScores)
    shared = replace(step.command, places=(1, 1, 3, 3))
    after = evolved(CHEEZ_TRICKS, step.before, CHEEZ_TRICKS.decide(step.before, shared))
    assert [CHEEZ_TRICKS.view(after, viewer).places for viewer in (None, 0, 3)] == [(1, 1, 3, 3)] * 3


def test_a_rematch_is_a_new_game() -> None:
    """[CT 8.6] From its own seed alone: all cats again, trump drawn, nobody has points."""
    games = [evolved(CHEEZ_TRICKS, None, CHEEZ_TRICKS.setup(Options(), 4, seed)) for seed in (bytes(32), b"1" * 32)]
    for state in games:
        assert (state.totals, state.scored, state.discards, state.trump_chooser) == ((0,) * 4, (), (), None)
        assert state.trump is not None
    assert games[0].hands != games[1].hands
    first = CHEEZ_TRICKS.setup(Options(), 4, bytes(32))
    assert only(first, GameStarted).rounds == 4
    assert only(first, RoundStarted).round == 1
    assert copied(CHEEZ_TRICKS).setup(Options(), 4, bytes(32)) == first
