"""The state of a game: everything, secrets included. Only `projection` decides what of it anyone sees."""

from enum import IntEnum

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Suit
from .options import Options


class Phase(IntEnum):
    """Where a game stands."""

    VOTE = 1
    """The first packets are dealt; whether to go on is voted on."""
    BID = 2
    """The cards are dealt; tricks are bid for."""
    TRICKS = 3
    """Tricks are being played."""
    LAST_QUESTION = 4
    """All tricks are played; the last accusations may be made."""
    SPLIT = 5
    """Teams say which tricks count for whom."""
    SCORING = 6
    """The round is played; scores are awaited."""
    OVER = 7
    """The game is over."""


class VetoedDeal(Struct, frozen=True, gc=False):
    """A deal that was vetoed. Its seed is secret until the game is over."""

    round: int
    deal: int
    seed: bytes


class Declaration(Struct, frozen=True, gc=False):
    """What a seat said of its cards, true or not."""

    seat: Seat
    phrase: int
    suit: Suit


class Call(Struct, frozen=True, gc=False):
    """A raise to a number of tricks, or a pass."""

    seat: Seat
    tricks: int | None


class Trick(Struct, frozen=True, gc=False):
    """A complete trick."""

    leader: Seat
    cards: tuple[Card, ...]
    """From the leader counter-clockwise."""
    winner: Seat


class KnockMade(Struct, frozen=True, gc=False):
    """A knock, and the trick it belongs to."""

    trick: int
    seat: Seat


class Accusation(Struct, frozen=True, gc=False):
    """An accusation and its verdict."""

    accuser: Seat
    seat: Seat
    trick: int
    right: bool


class TeamSplit(Struct, frozen=True, gc=False):
    """What counts for the lower and the higher seat of a team; empty: its partners said nothing."""

    team: int
    tricks: tuple[int, ...]


class SeatScore(Struct, frozen=True, gc=False):
    """How a seat scored in a round."""

    bid: int
    trick_value: int
    won: int
    """Tricks it took."""
    counted: int
    """Tricks that counted for it, after accusations and splits."""
    own_points: int
    points: int
    """Its own, or its team's."""


class RoundScore(Struct, frozen=True, gc=False):
    """A scored round."""

    round: int
    seats: tuple[SeatScore, ...]


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """A game between two events. Tuples by seat have one entry a seat."""

    options: Options
    seats: int
    rounds: int
    key: bytes
    """Secret for ever: what every deal's seed derives from."""
    phase: Phase = Phase.VOTE
    closed: int = 0
    """Windows that were closed so far. One is open at a time, whose number is this plus one."""

    round: int = 0
    deal: int = 0
    """Deals of the round so far, vetoed ones included."""
    dealer: Seat = 0
    seed: bytes = b""
    """Secret until the round is scored: what this deal came from."""
    commitment: bytes = b""
    vetoed: tuple[VetoedDeal, ...] = ()
    """The vetoed deals of the game."""
    vetoes: tuple[int, ...] = ()
    """Vetoes of the game, by seat."""

    hands: tuple[tuple[Card, ...], ...] = ()
    """By seat, sorted; empty before the deal."""
    pack: tuple[Card, ...] = ()
    """What is not dealt yet, in order."""
    turned_up: Card | None = None
    """The card that lies beside the hands, with four players."""
    open_cards: tuple[Card, ...] = ()
    """The cards that were dealt face up, by seat, with three players."""
    trump: Suit | None = None
    """None before the deal is complete, or when there is none in this round."""

    declarations: tuple[Declaration, ...] = ()
    """Those of this deal."""
    voted: tuple[Seat, ...] = ()
    """Who voted to play this deal, in order."""
    calls: tuple[Call, ...] = ()

    leader: Seat = 0
    """Who leads or led to the trick being played."""
    plays: tuple[Card, ...] = ()
    """The trick being played, from the leader counter-clockwise."""
    tricks: tuple[Trick, ...] = ()
    """The complete tricks of the round."""
    won: tuple[int, ...] = ()
    """Tricks of the round, by seat: as they were won, and after the last question as accusations moved them."""
    knocks: tuple[KnockMade, ...] = ()
    accusations: tuple[Accusation, ...] = ()
    gave: tuple[bool, ...] = ()
    """By accusation, after the last question: whether it moved a trick."""
    silent: tuple[Seat, ...] = ()
    """Who has no more to say in the open window of the last question or of the splits."""
    splits: tuple[TeamSplit, ...] = ()
    """Those that are settled."""

    totals: tuple[int, ...] = ()
    """Points of the game so far, by seat."""
    scored: tuple[RoundScore, ...] = ()
    places: tuple[int, ...] = ()
    """By seat; empty until the game is over."""
