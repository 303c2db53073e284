"""What a viewer gets of a game: only these, never a part of the state that holds more than they name."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Suit
from .cats import Cat
from .events import CardPlayed, CatDecided, DealRevealed, GameEnded, RoundScored, TrickWon, TrumpSet
from .state import CatOnTable, Phase, RoundScore


class Play(Struct, frozen=True, gc=False):
    """A card as it was played."""

    seat: Seat
    card: Card


class TrickView(Struct, frozen=True, gc=False):
    """A trick, complete (with its winner) or not. `number` counts from 1."""

    number: int
    plays: tuple[Play, ...]
    winner: Seat | None = None


class SeatView(Struct, frozen=True, gc=False):
    """What everyone sees of one seat."""

    hand_count: int
    tricks: int
    open_cards: tuple[Card, ...]
    total: int


class View(Struct, frozen=True, gc=False):
    """The game as one viewer sees it."""

    phase: Phase
    round: int
    rounds: int
    starter: Seat
    trump: Suit | None
    trump_chooser: Seat | None
    cats: tuple[CatOnTable, ...]
    hand: tuple[Card, ...]
    """The viewer's own; empty for spectators."""
    seats: tuple[SeatView, ...]
    trick: TrickView | None
    """The trick being played."""
    last_trick: TrickView | None
    """The trick before, while it lies open."""
    tricks_in_round: int
    scored: tuple[RoundScore, ...]
    commitment: bytes
    places: tuple[int, ...]


class GameStartedSeen(Struct, frozen=True, gc=False):
    """The game began."""

    rounds: int


class RoundStartedSeen(Struct, frozen=True, gc=False):
    """A round began."""

    round: int
    starter: Seat
    cats: tuple[Cat, ...]
    commitment: bytes


class CardsDealtSeen(Struct, frozen=True, gc=False):
    """Cards were dealt; `hand` is the viewer's own, empty for spectators."""

    hand: tuple[Card, ...]
    hand_count: int
    set_aside_count: int


class RoundPlayedSeen(Struct, frozen=True, gc=False):
    """A round is played out."""

    round: int


Seen = (
    GameStartedSeen
    | RoundStartedSeen
    | CardsDealtSeen
    | TrumpSet
    | CardPlayed
    | TrickWon
    | CatDecided
    | RoundPlayedSeen
    | RoundScored
    | DealRevealed
    | GameEnded
)
"""An event as a viewer sees it. Events without secrets keep their type, built anew."""
