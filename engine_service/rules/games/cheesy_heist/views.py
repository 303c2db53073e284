"""What a viewer gets of a game: only these, never a part of the state that holds more than they name."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Cards
from .events import (
    CatPlayed,
    CollectionStarted,
    DecoyPlayed,
    GameEnded,
    GameRevealed,
    GiftPlayed,
    LastDropCalled,
    MiragesPlayed,
    ReactionTimeEnded,
    ResultRecorded,
    TurnStarted,
    VaultPlayed,
)
from .state import Phase, SeatScore, Shown


class Lying(Struct, frozen=True, gc=False):
    """A dropped card, known to its owner."""

    place: int
    card: Card | None = None


class SeatView(Struct, frozen=True, gc=False):
    """What everyone sees of one seat, but for the cards that lie before the viewer itself."""

    hand_count: int
    down: bool
    vaulted: bool
    choosing: bool
    """Whether it chooses what to keep."""
    lying: tuple[Lying, ...]
    hand: Cards
    """Open once the game is decided."""


class View(Struct, frozen=True, gc=False):
    """The game as one viewer sees it."""

    phase: Phase
    turn: int
    turn_seat: Seat
    goal: int
    hand: Cards
    """The viewer's own; empty for spectators."""
    seats: tuple[SeatView, ...]
    draw_count: int
    discards: Cards
    shown: tuple[Shown, ...]
    last_drop: bool
    time_over: bool
    collector: Seat | None
    reaction_seconds: int
    score: tuple[SeatScore, ...]
    commitment: bytes
    places: tuple[int, ...]


class GameStartedSeen(Struct, frozen=True, gc=False):
    """The game began."""

    goal: int
    dealer: Seat
    commitment: bytes


class CardsDealtSeen(Struct, frozen=True, gc=False):
    """Cards were dealt; `hand` is the viewer's own, empty for spectators."""

    hand: Cards
    hand_count: int
    draw_count: int


class CardDrawnSeen(Struct, frozen=True, gc=False):
    """A card was drawn, seen by who drew it."""

    seat: Seat
    card: Card | None
    by_engine: bool


class ThiefPlayedSeen(Struct, frozen=True, gc=False):
    """A card was stolen, seen by thief and victim."""

    seat: Seat
    target: Seat
    card: Card | None


class GraterPlayedSeen(Struct, frozen=True, gc=False):
    """Cards were grated, seen by who did it and by whom they were taken from."""

    seat: Seat
    target: Seat
    count: int
    cards: Cards


class CardsDroppedSeen(Struct, frozen=True, gc=False):
    """Cards were dropped; their owner sees which, and what it kept."""

    seat: Seat
    count: int
    cards: Cards
    kept_count: int
    kept: Cards
    by_engine: bool


class CardTakenSeen(Struct, frozen=True, gc=False):
    """A dropped card was taken, seen by who took it and by its former owner."""

    seat: Seat
    owner: Seat
    place: int
    card: Card | None
    by_engine: bool


class HandsCountedSeen(Struct, frozen=True, gc=False):
    """The game is decided, and all hands lie open."""

    hands: tuple[Cards, ...]
    last_drop: bool


Seen = (
    GameStartedSeen
    | CardsDealtSeen
    | TurnStarted
    | CardDrawnSeen
    | MiragesPlayed
    | ThiefPlayedSeen
    | GraterPlayedSeen
    | GiftPlayed
    | CatPlayed
    | LastDropCalled
    | ReactionTimeEnded
    | VaultPlayed
    | DecoyPlayed
    | CardsDroppedSeen
    | CollectionStarted
    | CardTakenSeen
    | HandsCountedSeen
    | ResultRecorded
    | GameRevealed
    | GameEnded
)
"""An event as a viewer sees it. Events without secrets keep their type, built anew."""
