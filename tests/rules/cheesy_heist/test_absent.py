"""[CH 9] What is done for absent players."""

import pytest

from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import DrawCard, DropAll, KeepInVault, PlayCat, PlayVault, TakeCard
from engine_service.rules.games.cheesy_heist.events import CardDrawn, CardsDropped, CardTaken, LastDropCalled

from .tabletop import LETTERS, cards, decided, dropped, hand, laid_out, only, played, question, time_out, timed_out
from .test_collecting import collecting


def test_a_card_is_drawn() -> None:
    """[CH 9.1, 9.5] Whatever could be played; from an empty pile the last drop is called."""
    assert time_out(laid_out("XTG", "C", draw="m"), 0)[0] == CardDrawn(0, *cards("m"), by_engine=True)
    assert time_out(laid_out("XTG", "C", draw=""), 0) == (LastDropCalled(0, by_engine=True),)
    assert played(laid_out("XTG", "C", draw="m"), (0, DrawCard())).turn_seat == 1


def test_all_cards_are_dropped() -> None:
    """[CH 9.2, 9.5] Not before the least reaction time is over."""
    table = played(laid_out("X", "VDCC", "m"), (0, PlayCat()))
    assert question(table, 1).earliest_seconds == 4
    event = only(time_out(table, 1), CardsDropped)
    assert (sorted(event.cards), event.kept, event.by_engine) == (list(hand("VDCC")), None, True)


@pytest.mark.parametrize(
    ("letters", "kept"),
    [("XXmTCDV", "CDV"), ("XGTRo", "TGR"), ("Xosm", "mso"), ("XXT", "T"), ("XX", ""), ("CCCCD", "CCC")],
)
def test_what_is_kept_in_a_vault(letters: str, kept: str) -> None:
    """[CH 9.3, 9.5] The dearest three, never a Cat."""
    table = played(laid_out("X", "V" + letters, "m"), (0, PlayCat()), (1, PlayVault()))
    event = only(time_out(table, 1), CardsDropped)
    assert (event.kept, event.by_engine) == (hand(kept), True)


def test_the_dearest_of_ones_own_is_taken() -> None:
    """[CH 9.4, 9.5] In the order of the kinds, while there is one that is no Cat."""
    table, taken = collecting("", LETTERS, ""), []
    for seat in (1, 2, 0) * 3:
        event = only(time_out(table, seat), CardTaken)
        assert event.by_engine
        if seat == 1:
            taken.append(event.card)
        table = timed_out(table, seat)
    assert taken == sorted(taken)
    assert taken[0] == 0


def test_a_cat_of_ones_own_is_taken_last() -> None:
    """[CH 9.4] While a card of another seat lies there, the first place from the left is."""
    table = collecting("m", "X", "ss")
    event = only(time_out(table, 1), CardTaken)
    assert (event.owner, event.place) == (2, 0)
    alone = timed_out(dropped(played(laid_out("X", "XX", ""), (0, PlayCat())), 1), None)
    assert only(time_out(alone, 1), CardTaken).owner == 1


def test_everyone_sees_that_the_engine_did_it() -> None:
    """[CH 9.5] And that a player did what a player did."""
    reacting = played(laid_out("X", "VDCC", "m"), (0, PlayCat()))
    for table, seat, action in (
        (laid_out("XTG", "C", "s", draw="m"), 0, DrawCard()),
        (laid_out("XTG", "C", "s", draw=""), 0, DrawCard()),
        (reacting, 1, DropAll()),
        (played(reacting, (1, PlayVault())), 1, KeepInVault(())),
        (collecting("m", "C", "s"), 1, TakeCard(1, 0)),
    ):
        for events, by_engine in ((time_out(table, seat), True), (decided(table, seat, action), False)):
            assert [CHEESY_HEIST.seen(events[0], viewer).by_engine for viewer in (None, 0, 1, 2)] == [by_engine] * 4


def test_without_own_cards_the_first_place_from_the_left() -> None:
    """[CH 9.4] Clockwise from the one who takes."""
    table = collecting("m", "", "s", "")
    assert only(time_out(table, 1), CardTaken).owner == 2
    table = timed_out(table, 1)
    assert only(time_out(table, 2), CardTaken).owner == 0
