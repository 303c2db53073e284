"""A bot that takes any offer, each as likely as another."""

from engine_service.rules.game import Move, Offer, Seat
from engine_service.rules.shuffle import picked

from ..actions import Action
from ..views import View


def at_random(seat: Seat, view: View, offers: tuple[Offer[Action], ...], chance: bytes) -> Move[Action]:
    """Return one of the offers as a move."""
    offer = offers[picked(len(offers), chance, "bot")]
    return Move(seat, offer.window, offer.choice)
