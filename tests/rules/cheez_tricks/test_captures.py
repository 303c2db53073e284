"""[CT 6] Whom each kind of cat catches, and when."""

from collections.abc import Mapping, Sequence

import pytest

from engine_service.rules.games.cheez_tricks.events import CatDecided, RoundPlayed, TrickWon
from engine_service.rules.games.cheez_tricks.state import State

from .tabletop import FAR_CATS, captures, caught, ended, events_of, laid_out, only, played, skipped, tricks


def test_black_catches_who_wins_the_trick() -> None:
    """[CT 6.1] The third trick, not the third trick of one seat."""
    table = laid_out(["S5 R5", "S1 R1", "S2 R2"], cats=("black 3", *FAR_CATS[1:]))
    table = skipped(table, {1: tricks(1)})
    assert captures(events_of(table, "S5 S1 S2")) == []
    table = played(table, "S5 S1 S2")
    assert captures(events_of(table, "R5 R1 R2")) == [(0, (0,))]


def test_white_catches_the_first_to_win_as_many() -> None:
    """[CT 6.2] Only the first, however many others follow."""
    table = laid_out(["S1 R5", "S5 R1", "S2 R2"], cats=("white 2", *FAR_CATS[1:]))
    table = skipped(table, {0: tricks(1), 1: tricks(1)})
    assert captures(events_of(table, "S1 S5 S2")) == [(0, (1,))]
    assert captures(events_of(table, "S1 S5 S2 R1 R2 R5")) == [(0, (1,))]


def test_siamese_catches_who_takes_the_card() -> None:
    """[CT 6.3] Whoever played it."""
    table = laid_out(["S5", "S1", "S2"], cats=("siamese S1", *FAR_CATS[1:]))
    assert captures(events_of(table, "S5 S1 S2")) == [(0, (0,))]


LAST = "B1 B2 B9 S10"
"""A last trick whose cards matter to no cat here; seat 3 wins it."""


def round_of(cats: Sequence[str], won: Mapping[int, Sequence[str]], starter: int = 0) -> State:
    """Return a round of four before its last trick."""
    return skipped(laid_out(LAST.split(), cats=cats, starter=starter), won)


@pytest.mark.parametrize(
    ("cat", "seats"), [("grey 6s", (1,)), ("grey Parmesan", (2,)), ("grey tricks", (0,)), ("grey 5s", (1,))]
)
def test_grey_catches_who_owns_the_most(cat: str, seats: tuple[int, ...]) -> None:
    """[CT 6.4] Of a value, of a cheese, or tricks; only among cards won."""
    won = {0: ["", "", "", "", "P1"], 1: ["S6 R6 B6 S5", ""], 2: ["P2 P6 P3"]}
    table = round_of((cat, *FAR_CATS[1:]), {**won, 3: [""]})
    assert caught(ended(table, LAST))[0] == seats


@pytest.mark.parametrize(
    ("cat", "seats"), [("orange 6s", (2,)), ("orange Parmesan", (0,)), ("orange tricks", (1,)), ("orange 3s", (3,))]
)
def test_orange_catches_who_owns_the_least(cat: str, seats: tuple[int, ...]) -> None:
    """[CT 6.5] Of a value, of a cheese, or tricks."""
    won = {0: ["S6 R3", "R6", ""], 1: ["B6 P1 S3"], 2: ["P2 P4 P3", "", ""], 3: ["P6 P7", ""]}
    table = round_of((cat, *FAR_CATS[1:]), won)
    assert caught(ended(table, LAST))[0] == seats


@pytest.mark.parametrize(("cat", "seat"), [("tuxedo 4", 1), ("tuxedo 0", 2), ("tuxedo 1", 3), ("tuxedo 5", 0)])
def test_tuxedo_catches_who_won_exactly_as_many(cat: str, seat: int) -> None:
    """[CT 6.6] The last trick counts, and none is a number too."""
    table = round_of((cat, *FAR_CATS[1:]), {0: tricks(5), 1: tricks(4)})
    assert caught(ended(table, LAST))[0] == (seat,)


