"""[CH 5, 6] The Cat, the reaction window and Defence cards."""

from itertools import permutations

import pytest

from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import (
    DrawCard,
    DropAll,
    KeepInVault,
    KeepUpTo,
    PlayCat,
    PlayDecoy,
    PlayVault,
)
from engine_service.rules.games.cheesy_heist.events import (
    CardsDropped,
    CatPlayed,
    CollectionStarted,
    DecoyPlayed,
    ReactionTimeEnded,
    TurnStarted,
    VaultPlayed,
)
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.games.cheesy_heist.state import Phase, State
from tests.rules.walks import evolved

from .tabletop import (
    CAT,
    PLAIN,
    VAULT,
    asked,
    cards,
    decided,
    dropped,
    hand,
    laid_out,
    lying,
    offered,
    only,
    played,
    question,
    refusal,
    time_out,
    timed_out,
)


def window(*hands: str, options: Options = PLAIN) -> State:
    """Return a table on which seat 0 has just played a Cat; its hand is what is left then."""
    return played(laid_out(hands[0] + "X", *hands[1:], options=options), (0, PlayCat()))


def choosing(state: State) -> list[int]:
    """Return the seats that everyone sees to choose what to keep."""
    return [seat for seat, at in enumerate(CHEESY_HEIST.view(state, None).seats) if at.choosing]


def test_a_cat_opens_the_window() -> None:
    """[CH 5.1] And lies on the discard pile."""
    table = laid_out("XC", "m", "s")
    assert decided(table, 0, PlayCat()) == (CatPlayed(0),)
    after = played(table, (0, PlayCat()))
    assert (after.phase, after.discards) == (Phase.REACTION, (CAT,))


def test_everyone_drops_the_whole_hand() -> None:
    """[CH 5.2] Its player too, and each in one action, in any order."""
    table = window("CC", "msT", "D")
    assert asked(table) == [0, 1, 2]
    for order in permutations(range(3)):
        after = dropped(table, *order)
        assert after.hands == ((), (), ())
        assert [sorted(lying(after, seat)) for seat in range(3)] == [[*hand("CC")], [*hand("msT")], [*hand("D")]]


def test_a_second_drop_comes_too_late() -> None:
    """[CH 5.2] The seat's question is answered; whoever has no cards was never asked."""
    table = dropped(window("C", "m", ""), 0)
    assert refusal(table, 0, DropAll(), table.window).reason == "WINDOW_CLOSED"
    assert refusal(table, 2, DropAll(), table.window).reason == "NOT_YOUR_TURN"


def test_dropped_cards_fall_on_random_places() -> None:
    """[CH 5.3] Not in the order of the hand, and another time otherwise; their owner sees which is where."""
    table = window("CDVTGRmso", "CDVTGRmso")
    events = [only(decided(table, seat, DropAll()), CardsDropped) for seat in (0, 1)]
    assert sorted(events[0].cards) == list(cards("CDVTGRmso")) != list(events[0].cards)
    second = only(decided(dropped(table, 0), 1, DropAll()), CardsDropped)
    assert second.cards != events[0].cards
    view = CHEESY_HEIST.view(dropped(table, 0), 0)
    assert tuple(each.card for each in view.seats[0].lying) == events[0].cards


def test_a_seat_without_cards_has_finished() -> None:
    """[CH 5.4] It is not asked, and the window closes without it."""
    table = window("C", "", "m")
    assert asked(table) == [0, 2]
    assert timed_out(dropped(table, 0, 2), None).phase is Phase.COLLECTION


@pytest.mark.parametrize("seconds", [1, 4, 60])
def test_nobody_has_finished_before_the_least_time(seconds: int) -> None:
    """[CH 5.5] A pause that only time ends, also without a clock; bots and absent players answer no earlier."""
    table = window("C", "m", options=Options(reaction_seconds=seconds))
    pause = question(table, None)
    assert (pause.window, pause.seconds) == (table.window + 1, seconds)
    assert question(table, 1).earliest_seconds == seconds
    after = dropped(table, 0, 1)
    assert after.phase is Phase.REACTION
    assert time_out(after, None) == (ReactionTimeEnded(), CollectionStarted(1))


def test_each_cat_has_its_least_time() -> None:
    """[CH 5.5] Whether the window before ended with a collection or a Decoy."""
    late = timed_out(window("C", "XX", "mD"), None)
    assert CHEESY_HEIST.view(late, None).time_over
    decoyed = played(late, (2, PlayDecoy()))
    kept = played(timed_out(window("C", "VXX", "D"), None), (1, PlayVault()), (1, KeepInVault(hand("XX"))))
    collected = timed_out(dropped(kept, 0, 2), 1, 2)
    assert (collected.phase, asked(collected)) == (Phase.TURN, [0])
    for table, seat in ((decoyed, 1), (played(collected, (0, DrawCard())), 1)):
        again = played(table, (seat, PlayCat()))
        assert not CHEESY_HEIST.view(again, None).time_over
        assert question(again, None).seconds == 4


