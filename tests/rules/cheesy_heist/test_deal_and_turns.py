"""[CH 1, 2] The deal and turns."""

from collections import Counter

import pytest

from engine_service.rules.game import BadOption
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import DrawCard, PlayCat, PlayGift, PlayThief, PlayVault
from engine_service.rules.games.cheesy_heist.events import (
    CardDrawn,
    CardsDealt,
    CatPlayed,
    GameRevealed,
    GameStarted,
    TurnStarted,
)
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.shuffle import commitment
from tests.rules.kits import KITS
from tests.rules.walks import walk

from .tabletop import (
    CAT,
    CHEESE,
    DECOY,
    GIFT,
    GRATER,
    MOON,
    SOAP,
    SPONGE,
    THIEF,
    VAULT,
    asked,
    cards,
    decided,
    hand,
    laid_out,
    offered,
    only,
    played,
    refusal,
)

EVERY_TABLE = pytest.mark.parametrize("seats", [2, 3, 4, 5])


def dealt(seats: int) -> CardsDealt:
    return only(CHEESY_HEIST.setup(Options(), seats, bytes(32)), CardsDealt)


@EVERY_TABLE
def test_the_pack_has_75_cards(seats: int) -> None:
    """[CH 1.1, 1.2] Of ten kinds, whoever plays."""
    deal = dealt(seats)
    pack = Counter([card for each in deal.hands for card in each] + list(deal.draw_pile))
    assert sum(pack.values()) == 75
    assert (pack[CHEESE], pack[CAT]) == (16, 12)
    assert (pack[MOON], pack[SPONGE], pack[SOAP]) == (7, 7, 7)
    assert (pack[THIEF], pack[GRATER], pack[GIFT]) == (6, 5, 5)
    assert (pack[VAULT], pack[DECOY]) == (5, 5)


@EVERY_TABLE
def test_five_cards_each(seats: int) -> None:
    """[CH 1.3] The others are the draw pile."""
    deal = dealt(seats)
    assert [len(each) for each in deal.hands] == [5] * seats
    assert len(deal.draw_pile) == 75 - 5 * seats


def test_what_is_played_stays_on_the_discard_pile() -> None:
    """[CH 1.3] Face up, in the order in which it came."""
    table = played(laid_out("TGX", "CC"), (0, PlayThief(1)), (0, PlayGift(1)))
    assert table.discards == cards("TG")
    for viewer in (None, 0, 1):
        assert CHEESY_HEIST.view(table, viewer).discards == cards("TG")


def test_the_dealer_is_named_or_drawn() -> None:
    """[CH 1.4] Drawn dealers differ from game to game."""
    drawn = {only(CHEESY_HEIST.setup(Options(), 4, bytes([n]) * 32), GameStarted).dealer for n in range(40)}
    assert drawn == {0, 1, 2, 3}
    assert only(CHEESY_HEIST.setup(Options(dealer=2), 4, bytes(32)), GameStarted).dealer == 2


@pytest.mark.parametrize(("seats", "goal"), [(2, 5), (3, 5), (4, 5), (5, 4)])
def test_the_goal(seats: int, goal: int) -> None:
    """[CH 1.5] Four with five players; or what the table agrees on."""
    assert only(CHEESY_HEIST.setup(Options(), seats, bytes(32)), GameStarted).goal == goal
    assert only(CHEESY_HEIST.setup(Options(goal=7), seats, bytes(32)), GameStarted).goal == 7


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (Options(dealer=3), "dealer"),
        (Options(dealer=-1), "dealer"),
        (Options(goal=0), "goal"),
        (Options(goal=17), "goal"),
        (Options(reaction_seconds=0), "reaction_seconds"),
        (Options(reaction_seconds=61), "reaction_seconds"),
        (Options(vault_seconds=0), "vault_seconds"),
        (Options(vault_seconds=61), "vault_seconds"),
        (Options(collect_seconds=0), "collect_seconds"),
        (Options(collect_seconds=61), "collect_seconds"),
    ],
)
def test_options_that_cannot_be_played(options: Options, field: str) -> None:
    """[CH 1.4, 1.5, 5.5, 6.4, 7.3] Refused with their field."""
    with pytest.raises(BadOption) as caught:
        CHEESY_HEIST.check_options(options, 3)
    assert caught.value.field == field


