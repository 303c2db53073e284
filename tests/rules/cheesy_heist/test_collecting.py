"""[CH 7] Dropped cards are taken."""

import pytest

from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import DropAll, KeepInVault, PlayCat, PlayVault, TakeCard
from engine_service.rules.games.cheesy_heist.events import CardTaken, CollectionStarted, ReactionTimeEnded, TurnStarted
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.games.cheesy_heist.state import State

from .tabletop import (
    CHEESE,
    PLAIN,
    asked,
    decided,
    dropped,
    hand,
    laid_out,
    offered,
    place_of,
    played,
    question,
    refusal,
    time_out,
    timed_out,
)


def collecting(*hands: str, cat: int = 0, options: Options = PLAIN) -> State:
    """Return a table on which everything was dropped after the Cat of a seat; its hand is what was left then."""
    held = [letters + "X" * (seat == cat) for seat, letters in enumerate(hands)]
    table = played(laid_out(*held, turn=cat, options=options), (cat, PlayCat()))
    return timed_out(dropped(table, *asked(table)), None)


def test_from_the_left_clockwise_one_card_each() -> None:
    """[CH 7.1] An empty hand collects too."""
    table, order = collecting("C", "mm", "", cat=1), []
    while question(table, asked(table)[0]).seconds == 5:
        (seat,) = asked(table)
        order.append(seat)
        table = timed_out(table, seat)
    assert order == [2, 0, 1]


def test_any_card_by_its_place() -> None:
    """[CH 7.2] One's own included; what is taken is gone; nothing else is offered."""
    table = collecting("C", "mC", "s")
    assert offered(table, 1) == [TakeCard(0, 0), TakeCard(1, 0), TakeCard(1, 1), TakeCard(2, 0)]
    take = place_of(table, 1, CHEESE)
    assert decided(table, 1, take) == (CardTaken(1, 1, take.place, CHEESE),)
    after = played(table, (1, take))
    assert after.hands[1] == hand("C")
    assert take not in offered(after, 2)
    assert refusal(after, 2, take).facts == {"owner": 1, "place": take.place}
    assert refusal(after, 2, TakeCard(1, 7)).reason == "PLACE_EMPTY"
    assert refusal(after, 2, TakeCard(1, -1)).reason == "PLACE_EMPTY"
    assert refusal(after, 2, TakeCard(3, 0)).reason == "BAD_REQUEST"
    assert refusal(after, 2, DropAll()).reason == "NOT_ASKED_FOR"
    assert refusal(after, 0, TakeCard(0, 0)).reason == "NOT_YOUR_TURN"


def test_cards_in_a_vault_are_out_of_reach() -> None:
    """[CH 7.2] Their owner collects like everyone."""
    table = played(laid_out("X", "VCCm", "s"), (0, PlayCat()), (1, PlayVault()), (1, KeepInVault(hand("CC"))))
    table = timed_out(dropped(table, 2), None)
    assert offered(table, 1) == [TakeCard(1, 0), TakeCard(2, 0)]
    assert played(table, (1, TakeCard(2, 0))).hands[1] == hand("CCs")


@pytest.mark.parametrize(("options", "seconds"), [(PLAIN, 5), (Options(collect_seconds=9), 9)])
def test_seconds_for_a_card(options: Options, seconds: int) -> None:
    """[CH 7.3] Five, or what the table agreed on; then the engine takes one."""
    table = collecting("C", "m", "s", options=options)
    assert question(table, 1).seconds == seconds
    (taken,) = time_out(table, 1)
    assert isinstance(taken, CardTaken) and taken.by_engine


def test_the_next_in_order_plays_when_none_is_left() -> None:
    """[CH 7.4] Who would have taken the next card."""
    table = collecting("C", "m", "so", "T")
    while len(offered(table, asked(table)[0])) > 1:
        table = timed_out(table, *asked(table))
    (seat,) = asked(table)
    assert seat == 1
    assert time_out(table, seat)[1:] == (TurnStarted(2, 2),)


def test_nobody_collects_before_or_after() -> None:
    """[CH 7.1] The collector is named as long as cards lie there."""
    table = played(laid_out("XX", "m", ""), (0, PlayCat()))
    tables = [laid_out("X", "m"), table]
    tables.append(timed_out(dropped(table, 0, 1), None))
    tables.append(timed_out(tables[-1], 1))
    tables.append(timed_out(tables[-1], 2))
    collectors = [[CHEESY_HEIST.view(each, viewer).collector for viewer in (None, 0, 1)] for each in tables]
    assert collectors == [[None] * 3, [None] * 3, [1] * 3, [2] * 3, [None] * 3]


def test_nothing_on_the_table() -> None:
    """[CH 7.5] Everything was kept, or nobody had a card: the left of the Cat's player begins."""
    nothing = played(laid_out("", "X", "", turn=1), (1, PlayCat()))
    assert time_out(nothing, None) == (ReactionTimeEnded(), TurnStarted(2, 2))
    table = played(laid_out("X", "VC", "VC"), (0, PlayCat()), (1, PlayVault()), (2, PlayVault()))
    table = timed_out(played(table, (1, KeepInVault(hand("C")))), None)
    assert decided(table, 2, KeepInVault(hand("C")))[1:] == (TurnStarted(2, 1),)
    assert decided(table, 2, KeepInVault(()))[1:] == (CollectionStarted(1),)
    assert CHEESY_HEIST.view(table, 1).seats[1].lying == ()
