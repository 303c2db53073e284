"""[CH 3, 4] Mirage sets and Attack cards."""

import pytest
from msgspec.structs import replace

from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import (
    DrawCard,
    PlayCat,
    PlayGift,
    PlayGrater,
    PlayMirages,
    PlayThief,
)
from engine_service.rules.games.cheesy_heist.events import GraterPlayed, MiragesPlayed, ThiefPlayed
from engine_service.rules.games.cheesy_heist.state import Shown

from .tabletop import cards, decided, hand, laid_out, offered, only, played, refusal


@pytest.mark.parametrize("letters", ["mmm", "sss", "ooo", "mso"])
def test_a_set_is_three_alike_or_three_different(letters: str) -> None:
    """[CH 3.1] In whatever order they are named; the three go to the discard pile."""
    table = laid_out(letters + "C", "CX")
    for named in (letters, letters[::-1]):
        after = played(table, (0, PlayMirages(cards(named), 1)))
        assert after.hands[0] == hand("C")
        assert sorted(after.discards) == sorted(cards(letters))


@pytest.mark.parametrize("letters", ["mms", "mm", "mmmm", "CCC", "msT", ""])
def test_other_cards_are_no_set(letters: str) -> None:
    """[CH 3.1] Refused as what cannot be, whatever the hand."""
    refused = refusal(laid_out("mmmmsoCCCT", "C"), 0, PlayMirages(cards(letters), 1))
    assert refused.reason == "BAD_REQUEST"


def test_a_set_that_is_not_in_the_hand() -> None:
    """[CH 3.1] Names the first card that is missing."""
    refused = refusal(laid_out("mms", "C"), 0, PlayMirages(cards("mmm"), 1))
    assert (refused.reason, refused.facts) == ("CARD_NOT_IN_HAND", {"card": "Moon"})


def test_the_chosen_hand_is_shown_to_everyone() -> None:
    """[CH 3.2] As it is now, sorted; a Thief that comes later does not change what was shown."""
    table = laid_out("mmmT", "XTC", "V")
    shown = only(decided(table, 0, PlayMirages(cards("mmm"), 1)), MiragesPlayed)
    assert shown.shown == hand("CTX") == cards("CTX")
    for viewer in (None, 0, 1, 2):
        assert CHEESY_HEIST.seen(shown, viewer).shown == cards("CTX")
    after = played(table, (0, PlayMirages(cards("mmm"), 1)), (0, PlayThief(1)))
    for viewer in (None, 0, 1, 2):
        assert CHEESY_HEIST.view(after, viewer).shown == (Shown(1, cards("CTX")),)


def test_what_was_shown_stays_in_sight_until_the_turn_ends() -> None:
    """[CH 3.3] Until the draw, the Cat or the last drop; another set hides nothing, whomever it chooses."""
    for draw in ("m", ""):
        table = played(laid_out("mmmsssoooTX", "CC", "V", draw=draw), (0, PlayMirages(cards("mmm"), 1)))
        assert CHEESY_HEIST.view(table, None).shown == (Shown(1, cards("CC")),)
        table = played(table, (0, PlayMirages(cards("sss"), 2)), (0, PlayThief(1)), (0, PlayMirages(cards("ooo"), 1)))
        shown = (Shown(1, cards("CC")), Shown(2, cards("V")), Shown(1, cards("C")))
        for viewer in (None, 0, 1, 2):
            assert CHEESY_HEIST.view(table, viewer).shown == shown
        for end in (DrawCard(), PlayCat()):
            assert CHEESY_HEIST.view(played(table, (0, end)), None).shown == ()


def test_whom_a_set_cannot_choose() -> None:
    """[CH 3.4] Oneself, an empty hand, a seat that is not there."""
    table = laid_out("mmm", "", "C")
    assert refusal(table, 0, PlayMirages(cards("mmm"), 0)).reason == "BAD_TARGET"
    assert refusal(table, 0, PlayMirages(cards("mmm"), 1)).reason == "BAD_TARGET"
    assert refusal(table, 0, PlayMirages(cards("mmm"), 3)).reason == "BAD_REQUEST"
    assert PlayMirages(cards("mmm"), 2) in offered(table, 0)


def test_a_thief_takes_a_card_at_random() -> None:
    """[CH 4.1] Any of the hand may be the one, and it is then the thief's."""
    table, taken = laid_out("TTTTT", "CDVG"), set()
    for _ in range(4):
        stolen = only(decided(table, 0, PlayThief(1)), ThiefPlayed)
        assert stolen.card in table.hands[1]
        after = played(table, (0, PlayThief(1)))
        assert after.hands[0].count(stolen.card) == table.hands[0].count(stolen.card) + 1
        assert len(after.hands[1]) == len(table.hands[1]) - 1
        table = after
        taken.add(stolen.card)
    assert taken == set(cards("CDVG"))
    assert {only(decided(laid_out("T" * n, "CDVG"), 0, PlayThief(1)), ThiefPlayed).card for n in (1, 2)}


@pytest.mark.parametrize(("letter", "attack"), [("T", PlayThief), ("R", PlayGrater)])
def test_another_attack_is_another_chance(letter: str, attack: type[PlayThief] | type[PlayGrater]) -> None:
    """[CH 4.1, 4.2] Whenever all cards lie as before, another one may be taken."""
    table, taken = laid_out(letter, "CDVGmsoX"), set()
    for _ in range(6):
        taken |= set(decided(table, 0, attack(1)))
        after = played(table, (0, attack(1)))
        table = replace(after, hands=table.hands, draw_pile=table.draw_pile)
    assert len(taken) > 3


def test_a_grater_shuffles_two_cards_into_the_draw_pile() -> None:
    """[CH 4.2] They are in it with what was there; of a single card that one."""
    table = laid_out("RR", "CDV", draw="mso")
    grated = only(decided(table, 0, PlayGrater(1)), GraterPlayed)
    assert len(grated.cards) == 2 and set(grated.cards) < set(cards("CDV"))
    after = played(table, (0, PlayGrater(1)))
    assert sorted(after.draw_pile) == sorted((*cards("mso"), *grated.cards))
    assert sorted((*after.hands[1], *grated.cards)) == list(cards("CDV"))
    assert only(decided(after, 0, PlayGrater(1)), GraterPlayed).cards == after.hands[1]


def test_a_gift_gives_a_cat_away() -> None:
    """[CH 4.3] Also to an empty hand; one Cat of several."""
    table = laid_out("GXX", "C", "")
    assert played(table, (0, PlayGift(1))).hands == (hand("X"), hand("CX"), ())
    assert played(table, (0, PlayGift(2))).hands == (hand("X"), hand("C"), hand("X"))
    without = refusal(laid_out("GC", "C"), 0, PlayGift(1))
    assert (without.reason, without.facts) == ("CARD_NOT_IN_HAND", {"card": "Cat"})
    assert offered(laid_out("GC", "C"), 0) == [DrawCard()]


def test_whom_an_attack_cannot_choose() -> None:
    """[CH 4.4] Oneself; for Thief and Grater an empty hand."""
    table = laid_out("TRGX", "", "C")
    for attack in (PlayThief, PlayGrater, PlayGift):
        assert refusal(table, 0, attack(0)).facts == {"target": 0, "why": "oneself"}
        assert attack(2) in offered(table, 0)
    for attack in (PlayThief, PlayGrater):
        assert refusal(table, 0, attack(1)).facts == {"target": 1, "why": "an empty hand"}
    assert PlayGift(1) in offered(table, 0)
