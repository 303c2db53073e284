"""A table as it is stored: everything that must survive, and nothing else.

Times are milliseconds of the partition's clock (Redis time less the credit of its outages), never a replica's own.
"""

from typing import Any, Generic, Literal, TypeVar

import msgspec

from service_runtime.errors import Refused

Options = TypeVar("Options")
State = TypeVar("State")

Status = Literal["open", "running", "finished", "closed"]


class TableOptions(msgspec.Struct, Generic[Options], frozen=True, gc=False):
    """What a table was set up with; `game` is the game's own options."""

    game: Options
    seats: int
    move_seconds: int
    """0: no clock."""
    bank_seconds: int
    allow_spectators: bool
    listed: bool


class Sitter(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Who sits on a seat, and what the table remembers of it."""

    player_id: str
    """Empty for bots."""
    name: str
    bot: str = ""
    away: bool = False
    missed: int = 0
    """Questions in a row that ran out of time."""
    bank_ms: int = 0
    wants_rematch: bool = False


class Asked(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An open question with the time it was asked and the time at which the engine acts on it, if ever."""

    window: int
    seat: int | None
    since_ms: int
    due_ms: int | None = None
    fixed: bool = False
    """The question has its own seconds; the bank is not touched."""
    earliest_ms: int = 0
    """So long nobody is answered for; it costs nothing of the bank, however short a move's time is."""
    used_ms: int = 0
    """What its player had used of it before the seat went away."""


class GameSpan(msgspec.Struct, frozen=True, gc=False):
    """Where a game stands in the table's log, from its opening to its end (0 while it runs), and who played it."""

    number: int
    first: int
    last: int
    players: tuple[Sitter, ...]


class Table(msgspec.Struct, Generic[Options, State], frozen=True, gc=False, omit_defaults=True):
    """A table. `key` and `state` are secret; only `tables.views` shows any of it to anyone."""

    table_id: str
    code: str
    game: str
    options: TableOptions[Options]
    key: bytes
    created_ms: int
    seats: tuple[Sitter | None, ...]
    status: Status = "open"
    host: int | None = None
    sequence: int = 0
    touched_ms: int = 0
    """When a player last called; what abandonment is counted from."""
    game_number: int = 0
    span: GameSpan | None = None
    """The latest game."""
    unarchived: tuple[GameSpan, ...] = ()
    """Games that are over and have no record yet, the oldest first."""
    state: State | None = None
    asked: tuple[Asked, ...] = ()
    scoring_since_ms: int | None = None
    ended_ms: int | None = None
    """When the game or the table ended."""
    open_from: int = 1
    """Everything from this event on may be looked back at, but for what `veiled_to` hides."""
    veiled_to: int = 0
    """Events from `open_from` up to this one are hidden until a round is scored; 0: none are."""
    answers: dict[bytes, bytes] = {}
    """The last answers of each player, packed (see `requests`)."""

    def seat_of(self, player_id: str) -> int | None:
        """Return the player's seat, or None."""
        for seat, sitter in enumerate(self.seats):
            if sitter is not None and sitter.player_id == player_id != "":
                return seat
        return None

    def viewer(self, player_id: str) -> int | None:
        """Return the seat whose view a player gets, None for a spectator's. Refuses NO_SPECTATORS."""
        seat = self.seat_of(player_id)
        if seat is None and not self.options.allow_spectators:
            raise Refused("NO_SPECTATORS", "the caller has no seat and the table allows no spectators")
        return seat

    def free_seat(self) -> int | None:
        """Return the first free seat, or None."""
        return next((seat for seat, sitter in enumerate(self.seats) if sitter is None), None)

    def people(self) -> tuple[int, ...]:
        """Return the seats that people sit on."""
        return tuple(seat for seat, sitter in enumerate(self.seats) if sitter is not None and not sitter.bot)

    def with_sitter(self, seat: int, sitter: Sitter | None) -> "Table[Any, Any]":
        """Return the table with somebody else, or nobody, on a seat."""
        return msgspec.structs.replace(self, seats=(*self.seats[:seat], sitter, *self.seats[seat + 1 :]))

    def hides(self, sequence: int) -> bool:
        """Tell whether an event of the log lies hidden from everyone now."""
        return self.open_from <= sequence <= self.veiled_to
