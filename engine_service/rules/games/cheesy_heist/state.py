"""The state of a game: everything, secrets included. Only `projection` decides what of it anyone sees."""

from enum import IntEnum

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Cards
from .options import Options


class Phase(IntEnum):
    """Where a game stands."""

    TURN = 1
    """A seat plays cards, until it draws or plays a Cat."""
    REACTION = 2
    """Everyone drops cards, or defends."""
    COLLECTION = 3
    """Dropped cards are taken, one by one."""
    SCORING = 4
    """The game is decided; scores are awaited."""
    OVER = 5
    """The game is over."""


class Shown(Struct, frozen=True, gc=False):
    """A hand as a Mirage set showed it."""

    seat: Seat
    cards: Cards


class Kept(Struct, frozen=True, gc=False):
    """What a seat kept in a Cheese Vault."""

    seat: Seat
    cards: Cards


class SeatScore(Struct, frozen=True, gc=False):
    """How a seat ended."""

    cheese: int
    cats: int
    won: bool
    points: int


class State(Struct, frozen=True, gc=False):
    """A game between two events. Tuples by seat have one entry a seat."""

    options: Options
    seats: int
    goal: int
    seed: bytes
    """Secret until the game is over: what all chance of the game comes from."""
    commitment: bytes
    dealer: Seat
    phase: Phase = Phase.TURN

    window: int = 0
    """Of the question that is open; a reaction window's pause has the next number."""
    last_window: int = 0
    """The highest number that any question had."""
    chances: int = 0
    """How often chance was asked since the deal; makes every answer a new one."""

    turn: int = 0
    turn_seat: Seat = 0
    hands: tuple[Cards, ...] = ()
    """By seat, sorted; empty before the deal."""
    draw_pile: Cards = ()
    """From the top."""
    discards: Cards = ()
    """In the order they were played."""
    shown: tuple[Shown, ...] = ()
    """What each Mirage set of this turn showed, in the order they were played."""

    last_drop: bool = False
    """Whether cards are dropped for the last time."""
    time_over: bool = False
    """Whether the least reaction time is over."""
    down: tuple[bool, ...] = ()
    """By seat: whether it has dropped."""
    dropped: tuple[tuple[Card | None, ...], ...] = ()
    """By owner, then by place; None: taken."""
    vaulted: tuple[bool, ...] = ()
    """By seat: whether it played a Cheese Vault on this Cat."""
    vault_windows: tuple[int, ...] = ()
    """By seat: the window in which it chooses what to keep; 0: it does not."""
    kept: tuple[Kept, ...] = ()
    """All that was kept in Cheese Vaults, from the beginning of the game, but for nothing; secret until its end."""
    collector: Seat = 0

    score: tuple[SeatScore, ...] = ()
    """By seat; empty before the scores come."""
    places: tuple[int, ...] = ()
    """By seat; empty until the game is over."""
