"""[CH 10] What is seen by whom; spectators are None."""

from typing import Any

from msgspec.structs import replace

from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import (
    Action,
    DrawCard,
    KeepInVault,
    PlayCat,
    PlayGrater,
    PlayThief,
    PlayVault,
    TakeCard,
)
from engine_service.rules.games.cheesy_heist.events import CardDrawn, CardsDropped, CardTaken, GraterPlayed, ThiefPlayed
from engine_service.rules.games.cheesy_heist.state import Phase, State
from engine_service.rules.games.cheesy_heist.views import Lying

from .tabletop import cards, decided, dropped, hand, laid_out, only, played, timed_out
from .test_end import ended

EVERYONE = (0, 1, 2, None)


def told(state: State, seat: int, action: Action, kind: type[Any]) -> list[Any]:
    """Return what everyone is told of the event that an action brings."""
    event = only(decided(state, seat, action), kind)
    return [CHEESY_HEIST.seen(event, viewer) for viewer in EVERYONE]


def test_hands_and_the_draw_pile() -> None:
    """[CH 10.1] A hand to its seat, numbers to all, the draw pile to nobody."""
    table = laid_out("CC", "m", "", draw="Tss")
    views = [CHEESY_HEIST.view(table, viewer) for viewer in EVERYONE]
    assert [view.hand for view in views] == [hand("CC"), hand("m"), (), ()]
    for view in views:
        assert [seat.hand_count for seat in view.seats] == [2, 1, 0]
        assert [seat.hand for seat in view.seats] == [(), (), ()]
        assert view.draw_count == 3


def test_a_drawn_card_and_a_stolen_one() -> None:
    """[CH 10.2] To who drew; to thief and victim; others see that a card moved."""
    table = laid_out("T", "C", "m", draw="D")
    assert [each.card for each in told(table, 0, DrawCard(), CardDrawn)] == [1, None, None, None]
    assert [each.card for each in told(table, 0, PlayThief(1), ThiefPlayed)] == [0, 0, None, None]


def test_grated_cards() -> None:
    """[CH 10.3] To who grates and to the owner; others see how many."""
    seen = told(laid_out("R", "CC", "m"), 0, PlayGrater(1), GraterPlayed)
    assert [each.cards for each in seen] == [cards("CC"), cards("CC"), (), ()]
    assert [each.count for each in seen] == [2] * 4


def test_dropped_and_kept_cards() -> None:
    """[CH 10.4] To their owner, by place; others see the places."""
    table = played(laid_out("X", "VCCmm", "s"), (0, PlayCat()), (1, PlayVault()))
    seen = told(table, 1, KeepInVault(hand("CC")), CardsDropped)
    assert [(each.cards, each.kept) for each in seen] == [
        ((), ()),
        (cards("mm"), cards("CC")),
        ((), ()),
        ((), ()),
    ]
    assert {(each.count, each.kept_count) for each in seen} == {(2, 2)}
    after = played(table, (1, KeepInVault(hand("CC"))))
    for viewer in EVERYONE:
        card = cards("m")[0] if viewer == 1 else None
        assert CHEESY_HEIST.view(after, viewer).seats[1].lying == (Lying(0, card), Lying(1, card))


def test_a_collected_card() -> None:
    """[CH 10.5] To who takes it and to its former owner; all see the place."""
    table = timed_out(dropped(played(laid_out("X", "m", "C"), (0, PlayCat())), 1, 2), None)
    seen = told(table, 1, TakeCard(2, 0), CardTaken)
    assert [each.card for each in seen] == [None, 0, 0, None]
    assert {(each.seat, each.owner, each.place) for each in seen} == {(1, 2, 0)}


def test_nothing_tells_who_holds_a_defence() -> None:
    """[CH 10.6] With one or without, the same questions are put, and others see the same."""
    for others in ("VD", "mm"):
        table = played(laid_out("XC", others, "ss"), (0, PlayCat()))
        assert CHEESY_HEIST.actors(table) == CHEESY_HEIST.actors(played(laid_out("XC", "so", "ss"), (0, PlayCat())))
        plain = replace(table, hands=(table.hands[0], hand("oo"), table.hands[2]))
        for viewer in (0, 2, None):
            assert CHEESY_HEIST.view(table, viewer) == CHEESY_HEIST.view(plain, viewer)


def test_all_hands_lie_open_at_the_end() -> None:
    """[CH 10.7] As soon as the game is decided."""
    state = ended("CC", "X", "m")
    assert state.phase is Phase.SCORING
    for viewer in EVERYONE:
        assert [seat.hand for seat in CHEESY_HEIST.view(state, viewer).seats] == [hand("CC"), hand("X"), hand("m")]
