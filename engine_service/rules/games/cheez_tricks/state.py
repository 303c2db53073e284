"""The state of a game: everything, secrets included. Only `projection` decides what of it anyone sees."""

from enum import IntEnum

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Suit
from .cats import Cat
from .options import Options


class Phase(IntEnum):
    """Where a game stands."""

    TRUMP = 1
    """Trump is not known yet."""
    TRICKS = 2
    """Tricks are being played."""
    SCORING = 3
    """The round is played; scores are awaited."""
    OVER = 4
    """The game is over."""


TRUMP, TRICKS, SCORING, OVER = Phase


class CatOnTable(Struct, frozen=True, omit_defaults=True, gc=False):
    """One of the three cats of the round."""

    cat: Cat
    caught: tuple[Seat, ...] = ()
    """Whom it caught, in the order of capture."""
    decided: bool = False
    """Whether that is final."""


class Trick(Struct, frozen=True, gc=False):
    """A complete trick."""

    leader: Seat
    cards: tuple[Card, ...]
    """From the leader clockwise."""
    winner: Seat


class SeatScore(Struct, frozen=True, gc=False):
    """How a seat scored in a round."""

    tricks: int
    cats: int
    points_per_trick: int
    points: int


class RoundScore(Struct, frozen=True, gc=False):
    """A scored round."""

    round: int
    seats: tuple[SeatScore, ...]
    cats: tuple[CatOnTable, ...]


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """A game between two events. Tuples by seat have one entry a seat."""

    options: Options
    seats: int
    rounds: int
    key: bytes
    """Secret for ever: what every deal's seed derives from."""
    phase: Phase = TRUMP
    answered: int = 0
    """Questions answered so far. One is asked at a time, so an open question's window is this plus one."""

    round: int = 0
    starter: Seat = 0
    trump_chooser: Seat | None = None
    """Who chooses trump this round; None in the first, where it is drawn."""
    seed: bytes = b""
    """Secret until the round is scored: what this deal came from."""
    commitment: bytes = b""
    cats: tuple[CatOnTable, ...] = ()
    cat_places: tuple[int, ...] = ()
    """Where in the deck the cats on the table come from."""
    discards: tuple[int, ...] = ()
    """Places in the deck of the cats that are used up."""

    hands: tuple[tuple[Card, ...], ...] = ()
    """By seat, sorted; empty before the deal."""
    set_aside: tuple[Card, ...] = ()
    trump: Suit | None = None
    leader: Seat = 0
    """Who leads or led to the trick being played."""
    plays: tuple[Card, ...] = ()
    """The trick being played, from the leader clockwise."""
    tricks: tuple[Trick, ...] = ()
    """The complete tricks of the round."""
    won: tuple[int, ...] = ()
    """Tricks won this round, by seat."""

    totals: tuple[int, ...] = ()
    """Points of the game so far, by seat."""
    scored: tuple[RoundScore, ...] = ()
    places: tuple[int, ...] = ()
    """By seat; empty until the game is over."""
