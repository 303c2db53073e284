"""[CHT 5] Leading, following, the fool; and the refusals that go with them."""

import pytest

from engine_service.rules.games.cheat_trick.actions import PlayCard, Vote
from engine_service.rules.games.cheat_trick.events import TrickWon
from engine_service.rules.games.cheat_trick.options import Options

from .tabletop import CLUBS, asked, card, cards, events_of, laid_out, may_play, only, played, plays, refusal, why


def test_the_dealers_right_leads_any_card() -> None:
    """[CHT 5.1] Then one card each, counter-clockwise."""
    table = laid_out(["H1", "H2", "H3", "C4 H4 F"], dealer=0)
    assert may_play(table) == set(cards("C4 H4 F"))
    assert [asked(played(table, names))[0] for names in ("", "H4", "H4 H3", "H4 H3 H2")] == [3, 2, 1, 0]


def test_the_suit_led_must_be_followed() -> None:
    """[CHT 5.2] With one of it in hand nothing else is offered, trump neither."""
    table = played(laid_out(["D1", "D2", "C3 H3 HK S3", "H4"]), "H4")
    assert may_play(table) == set(cards("H3 HK"))
    for other in ("C3", "S3"):
        assert why(table, 2, PlayCard(card(other))) == ("MUST_FOLLOW_SUIT", {"suit": "hearts"})


def test_who_has_none_plays_any_card() -> None:
    """[CHT 5.3] Trump or not."""
    assert may_play(played(laid_out(["D1", "D2", "C3 D3 S3", "H4"]), "H4")) == set(cards("C3 D3 S3"))


@pytest.mark.parametrize(
    ("names", "trump", "winner"),
    [
        ("H4 H9 HK HQ", CLUBS, 1),
        ("H4 D9 SK DQ", CLUBS, 3),
        ("H4 C1 HK HQ", CLUBS, 2),
        ("H4 C1 C2 HQ", CLUBS, 1),
        ("C4 C3 HK C5", CLUBS, 0),
        ("H4 C1 HK HQ", None, 1),
        ("H10 H9 HPs HPc", CLUBS, 0),
    ],
)
def test_who_takes_a_trick(names: str, trump: int | None, winner: int) -> None:
    """[CHT 5.4] The highest trump, else the highest of the suit led. Seats play in the order 3, 2, 1, 0."""
    table = laid_out(list(reversed(names.split())), trump)
    assert only(events_of(table, *plays(names)), TrickWon) == TrickWon(1, winner)


def test_maternal_ranks_decide_tricks() -> None:
    """[CHT 5.4, 1.4] The queen of hearts beats their king, the 1 their 10; in clubs the king is highest."""
    for names, winner in (("HK HQ HPs HPc", 2), ("H10 H9 H2 H1", 0), ("CQ CK C1 C10", 2)):
        table = laid_out(list(reversed(names.split())), None, Options(maternal_suits=True))
        assert only(events_of(table, *plays(names)), TrickWon).seat == winner


def test_the_fool_may_be_played_at_any_time() -> None:
    """[CHT 5.5] Also by who could follow, whose other cards still must."""
    table = played(laid_out(["D1", "D2", "H3 S3 F", "H4"]), "H4")
    assert may_play(table) == set(cards("H3 F"))
    assert may_play(played(laid_out(["D1", "D2", "S3 F", "H4"]), "H4")) == set(cards("S3 F"))
    assert may_play(played(laid_out(["D1", "D2", "F", "H4"]), "H4")) == {card("F")}


@pytest.mark.parametrize(
    ("names", "winner"), [("H1 F D9 D8", 3), ("F H1 D9 D8", 2), ("F H1 HK C1", 0), ("H1 D1 S1 F", 3), ("C1 H9 HK F", 3)]
)
def test_the_fool_never_takes_a_trick(names: str, winner: int) -> None:
    """[CHT 5.5] Led, in the middle, last."""
    table = laid_out(list(reversed(names.split())))
    assert only(events_of(table, *plays(names)), TrickWon).seat == winner


def test_after_a_fool_that_is_led_the_next_card_sets_the_suit() -> None:
    """[CHT 5.6] The second player plays anything; the others follow that."""
    table = laid_out(["H1 D1", "D2 H2", "D3 C3", "F H4"])
    assert may_play(played(table, "F")) == set(cards("D3 C3"))
    assert may_play(played(table, "F D3")) == {card("D2")}
    assert may_play(played(table, "F D3 D2")) == {card("D1")}


def test_the_winner_leads_and_tricks_are_numbered() -> None:
    """[CHT 5.7] The cards are gone from the hands and lie as one trick."""
    table = played(laid_out(["H1 D1", "H2 D2", "HK D3", "H4 D4"]), "H4 HK H2 H1")
    assert asked(table) == [2]
    assert (table.tricks[0].winner, table.tricks[0].cards) == (2, cards("H4 HK H2 H1"))
    assert table.won == (0, 0, 1, 0)
    assert only(events_of(table, *plays("D3 D2 D1 D4")), TrickWon) == TrickWon(2, 3)


def test_refusals_and_their_facts() -> None:
    """[CHT 5.1] What is refused, in which order it is looked at, and with which facts."""
    table = played(laid_out(["H1 D1", "H2 D2", "HK D3", "H4 D4"]), "H4")
    assert why(table, 2, PlayCard(card("H2"))) == ("CARD_NOT_IN_HAND", {"card": "2 of hearts"})
    assert why(table, 1, PlayCard(card("H2"))) == ("NOT_YOUR_TURN", {"asked_seat": 2, "window": table.closed + 1})
    assert why(table, 2, Vote(veto=False)) == ("NOT_ASKED_FOR", {"asked_for": "a card"})
    assert refusal(table, 2, PlayCard(card("HK")), window=1).reason == "WINDOW_CLOSED"
    assert refusal(table, 2, PlayCard(card("HK")), window=0).reason == "NOT_ASKED_FOR"
    assert refusal(table, 2, PlayCard(card("HK")), window=table.closed + 2).reason == "NOT_ASKED_FOR"
    assert {refusal(table, seat, PlayCard(57)).reason for seat in (2, 3)} == {"UNKNOWN_CARD"}
    assert why(table, 4, PlayCard(card("HK")))[0] == why(table, -1, PlayCard(card("HK")))[0] == "NOT_YOUR_TURN"