def test_the_window_closes_when_all_have_finished() -> None:
    """[CH 5.6] With the last drop, if the least time is over before it."""
    table = dropped(timed_out(window("C", "m", "s"), None), 2, 0)
    assert table.phase is Phase.REACTION
    assert decided(table, 1, DropAll())[1:] == (CollectionStarted(1),)


def test_anyone_with_cards_may_defend() -> None:
    """[CH 6.1] The Cat's player too; not whoever has dropped or holds nothing."""
    table = window("VD", "VD", "")
    for seat in (0, 1):
        assert offered(table, seat) == [DropAll(), PlayVault(), PlayDecoy()]
    assert offered(table, 2) == []
    assert offered(dropped(table, 1), 1) == []


def test_a_defence_counts_while_another_has_not_finished() -> None:
    """[CH 6.2] While the least time runs it always does, even when all others have dropped."""
    table = dropped(window("C", "VD", "m"), 0, 2)
    assert decided(table, 1, PlayVault()) == (VaultPlayed(1, wasted=False),)
    late = timed_out(table, None)
    assert offered(late, 1) == [DropAll(), PlayVault(wasted=True), PlayDecoy(wasted=True)]


def test_a_wasted_defence_must_be_accepted() -> None:
    """[CH 6.2] Else it is refused and nothing happens; accepted, it is discarded, and all must still be dropped."""
    late = timed_out(dropped(window("C", "VD", "m"), 0, 2), None)
    for defence in (PlayVault(), PlayDecoy()):
        assert refusal(late, 1, defence).reason == "WOULD_BE_WASTED"
    assert decided(late, 1, PlayDecoy(wasted=True)) == (DecoyPlayed(1, wasted=True),)
    after = played(late, (1, PlayVault(wasted=True)))
    assert (after.hands[1], asked(after), after.discards[-1]) == (hand("D"), [1], VAULT)
    assert dropped(after, 1).phase is Phase.COLLECTION


def test_accepting_waste_does_not_make_it() -> None:
    """[CH 6.2] A Defence card that is in time counts, whatever the move accepts."""
    table = window("C", "VD", "m")
    assert decided(table, 1, PlayVault(wasted=True)) == (VaultPlayed(1, wasted=False),)


def test_a_last_card_that_is_wasted_ends_the_window() -> None:
    """[CH 6.2, 5.6] For its player then holds nothing any more."""
    late = timed_out(dropped(window("C", "D", "m"), 0, 2), None)
    assert decided(late, 1, PlayDecoy(wasted=True)) == (DecoyPlayed(1, wasted=True), CollectionStarted(1))


def test_a_defence_after_the_window_is_refused() -> None:
    """[CH 6.3] As what comes too late."""
    table = window("C", "VD", "m")
    after = timed_out(dropped(table, 0, 1, 2), None)
    for defence in (PlayVault(), PlayDecoy(), PlayDecoy(wasted=True)):
        assert refusal(after, 1, defence, table.window).reason == "WINDOW_CLOSED"
    decoyed = played(table, (1, PlayDecoy()))
    assert refusal(decoyed, 0, DropAll(), table.window).reason == "WINDOW_CLOSED"


def test_a_vault_keeps_up_to_three_cards() -> None:
    """[CH 6.4] In a question of 20 seconds of its own; the rest is dropped."""
    table = played(window("C", "VCCDmX", "m"), (1, PlayVault()))
    assert offered(table, 1)[0] == KeepUpTo(3, hand("CCDmX"))
    assert question(table, 1).seconds == 20
    assert question(table, 1).window > question(table, 0).window
    for kept in ("", "C", "CC", "CCX", "CDm"):
        after = played(table, (1, KeepInVault(hand(kept))))
        assert after.hands[1] == hand(kept)
        assert sorted((*after.hands[1], *lying(after, 1))) == list(hand("CCDmX"))


def test_seconds_for_a_vault_are_an_option() -> None:
    """[CH 6.4] Its player's alone: the window and its least time are as before."""
    table = played(window("C", "VC", "m", options=Options(vault_seconds=40)), (1, PlayVault()))
    assert [question(table, seat).seconds for seat in (0, 1, 2, None)] == [None, 40, None, 4]


