"""The scoring table of Cheez-Tricks: the rulebook's examples, its whole table, its tie-breaks, and what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez
from scoring_service.tables import cheez_tricks
from scoring_service.tables.game_table import FactsMalformed, PlayedRound


def facts(tricks: list[int], *captures: list[int]) -> cheez.RoundFacts:
    """Facts of a round: tricks by seat, then the seats that each cat caught."""
    return cheez.RoundFacts(tricks=tricks, captures=[cheez.Capture(seats=seats) for seats in captures])


def points(tricks: list[int], *captures: list[int]) -> list[int]:
    return list(cheez_tricks.score(facts(tricks, *captures)).points)


def places(*rounds: list[int]) -> list[int]:
    """Places after rounds of these points by seat."""
    return list(cheez_tricks.rank([PlayedRound(cheez.RoundFacts(), tuple(points)) for points in rounds]))


JERRY, PINKY, REMY, MINNIE = range(4)


def test_example_6() -> None:
    """Jerry: 3 tricks, no cat: 6. Pinky: 2 tricks, one cat: 2. Remy and Minnie: two cats each: nothing."""
    assert points([3, 2, 1, 4], [REMY, MINNIE], [PINKY, REMY], [MINNIE]) == [6, 2, 0, 0]


def test_example_7() -> None:
    """Jerry: 3 tricks, one cat: 3. Pinky: 3, none: 6. Remy: none of either: 0. Minnie: 4 tricks, all cats: 12."""
    assert points([3, 3, 0, 4], [JERRY, MINNIE], [MINNIE], [MINNIE]) == [3, 6, 0, 12]


@pytest.mark.parametrize(("cats", "worth"), [(0, 2), (1, 1), (2, 0), (3, 3)])
@pytest.mark.parametrize("tricks", range(13))
def test_the_number_of_cats_sets_what_a_trick_is_worth(cats: int, worth: int, tricks: int) -> None:
    captures = [[0] if index < cats else [] for index in range(3)]
    scored = cheez_tricks.score(facts([tricks, 0], *captures))
    assert scored.points == (tricks * worth, 0)
    assert list(scored.detail.cheez_tricks.points_per_trick) == [worth, 2]


def test_one_cat_and_one_seat_count_once() -> None:
    """A seat listed three times by the same cat is caught by one cat, not confused by three."""
    assert points([4, 6], [0, 0, 0], [], []) == [4, 12]


def test_which_cats_caught_a_seat_makes_no_difference() -> None:
    assert points([5, 5], [0], [0], []) == points([5, 5], [0], [], [0]) == points([5, 5], [], [0], [0]) == [0, 10]


@given(st.data())
def test_points_are_tricks_times_worth_whatever_the_order_of_cats_and_seats(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 5))
    tricks = data.draw(st.lists(st.integers(0, 2), min_size=seats, max_size=seats))
    captures = [data.draw(st.lists(st.integers(0, seats - 1))) for _ in range(3)]
    expected = [{0: 2, 1: 1, 2: 0, 3: 3}[sum(s in c for c in captures)] * tricks[s] for s in range(seats)]
    for order in (captures, captures[::-1], [sorted(c) for c in captures]):
        assert points(tricks, *order) == expected


def test_most_points_win() -> None:
    assert places([6, 2, 1, 12], [0, 3, 6, 0]) == [3, 4, 2, 1]


def test_equal_points_are_parted_by_the_best_single_round() -> None:
    """All have 12: seat 1 made 10 in one round, seat 0 and 2 no more than 8."""
    assert places([8, 10, 4], [4, 2, 8]) == [2, 1, 2]


def test_still_tied_shares_the_place_and_leaves_the_next_one_empty() -> None:
    assert places([4, 4, 1], [3, 3, 2]) == [1, 1, 3]
    assert places([9, 4, 4, 1], [0, 3, 3, 2]) == [1, 2, 2, 4]


def test_tie_breaks_hold_for_every_place_not_only_the_first() -> None:
    assert places([20, 5, 7, 0], [0, 5, 3, 0]) == [1, 3, 2, 4]


def test_nobody_has_points() -> None:
    assert places([0, 0], [0, 0]) == [1, 1]


@given(st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(st.integers(0, 36), min_size=n, max_size=n), min_size=1)))
def test_places_are_one_more_than_the_number_of_better_seats(rounds: list[list[int]]) -> None:
    merits = [(sum(seat), max(seat)) for seat in zip(*rounds, strict=True)]
    assert places(*rounds) == [1 + sum(other > merit for other in merits) for merit in merits]


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (facts([], [], [], []), "tricks"),
        (facts([10], [], [], []), "tricks"),
        (facts([2] * 6, [], [], []), "tricks"),
        (facts([-1, 10], [], [], []), "tricks"),
        (facts([7, 6], [], [], []), "tricks"),
        (facts([2**31 - 1, 0], [], [], []), "tricks"),
        (facts([5, 5], [], []), "captures"),
        (facts([5, 5], [], [], [], []), "captures"),
        (facts([5, 5], [0], [2], []), "captures[1].seats"),
        (facts([5, 5], [0], [], [-1]), "captures[2].seats"),
        (cheez.RoundFacts(), "tricks"),
    ],
)
def test_facts_that_no_round_has_are_refused_by_field(bad: cheez.RoundFacts, field: str) -> None:
    with pytest.raises(FactsMalformed) as refusal:
        cheez_tricks.score(bad)
    assert refusal.value.field == field
