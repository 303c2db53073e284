"""A bot that hunts Cheese, sheds Cats and holds on to a Cheese Vault until there is something to save."""

from engine_service.rules.game import Move, Offer, Seat

from ..actions import (
    Action,
    Choice,
    DrawCard,
    DropAll,
    KeepInVault,
    KeepUpTo,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayGrater,
    PlayMirages,
    PlayThief,
    PlayVault,
    TakeCard,
)
from ..asking import best_kept
from ..cards import CAT, CHEESE, DECOY, GIFT, THIEF, VAULT, Cards
from ..views import View
from .worth import hand_worth, shown_hand, unknown_worth, worth

_WORTH_SAVING = 2
"""Cheese in hand from which on a Defence is played."""


def careful(seat: Seat, view: View, offers: tuple[Offer[Choice], ...], chance: bytes) -> Move[Action]:
    """Return the offer that promises most; of those that tie, one that chance decides on."""
    start = chance[0] % len(offers)
    ordered = (*offers[start:], *offers[:start])
    best = max(ordered, key=lambda offer: _promise(seat, view, offer.choice))
    choice = best.choice
    return Move(seat, best.window, KeepInVault(best_kept(choice.of)) if isinstance(choice, KeepUpTo) else choice)


def _promise(seat: Seat, view: View, choice: Choice) -> float:
    """Return what a choice is worth beyond drawing a card or dropping all, which are worth nothing."""
    match choice:
        case DrawCard() | DropAll():
            return 0.0
        case PlayCat():
            return _cat(view)
        case PlayGift(target):
            return 4 + _threat(view, target)
        case PlayThief(target):
            return unknown_worth(view, target) + _threat(view, target) / 4
        case PlayGrater(target):
            return _threat(view, target) if shown_hand(view, target) else 0.1 * view.seats[target].hand_count - 0.5
        case PlayMirages(_, target):
            return _look(view, target)
        case PlayDecoy(wasted):
            return -1.0 if wasted else _saving(view, DECOY)
        case PlayVault(wasted):
            return -1.0 if wasted else _saving(view, VAULT)
        case KeepUpTo(_, of):
            return 1.0 if best_kept(of) else -0.5
        case TakeCard(owner, place):
            return _taking(seat, view, owner, place)
        case _:
            raise AssertionError(f"{choice} is no offer")


def _cat(view: View) -> float:
    """A Cat sheds itself and the hand with it: good for a poor hand, or a rich one with a Vault for its Cheese."""
    hand = view.hand
    saved = best_kept(hand) if VAULT in hand else ()
    at_stake = hand_worth(hand) - hand_worth(saved)
    return 1.5 * hand.count(CAT) - at_stake / 2 - (GIFT in hand)


def _threat(view: View, target: Seat) -> float:
    """Return how close a seat is to winning, as far as its hand was shown; else by the size of the hand."""
    cards = shown_hand(view, target)
    if cards is not None:
        return 4 * (cards.count(CHEESE) / view.goal) - 2 * (CAT in cards)
    return view.seats[target].hand_count / 10


def _look(view: View, target: Seat) -> float:
    """A look serves a Thief that comes after it, and the largest hand hides most."""
    seen = shown_hand(view, target) is not None
    return (1.0 if THIEF in view.hand else -0.1) + view.seats[target].hand_count / 20 - 2 * seen


def _saving(view: View, card: int) -> float:
    cards: Cards = view.hand
    cheese = cards.count(CHEESE)
    if card == DECOY:
        return cheese - _WORTH_SAVING - 1.5 * cards.count(CAT)
    return cheese - _WORTH_SAVING + 0.5


def _taking(seat: Seat, view: View, owner: Seat, place: int) -> float:
    if owner != seat:
        return unknown_worth(view, owner)
    return next(worth(lying.card) for lying in view.seats[seat].lying if lying.place == place)