@pytest.mark.parametrize(
    ("kept", "reason"),
    [("CCDm", "BAD_REQUEST"), ("T", "CARD_NOT_IN_HAND"), ("CCC", "CARD_NOT_IN_HAND"), ("V", "CARD_NOT_IN_HAND")],
)
def test_what_a_vault_does_not_keep(kept: str, reason: str) -> None:
    """[CH 6.4] More than three, or cards that one does not hold."""
    table = played(window("C", "VCCDmX", "m"), (1, PlayVault()))
    assert refusal(table, 1, KeepInVault(hand(kept))).reason == reason
    assert refusal(table, 1, DropAll()).reason == "NOT_ASKED_FOR"
    assert refusal(table, 0, KeepInVault(())).reason == "NOT_ASKED_FOR"


def test_a_vault_as_the_last_card_keeps_nothing() -> None:
    """[CH 6.4] Its player has no cards and has finished, and is not said to choose: not when it collects either."""
    table = played(window("C", "V", "m"), (1, PlayVault()))
    assert (asked(table), choosing(table)) == ([0, 2], [])
    collecting = timed_out(dropped(table, 0, 2), None, 1)
    assert (len(collecting.hands[1]), collecting.phase, choosing(collecting)) == (1, Phase.COLLECTION, [])


def test_who_wastes_its_last_card_does_not_choose_any_more() -> None:
    """[CH 6.4] A Decoy beside the choice of a Vault."""
    table = timed_out(dropped(played(window("C", "VD", "m"), (1, PlayVault())), 0), None)
    assert choosing(table) == [1]
    late, wasted = dropped(table, 2), PlayDecoy(wasted=True)
    assert decided(late, 1, wasted) == (DecoyPlayed(1, wasted=True), CollectionStarted(1))
    assert choosing(evolved(CHEESY_HEIST, late, decided(late, 1, wasted)[:1])) == []


def test_one_vault_a_seat_several_seats() -> None:
    """[CH 6.5] A second one is refused, whether the first counted or not; others play their own."""
    table = played(window("VC", "VVC", "m"), (1, PlayVault()))
    assert refusal(table, 1, PlayVault()).reason == "VAULT_USED"
    both = played(table, (0, PlayVault()))
    assert [isinstance(offered(both, seat)[0], KeepUpTo) for seat in (0, 1)] == [True, True]
    late = timed_out(dropped(window("C", "VVC", "m"), 0, 2), None)
    wasted = played(late, (1, PlayVault(wasted=True)))
    assert refusal(wasted, 1, PlayVault(wasted=True)).reason == "VAULT_USED"


def test_a_decoy_ends_the_window() -> None:
    """[CH 6.6] All cards return, Vaults are gone, the next seat plays."""
    table = window("C", "VCm", "Ds", "T")
    table = played(dropped(table, 0, 3), (1, PlayVault()), (1, KeepInVault(hand("C"))))
    assert decided(table, 2, PlayDecoy()) == (DecoyPlayed(2, wasted=False), TurnStarted(2, 1))
    after = played(table, (2, PlayDecoy()))
    assert after.hands == (hand("C"), hand("Cm"), hand("s"), hand("T"))
    assert sorted(after.discards) == list(hand("XVD"))
    assert asked(after) == [1]


def test_a_decoy_beside_the_choice_of_a_vault() -> None:
    """[CH 6.6, 6.8] In the window of the choice."""
    table = played(window("C", "VDC", "m"), (1, PlayVault()))
    assert offered(table, 1) == [KeepUpTo(2, hand("CD")), PlayDecoy()]
    assert played(table, (1, PlayDecoy())).hands[1] == hand("C")


def test_a_kept_decoy_may_still_be_played() -> None:
    """[CH 6.7] While others are asked, though its player is not; a kept Vault may not."""
    table = played(window("C", "VVDC", "m"), (1, PlayVault()), (1, KeepInVault(hand("VD"))))
    assert asked(table) == [0, 2]
    assert offered(table, 1) == [PlayDecoy()]
    assert refusal(table, 1, PlayVault()).reason == "VAULT_USED"
    assert refusal(table, 1, DropAll(), table.window).reason == "WINDOW_CLOSED"
    assert played(table, (1, PlayDecoy())).hands[1] == hand("VC")
    closed = timed_out(dropped(table, 0, 2), None)
    assert refusal(closed, 1, PlayDecoy(), table.window).reason == "WINDOW_CLOSED"


def test_who_chooses_has_not_finished() -> None:
    """[CH 6.8] Others' Defence cards count, the window stays open; one's own would be wasted."""
    table = timed_out(dropped(played(window("D", "VDC", "m"), (1, PlayVault())), 2), None)
    assert offered(table, 0) == [DropAll(), PlayDecoy()]
    after = dropped(table, 0)
    assert after.phase is Phase.REACTION
    assert offered(after, 1) == [KeepUpTo(2, hand("CD")), PlayDecoy(wasted=True)]