def test_cards_of_a_kind_are_alike() -> None:
    """[CH 1.6] A hand is how many it holds of each kind, sorted."""
    for each in dealt(5).hands:
        assert list(each) == sorted(each)
        assert set(each) <= set(range(10))


def test_the_seed_is_bound_first_and_opened_last() -> None:
    """[CH 1.7] With the deal and what was kept; the view shows what binds it from the first moment."""
    log = list(walk(CHEESY_HEIST, Options(), 4, bytes(32)))[-1].log
    revealed, started = only(log, GameRevealed), only(log, GameStarted)
    assert commitment(revealed.seed) == started.commitment
    assert (revealed.hands, revealed.draw_pile) == (only(log, CardsDealt).hands, only(log, CardsDealt).draw_pile)
    first = next(walk(CHEESY_HEIST, Options(), 4, bytes(32))).state
    assert CHEESY_HEIST.view(first, None).commitment == started.commitment


@EVERY_TABLE
def test_the_left_of_the_dealer_begins_and_turns_go_clockwise(seats: int) -> None:
    """[CH 2.1] Around the table and on."""
    for dealer in range(seats):
        events = CHEESY_HEIST.setup(Options(dealer=dealer), seats, bytes(32))
        assert only(events, TurnStarted).seat == (dealer + 1) % seats
    table, turns = laid_out(*["C"] * seats, draw="m" * 10), []
    for _ in range(seats + 1):
        (seat,) = asked(table)
        turns.append(seat)
        table = played(table, (seat, DrawCard()))
    assert turns == [*range(seats), 0]


def test_a_turn_goes_on_after_attacks() -> None:
    """[CH 2.2] As many as one likes, each in a question of its own."""
    table = laid_out("TTGXC", "CC", "m")
    after = played(table, (0, PlayThief(1)), (0, PlayThief(2)), (0, PlayGift(2)))
    assert asked(after) == [0]
    assert after.window == table.window + 3
    assert DrawCard() in offered(after, 0)


def test_a_turn_ends_with_a_card_or_a_cat() -> None:
    """[CH 2.3] The top card of the draw pile comes into the hand; or the Cat leaves it."""
    table = laid_out("XC", "m", draw="Tm")
    drawn = decided(table, 0, DrawCard())
    assert drawn == (CardDrawn(0, THIEF), TurnStarted(2, 1))
    assert played(table, (0, DrawCard())).hands[0] == hand("XCT")
    assert decided(table, 0, PlayCat()) == (CatPlayed(0),)
    assert played(table, (0, PlayCat())).hands[0] == hand("C")


def test_a_turn_is_not_skipped() -> None:
    """[CH 2.4] Whoever holds nothing that can be played draws."""
    assert offered(laid_out("CDVm", "C"), 0) == [DrawCard()]
    assert offered(laid_out("", "C"), 0) == [DrawCard()]


def test_defence_cards_are_not_played_on_a_turn() -> None:
    """[CH 2.4] Nor by others."""
    table = laid_out("VD", "VD")
    assert refusal(table, 0, PlayVault()).reason == "NOT_ASKED_FOR"
    assert refusal(table, 1, PlayVault()).reason == "NOT_YOUR_TURN"
    assert refusal(table, 0, PlayCat()).reason == "CARD_NOT_IN_HAND"


def test_the_kits_pack_is_this_one() -> None:
    """[CH 1.2] Both were written down for themselves."""
    deal = dealt(3)
    assert sorted([*deal.draw_pile, *(card for each in deal.hands for card in each)]) == sorted(
        KITS["cheesy_heist"].cards(Options(), 3)
    )
