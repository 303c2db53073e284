"""What a seat does when it is asked. Every offer of this game is one of these."""

from msgspec import Struct

from .cards import Card, Suit


class ChooseTrump(Struct, frozen=True, tag=True, gc=False):
    """Name the trump suit of the round."""

    suit: Suit


class PlayCard(Struct, frozen=True, tag=True, gc=False):
    """Play a card of one's own hand to the trick."""

    card: Card


Action = ChooseTrump | PlayCard
