"""What a seat does, and how offers describe what it may do."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Suit

PHRASES = FULL_COURT, FAMILY_OF_THREE, MARRIAGE, SIBLINGS, MOTHER_DAUGHTER, FATHER_SON = (1, 2, 3, 4, 5, 6)


class Declare(Struct, frozen=True, tag=True, gc=False):
    """Say, truly or not, that one holds certain court cards of a suit."""

    phrase: int
    suit: Suit


class Vote(Struct, frozen=True, tag=True, gc=False):
    """Let the deal go on, or have it dealt anew."""

    veto: bool


class Raise(Struct, frozen=True, tag=True, gc=False):
    """Bid a number of tricks."""

    tricks: int


class Pass(Struct, frozen=True, tag=True, gc=False):
    """Stay at one's bid and be out."""


class PlayCard(Struct, frozen=True, tag=True, gc=False):
    """Play a card of one's own hand to the trick."""

    card: Card


class Knock(Struct, frozen=True, tag=True, gc=False):
    """Say in a trick, truly or not, that one holds the highest trump that is not out."""

    round: int
    trick: int


class Accuse(Struct, frozen=True, tag=True, gc=False):
    """Say that a seat reneged in a trick of this round."""

    round: int
    trick: int
    seat: Seat


class Done(Struct, frozen=True, tag=True, gc=False):
    """Accuse nobody any more this round."""


class Split(Struct, frozen=True, tag=True, gc=False):
    """Say how many of a team's tricks count for oneself and for one's partner."""

    own: int
    partners: int


class LeaveSplit(Struct, frozen=True, tag=True, gc=False):
    """Leave the split to one's partner, and to the best one if it says nothing either."""


Action = Declare | Vote | Raise | Pass | PlayCard | Knock | Accuse | Done | Split | LeaveSplit


class MayDeclare(Struct, frozen=True, tag=True, gc=False):
    """Each of these may be declared."""

    declarations: tuple[Declare, ...]


class MayRaise(Struct, frozen=True, tag=True, gc=False):
    """Any number of tricks from the least to the most may be bid."""

    least: int
    most: int


class MayPlay(Struct, frozen=True, tag=True, gc=False):
    """A card may be played; only its own seat is told whether that would be a renege."""

    card: Card
    reneges: bool


class MayAccuse(Struct, frozen=True, tag=True, gc=False):
    """Each of these plays may be accused."""

    plays: tuple[Accuse, ...]


class MaySplit(Struct, frozen=True, tag=True, gc=False):
    """Of the total, any number of tricks from the least to the most may count for oneself, the rest for the partner."""

    least: int
    most: int
    total: int


Choice = Vote | Pass | Knock | Done | LeaveSplit | MayDeclare | MayRaise | MayPlay | MayAccuse | MaySplit
"""What an offer describes: an action, or a family of them."""
