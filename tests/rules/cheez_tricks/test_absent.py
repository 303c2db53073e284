"""[CT 9] What is done for those who are not there."""

import pytest

from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.events import CardPlayed, TrumpSet

from .tabletop import BRIE, ROQUEFORT, SWISS, card, decided, laid_out, only, played, timed_out


@pytest.mark.parametrize(
    ("hand", "suit"),
    [("S1 S2 B8 B9 B10", BRIE), ("S9 S10 R1 R2 R3", ROQUEFORT), ("S1 R9 P9 B9", SWISS), ("R1 R2 P1 P2 B1", ROQUEFORT)],
)
def test_trump_is_what_the_hand_holds_most_of(hand: str, suit: int) -> None:
    """[CT 9.1] Number, not value; a tie falls to the first of Swiss, Roquefort, Parmesan, Brie."""
    table = laid_out([hand, "P3", "P4"], trump=None)
    assert timed_out(table) == (TrumpSet(suit, seat=0, by_engine=True),)


@pytest.mark.parametrize(
    ("hand", "led", "plays"),
    [
        ("R9 B2 P5", "", "B2"),
        ("S1 R9 B10", "", "R9"),
        ("S3 S2", "", "S2"),
        ("B4 P4 R4", "", "R4"),
        ("R9 R3 B1", "R5", "R3"),
        ("S1 P3 B2", "R5", "B2"),
        ("S9 S4", "R5", "S4"),
        ("S9 S4 P1", "S5", "S4"),
    ],
)
def test_card_is_the_lowest_legal_one_trump_last(hand: str, led: str, plays: str) -> None:
    """[CT 9.2] Trump is Swiss. Whoever must follow, follows; ties fall in the order of the cheeses."""
    table = laid_out([hand, "P9", "P8"]) if not led else played(laid_out([hand, "P8", led], starter=2), led)
    assert only(timed_out(table), CardPlayed).card == card(plays)


def test_everyone_sees_that_the_engine_did_it() -> None:
    """[CT 9.3] And that a player did what a player did."""
    hands = ["R9 B2", "R1 B1", "R2 B3"]
    for table, action in ((laid_out(hands), PlayCard(card("R9"))), (laid_out(hands, trump=None), ChooseTrump(BRIE))):
        for events, by_engine in ((timed_out(table), True), (decided(table, action), False)):
            assert [CHEEZ_TRICKS.seen(events[0], viewer).by_engine for viewer in (None, 0, 1, 2)] == [by_engine] * 4
