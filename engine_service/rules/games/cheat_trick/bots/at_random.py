"""A bot that takes any offer, and of a family any of its actions, each as likely as another."""

from engine_service.rules.game import Move, Offer, Seat
from engine_service.rules.shuffle import picked

from ..actions import (
    Action,
    Choice,
    MayAccuse,
    MayDeclare,
    MayPlay,
    MayRaise,
    MaySplit,
    PlayCard,
    Raise,
    Split,
)
from ..views import View


def at_random(seat: Seat, view: View, offers: tuple[Offer[Choice], ...], chance: bytes) -> Move[Action]:
    """Return one of the offers as a move."""
    offer = offers[picked(len(offers), chance, "bot")]
    return Move(seat, offer.window, _any_of(offer.choice, chance))


def _any_of(choice: Choice, chance: bytes) -> Action:
    match choice:
        case MayDeclare(declarations=left):
            return left[picked(len(left), chance, "of many")]
        case MayRaise(least=least, most=most):
            return Raise(least + picked(most - least + 1, chance, "of many"))
        case MayPlay(card=card):
            return PlayCard(card)
        case MayAccuse(plays=plays):
            return plays[picked(len(plays), chance, "of many")]
        case MaySplit(least=least, most=most, total=total):
            own = least + picked(most - least + 1, chance, "of many")
            return Split(own, total - own)
        case _:
            return choice
