"""A bot that takes any offer, each as likely as another, and keeps any cards in a Cheese Vault."""

from engine_service.rules.game import Move, Offer, Seat
from engine_service.rules.shuffle import below, picked, shuffled, words

from ..actions import Action, Choice, KeepInVault, KeepUpTo
from ..views import View


def at_random(seat: Seat, view: View, offers: tuple[Offer[Choice], ...], chance: bytes) -> Move[Action]:
    """Return one of the offers as a move."""
    offer = offers[picked(len(offers), chance, "bot")]
    if isinstance(offer.choice, KeepUpTo):
        count = below(words(chance, "count"), offer.choice.count + 1)
        kept = shuffled(offer.choice.of, chance, "kept")[:count]
        return Move(seat, offer.window, KeepInVault(tuple(sorted(kept))))
    return Move(seat, offer.window, offer.choice)
