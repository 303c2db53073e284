"""[CT 4] Leading, following, winning; and the refusals that go with them."""

import pytest

from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.events import CardPlayed, RoundPlayed, TrickWon
from engine_service.rules.games.cheez_tricks.options import Options
from tests.rules.walks import walk

from .tabletop import BRIE, HAND, SWISS, asked, card, cards, events_of, laid_out, may_play, only, played, refusal


def test_any_card_may_be_led() -> None:
    """[CT 4.1] Trump too."""
    table = laid_out(["S1 R5 B9", "S2 R2 B2", "S3 R3 B3"], trump=SWISS)
    assert may_play(table) == set(cards("S1 R5 B9"))


def test_the_cheese_led_must_be_followed() -> None:
    """[CT 4.2] With one of it in hand nothing else is offered, and another card is refused, trump too."""
    table = played(laid_out(["R5", "S2 R2 R9 B2", "S3"], trump=SWISS), "R5")
    assert may_play(table) == set(cards("R2 R9"))
    for other in ("S2", "B2"):
        refused = refusal(table, 1, PlayCard(card(other)))
        assert (refused.reason, refused.facts) == ("MUST_FOLLOW_SUIT", {"suit": "Roquefort"})


def test_who_has_none_plays_any_card() -> None:
    """[CT 4.3] Trump or not."""
    table = played(laid_out(["R5", "S2 P2 B2", "S3"], trump=SWISS), "R5")
    assert may_play(table) == set(cards("S2 P2 B2"))


def test_one_card_each_clockwise() -> None:
    """[CT 4.4] From the leader on, over the end of the seats; nobody out of turn, nobody twice."""
    table = laid_out(["S1 R1", "S2 R2", "S3 R3", "S4 R4"], starter=2)
    turns = [asked(played(table, plays)) for plays in ("", "S3", "S3 S4", "S3 S4 S1")]
    assert turns == [2, 3, 0, 1]
    refused = refusal(played(table, "S3"), 2, PlayCard(card("R3")))
    assert (refused.reason, refused.facts) == ("NOT_YOUR_TURN", {"asked_seat": 3, "window": 2})


@pytest.mark.parametrize(("plays", "winner"), [("R5 R6 R4", 1), ("R6 R5 B9", 0), ("R1 P9 B9", 0), ("R2 B9 R3", 2)])
def test_highest_of_the_cheese_led_wins(plays: str, winner: int) -> None:
    """[CT 4.5] Other cheeses count for nothing, however high."""
    table = laid_out(plays.split(), trump=SWISS)
    assert only(events_of(table, plays), TrickWon) == TrickWon(1, winner)


@pytest.mark.parametrize(
    ("plays", "winner"), [("R9 S1 R8", 1), ("R9 S1 S2", 2), ("S3 R9 S4", 2), ("S3 R9 B9", 0), ("B9 S2 S1", 1)]
)
def test_highest_trump_wins(plays: str, winner: int) -> None:
    """[CT 4.6] Any trump beats any other card, led or not."""
    table = laid_out(plays.split(), trump=SWISS)
    assert only(events_of(table, plays), TrickWon).seat == winner


def test_the_winner_takes_the_cards_and_leads() -> None:
    """[CT 4.7] They are gone from the hands and lie as one trick before the winner, who is asked next."""
    table = played(laid_out(["R5 B1", "R6 B2", "R4 B3"], trump=SWISS), "R5 R6 R4")
    assert asked(table) == table.tricks[0].winner == 1
    assert table.tricks[0].cards == cards("R5 R6 R4")
    assert table.won == (0, 1, 0)
    assert table.hands == (cards("B1"), cards("B2"), cards("B3"))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_round_is_as_long_as_a_hand(seats: int) -> None:
    """[CT 4.8] Tricks are numbered from 1 to the size of a hand; after the last nobody is asked."""
    for step in walk(CHEEZ_TRICKS, Options(), seats, bytes(32)):
        if isinstance(step.events[-1], RoundPlayed):
            break
    numbers = [event.trick for event in step.log if isinstance(event, TrickWon)]
    assert numbers == list(range(1, HAND[seats] + 1))
    assert sum(isinstance(event, CardPlayed) for event in step.log) == seats * HAND[seats]
    assert not any(step.state.hands)
    assert asked(step.state) is None


def test_refusals_and_their_facts() -> None:
    """[CT 4.4] What is refused, in which order it is looked at, and with which facts."""
    table = played(laid_out(["R5 B1", "R6 B2", "R4 B3"], trump=SWISS), "R5")
    in_hand_of_2, unknown, not_in_play = PlayCard(card("R4")), PlayCard(77), PlayCard(card("S10"))
    assert (refusal(table, 1, in_hand_of_2).reason, refusal(table, 1, in_hand_of_2).facts) == (
        "CARD_NOT_IN_HAND",
        {"card": "Roquefort 4"},
    )
    assert refusal(table, 1, PlayCard(card("P1"))).facts == {"card": "Parmesan 1"}
    assert refusal(table, 1, ChooseTrump(BRIE)).reason == "NOT_ASKED_FOR"
    assert refusal(table, 1, PlayCard(card("R6")), window=1).reason == "WINDOW_CLOSED"
    assert refusal(table, 2, PlayCard(card("R4")), window=1).reason == "WINDOW_CLOSED"
    assert refusal(table, 1, PlayCard(card("R6")), window=3).reason == "NOT_ASKED_FOR"
    assert refusal(table, 1, PlayCard(card("R6")), window=0).reason == "NOT_ASKED_FOR"
    assert refusal(table, 2, PlayCard(card("R4")), window=0).reason == "NOT_YOUR_TURN"
    # What does not exist is said so whatever the turn: 10s are not in play with three.
    for nothing in (unknown, not_in_play):
        assert refusal(table, 2, nothing, window=1).reason == "UNKNOWN_CARD"
    assert refusal(table, 1, ChooseTrump(4)).reason == "BAD_REQUEST"
