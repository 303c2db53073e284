"""What a seat does, and the one offer that stands for many actions. Every other offer is an action itself."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Cards


class DrawCard(Struct, frozen=True, tag=True, gc=False):
    """End the turn with the top card of the draw pile; of an empty one: call the last drop."""


class PlayCat(Struct, frozen=True, tag=True, gc=False):
    """End the turn with a Cat."""


class PlayThief(Struct, frozen=True, tag=True, gc=False):
    """Steal a card from a hand, unseen."""

    target: Seat


class PlayGrater(Struct, frozen=True, tag=True, gc=False):
    """Look at two cards of a hand and shuffle them into the draw pile."""

    target: Seat


class PlayGift(Struct, frozen=True, tag=True, gc=False):
    """Give a Cat away."""

    target: Seat


class PlayMirages(Struct, frozen=True, tag=True, gc=False):
    """Make a seat show its hand."""

    cards: Cards
    """Three alike or three different."""
    target: Seat


class DropAll(Struct, frozen=True, tag=True, gc=False):
    """Drop the whole hand."""


class PlayVault(Struct, frozen=True, tag=True, gc=False):
    """Play a Cheese Vault. In an offer: whether it would be wasted; in a move: whether that is accepted."""

    wasted: bool = False


class PlayDecoy(Struct, frozen=True, tag=True, gc=False):
    """Play a Decoy. In an offer: whether it would be wasted; in a move: whether that is accepted."""

    wasted: bool = False


class KeepInVault(Struct, frozen=True, tag=True, gc=False):
    """Keep these cards, drop the others."""

    cards: Cards


class TakeCard(Struct, frozen=True, tag=True, gc=False):
    """Take a dropped card: the one in this place before its owner, from 0."""

    owner: Seat
    place: int


class KeepUpTo(Struct, frozen=True, tag=True, gc=False):
    """An offer: any so many cards of these may be kept."""

    count: int
    of: Cards


Action = (
    DrawCard
    | PlayCat
    | PlayThief
    | PlayGrater
    | PlayGift
    | PlayMirages
    | DropAll
    | PlayVault
    | PlayDecoy
    | KeepInVault
    | TakeCard
)
Choice = Action | KeepUpTo
