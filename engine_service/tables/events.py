"""What happens at a table beside its game. Numbers and times stand beside the events, in the log."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from engine_service.tables.table import Sitter, TableOptions

Event = TypeVar("Event")


class TableCreated(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The table was set up."""

    options: TableOptions[Any]


class PlayerJoined(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A player or a bot took a seat."""

    seat: int
    sitter: Sitter


class PlayerLeft(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat became free."""

    seat: int


class HostChanged(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Another seat is the host's."""

    seat: int


class GameOpened(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A game began."""

    game_number: int


class SeatWentAway(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The engine plays for a seat."""

    seat: int
    left: bool


class SeatReturned(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A player is back."""

    seat: int


class RematchWanted(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat wants another game."""

    seat: int


class GameVoided(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The game ended without a result. `reason` is a name of EndReason."""

    reason: str


class TableClosed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The table is closed. `reason` is a name of EndReason."""

    reason: str


class GameEvent(msgspec.Struct, Generic[Event], frozen=True, tag=True, gc=False):
    """An event of the game, whole: it may hold secrets."""

    event: Event


TableEvent = (
    TableCreated
    | PlayerJoined
    | PlayerLeft
    | HostChanged
    | GameOpened
    | SeatWentAway
    | SeatReturned
    | RematchWanted
    | GameVoided
    | TableClosed
)
AnyEvent = TableEvent | GameEvent[Any]


class Change(msgspec.Struct, frozen=True, gc=False):
    """What a command does to a table: the table after it, what happened, and the answer's own number.

    `round_ended` is the game's report of a round, to be scored. `scores_entry` is the id of the entry of the score
    stream that the change follows from: without that entry there is no change.
    """

    table: Any
    events: tuple[AnyEvent, ...] = ()
    value: int = 0
    round_ended: Any = None
    scores_entry: str = ""

    def then(self, following: Callable[[Any], "Change"]) -> "Change":
        """Return this change and what follows from it as one."""
        if not self.events:
            return following(self.table)
        after = following(msgspec.structs.replace(self.table, sequence=self.table.sequence + len(self.events)))
        table = msgspec.structs.replace(after.table, sequence=self.table.sequence)
        return msgspec.structs.replace(after, table=table, events=(*self.events, *after.events))