def test_ties_catch_everyone_who_ties() -> None:
    """[CT 6.7] For the most, for the least, for the number."""
    won = {0: ["S6", "", ""], 1: ["R6", "", ""], 2: ["P6"], 3: ["", ""]}
    facts = ended(round_of(("grey tricks", "orange 6s", "tuxedo 3"), won), LAST)
    assert caught(facts) == [(0, 1, 3), (3,), (0, 1, 3)]
    facts = ended(round_of(("grey 6s", "orange Parmesan", "tuxedo 1"), won), LAST)
    assert caught(facts) == [(0, 1, 2), (0, 1, 3), (2,)]


def test_cats_of_the_moment_catch_at_once_in_the_order_they_lie() -> None:
    """[CT 6.8] One trick can wake all three; the captures follow the trick in one step."""
    hands = ["S9 B1", "S1 B2", "S2 B3"]
    events = events_of(laid_out(hands, cats=("siamese S1", "black 1", "white 1")), "S9 S1 S2")
    assert events[-4:] == [TrickWon(1, 0), CatDecided(0, (0,)), CatDecided(1, (0,)), CatDecided(2, (0,))]
    other_order = laid_out(hands, cats=("white 1", "siamese S2", "black 1"))
    table = played(other_order, "S9 S1 S2")
    assert [(each.caught, each.decided) for each in table.cats] == [((0,), True)] * 3


def test_at_once_is_decided_once() -> None:
    """[CT 6.8] A cat that has caught its seat is done: it catches nobody else."""
    table = played(laid_out(["S9 B1", "S1 B2", "S2 B9"], cats=("white 1", "black 1", "grey tricks")), "S9 S1 S2")
    assert captures(events_of(table, "B1 B2 B9")) == []


def test_grey_of_what_nobody_owns_catches_nobody() -> None:
    """[CT 6.9] With two players all cards of a value can be set aside or lie in no trick."""
    table = skipped(laid_out(["B1", "B2"], cats=("grey 5s", "grey Swiss", "grey tricks")), {0: ["R1 R2"] * 9})
    assert caught(ended(table, "B1 B2")) == [(), (), (0,)]


def test_orange_of_what_nobody_owns_catches_everyone() -> None:
    """[CT 6.10] None is the least; all who own none tie."""
    table = skipped(laid_out(["B1", "B2"], cats=("orange 5s", "orange Brie", "orange tricks")), {1: ["R1 R2"] * 9})
    assert caught(ended(table, "B1 B2")) == [(0, 1), (0,), (0,)]


def test_cats_of_the_end_come_after_the_last_trick() -> None:
    """[CT 6.11] In the order they lie, after those of the moment; seats clockwise from the starting player."""
    won = {0: ["", "", ""], 1: ["", "", ""], 2: [""], 3: ["", ""]}
    table = round_of(("grey tricks", "black 10", "tuxedo 3"), won, starter=3)
    events = events_of(table, "S10 B1 B2 B9")
    assert events[-5] == TrickWon(10, 3)
    assert captures(events) == [(1, (3,)), (0, (3, 0, 1)), (2, (3, 0, 1))]
    facts = only(events, RoundPlayed).facts
    assert facts.tricks == (3, 3, 1, 3)
    assert caught(facts) == [(3, 0, 1), (3,), (3, 0, 1)]


def test_nobody_is_caught_where_nobody_meets_the_condition() -> None:
    """[CT 6.12] The siamese cat's card set aside, a number that nobody reached: decided at the end, with nobody."""
    cats = ("siamese S7", "white 10", "tuxedo 6")
    table = skipped(laid_out(["B1", "B2"], cats=cats, set_aside="S7"), {0: tricks(9)})
    events = events_of(table, "B1 B2")
    assert captures(events) == [(0, ()), (1, ()), (2, ())]
    assert caught(only(events, RoundPlayed).facts) == [(), (), ()]


def test_one_cat_counts_once_for_one_seat() -> None:
    """[CT 6.13] However much more than the others it owns."""
    table = round_of(("grey 6s", "grey tricks", "black 2"), {0: ["S6 R6 B6 P6", *tricks(8)]})
    facts = ended(table, LAST)
    assert caught(facts) == [(0,), (0,), ()]
