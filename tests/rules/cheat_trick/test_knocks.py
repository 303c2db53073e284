"""[CHT 7] Knocks."""

import pytest

from engine_service.rules.games.cheat_trick.actions import Knock
from engine_service.rules.games.cheat_trick.events import Knocked
from engine_service.rules.games.cheat_trick.options import Options

from .tabletop import CLUBS, beside, bidding, decided, laid_out, offered, only, played, skipped, started, voted, why

HANDS = ["H1 D1", "H2 D2", "CK D3", "H4 D4"]


@pytest.mark.parametrize("seat", range(4))
def test_a_knock_need_not_be_true(seat: int) -> None:
    """[CHT 7.1] Seat 2 has the king of trumps, the others none; all knock alike, and nothing is told of the truth."""
    assert decided(laid_out(HANDS), seat, Knock(1, 1), window=0) == (Knocked(trick=1, seat=seat),)


def test_once_a_trick_from_the_end_of_bidding_to_the_last_card() -> None:
    """[CHT 7.2] The time before the first lead belongs to the first trick, that between two tricks to the second."""
    table = laid_out(HANDS)
    for names, trick in (("", 1), ("H4 CK", 1), ("H4 CK H2 H1", 2)):
        lying = played(table, names)
        assert only(decided(lying, 3, Knock(1, trick), window=0), Knocked).trick == trick


def test_a_knock_too_many() -> None:
    """[CHT 7.2] Refused in the same trick, taken in the next; others may still."""
    table = beside(laid_out(HANDS), 0, Knock(1, 1))
    assert Knock(1, 1) not in offered(table, 0)
    assert why(table, 0, Knock(1, 1), window=0) == ("ALREADY_KNOCKED", {"trick": 1})
    assert Knock(1, 1) in offered(table, 1)
    assert Knock(1, 2) in offered(played(table, "H4 CK H2 H1"), 0)


def test_a_late_knock_lands_on_no_other_trick() -> None:
    """[CHT 7.2] Of the trick before, of one to come, of another round: refused, and nobody has knocked."""
    table = played(laid_out(HANDS), "H4 CK H2 H1")
    for late in (Knock(1, 1), Knock(1, 3), Knock(2, 2), Knock(0, 0)):
        assert why(table, 0, late, window=0) == ("WINDOW_CLOSED", {"round": 1, "trick": 2})
    assert offered(table, 0) == [Knock(1, 2)]


def test_no_knock_outside_of_tricks() -> None:
    """[CHT 7.2] Not while voting or bidding, nor after the last card."""
    over = played(skipped(laid_out(["H1", "H2", "H3", "H4"]), (4, 3, 3, 3)), "H4 H3 H2 H1")
    for table in (started(), bidding(), over):
        assert not any(isinstance(choice, Knock) for choice in offered(table, 0))
        assert why(table, 0, Knock(1, 1), window=0)[0] == "NOT_ASKED_FOR"


def test_no_knock_without_trump() -> None:
    """[CHT 7.3] Refused."""
    assert why(laid_out(HANDS, trump=None), 0, Knock(1, 1), window=0) == ("NO_TRUMP", {})


def test_knocks_in_the_simplified_game() -> None:
    """[CHT 7.2] They are no declarations."""
    table = laid_out(HANDS, CLUBS, Options(simplified=True))
    assert Knock(1, 1) in offered(table, 1)


def test_a_knock_answers_no_question() -> None:
    """[CHT 7.2] In the window of a question it is not what is asked for; the turn stays where it was."""
    table = laid_out(HANDS)
    assert why(table, 3, Knock(1, 1))[0] == "NOT_ASKED_FOR"
    assert why(voted(started(), "play"), 2, Knock(1, 1))[0] == "NOT_ASKED_FOR"
