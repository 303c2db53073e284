"""The rulebook's seven examples. Jerry, Pinky, Remy and Minnie sit clockwise in seats 0 to 3.

Example 3 names a fifth cheese, Gorgonzola: a slip, read as Roquefort.
"""

from collections.abc import Sequence

from engine_service.rules.games.cheez_tricks.events import TrickWon
from engine_service.rules.games.cheez_tricks.facts import RoundFacts
from engine_service.wire.registry import WIRES
from scoring_service.tables import cheez_tricks as scoring_table

from .tabletop import (
    JERRY,
    MINNIE,
    PINKY,
    REMY,
    SWISS,
    captures,
    caught,
    ended,
    events_of,
    laid_out,
    only,
    played,
    skipped,
    tricks,
)


def points(facts: RoundFacts) -> Sequence[int]:
    """Return what the scoring service makes of the facts of a round, by seat."""
    return scoring_table.score(WIRES["cheez_tricks"].facts_out(facts)).points


def test_example_1() -> None:
    """[CT 4.5] Jerry leads Brie 7, Brie 5 and Brie 2 follow and lose to Remy's Brie 9."""
    table = laid_out(["B7", "B5", "B9", "B2"], trump=SWISS, starter=JERRY)
    assert only(events_of(table, "B7 B5 B9 B2"), TrickWon).seat == REMY


def test_example_2() -> None:
    """[CT 4.5] Remy leads Parmesan 6; the higher Parmesan wins, not Jerry's Roquefort 9, for no trump was played."""
    table = laid_out(["R9", "B3", "P6", "P8"], trump=SWISS, starter=REMY)
    assert only(events_of(table, "P6 P8 R9 B3"), TrickWon).seat == MINNIE


def test_example_3() -> None:
    """[CT 4.6] Minnie leads Parmesan 1; of two trumps the higher wins, whatever else was thrown in."""
    table = laid_out(["R10", "S2", "S6", "P1"], trump=SWISS, starter=MINNIE)
    assert only(events_of(table, "P1 R10 S2 S6"), TrickWon).seat == REMY


def test_example_4() -> None:
    """[CT 6.1, 6.3, 6.4] Jerry wins trick 5, Remy takes the Roquefort 8, Remy and Minnie own two 6s each."""
    cats = ("black 5", "siamese R8", "grey 6s")
    table = laid_out(["S10 R1 B5", "S1 R2 B2", "S2 R9 B3", "S3 R8 B4"], cats=cats, starter=JERRY)
    table = skipped(table, {PINKY: tricks(2), REMY: ["S6 R6"], MINNIE: ["P6 B6"]})

    fifth = events_of(table, "S10 S1 S2 S3")
    assert captures(fifth) == [(0, (JERRY,))]

    table = skipped(played(table, "S10 S1 S2 S3"), {PINKY: tricks(3)})
    ninth = events_of(table, "R1 R2 R9 R8")
    assert captures(ninth) == [(1, (REMY,))]

    facts = ended(played(table, "R1 R2 R9 R8"), "B3 B4 B5 B2")
    assert caught(facts) == [(JERRY,), (REMY,), (REMY, MINNIE)]


def test_example_5() -> None:
    """[CT 6.2, 6.5, 6.6] Pinky is first to 2 tricks, only Minnie has no 3, Jerry and Minnie end with three tricks."""
    cats = ("white 2", "orange 3s", "tuxedo 3")
    table = laid_out(["S1 B1", "S9 B2", "S2 B5", "S4 B10"], cats=cats, starter=JERRY)
    table = skipped(table, {PINKY: ["P3"], REMY: ["R3"]})

    third = events_of(table, "S1 S9 S2 S4")
    assert captures(third) == [(0, (PINKY,))]

    table = skipped(played(table, "S1 S9 S2 S4"), {JERRY: ["B3", "", ""], MINNIE: tricks(2), REMY: tricks(1)})
    facts = ended(table, "B2 B5 B10 B1")
    assert facts.tricks == (3, 2, 2, 3)
    assert caught(facts) == [(PINKY,), (MINNIE,), (JERRY, MINNIE)]


def test_example_6() -> None:
    """[CT 8.1] Three tricks without a cat are 6 points, two with one cat 2; with two cats any number is nothing."""
    table = laid_out(["B1", "R8", "R1", "R2"], cats=("siamese R8", "grey 6s", "orange 3s"), starter=PINKY)
    table = skipped(table, {JERRY: ["S3", "", ""], PINKY: ["P3"], REMY: ["S6 R6", ""], MINNIE: ["P6 B6", "", ""]})
    facts = ended(table, "R8 R1 R2 B1")
    assert facts.tricks == (3, 2, 2, 3)
    assert caught(facts) == [(PINKY,), (REMY, MINNIE), (REMY, MINNIE)]
    assert points(facts) == (6, 2, 0, 0)


def test_example_7() -> None:
    """[CT 8.1] Minnie has four tricks and all three cats: 12 points; Jerry 3 x 1, Pinky 3 x 2, Remy none."""
    table = laid_out(["R1", "R2", "R3", "R8"], cats=("black 10", "siamese R8", "grey 6s"), starter=JERRY)
    table = skipped(table, {JERRY: ["S6", "", ""], PINKY: tricks(3), MINNIE: ["P6", "", ""]})
    facts = ended(table, "R1 R2 R3 R8")
    assert facts.tricks == (3, 3, 0, 4)
    assert caught(facts) == [(MINNIE,), (MINNIE,), (JERRY, MINNIE)]
    assert points(facts) == (3, 6, 0, 12)
