"""What this replica has of a table while it works at it: whose turn it is, and the table as it was last known.

A hint saves a read and may only lead to an accepted commit: whoever refuses, repeats or shows something reads the table
first. That a hint is old shows when it is committed on, for its head is then no more the table's.
"""

import asyncio
import time
from collections import OrderedDict

import msgspec
from msgspec.structs import replace

from engine_service.tables.stored import Stored

IDLE_SECONDS = 2.0
"""Shorter than any outage that counts as one, so that the table's clock has not stood still since the last step."""
LIFE_SECONDS = 60.0
"""Redis's time is read again after this, before a replica's own clock has drifted by what anyone could notice."""
MOST = 4096


class Hint(msgspec.Struct, frozen=True, gc=False):
    """A table with its time; `at` is the moment of that time and `read_at` when Redis told one, both monotonic."""

    stored: Stored
    at: float
    read_at: float

    def now(self) -> "Hint | None":
        """Return the same table with the time of this moment, or None when it was known too long ago."""
        now = time.monotonic()
        if now - self.at > IDLE_SECONDS or now - self.read_at > LIFE_SECONDS:
            return None
        server_ms = self.stored.server_ms + round((now - self.at) * 1000)
        return Hint(replace(self.stored, server_ms=server_ms), now, self.read_at)


class Desk:
    """One table's; `turn` is held by the command that is under way."""

    __slots__ = ("_hint", "turn")

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self._hint: Hint | None = None

    def keep(self, hint: Hint) -> None:
        """Know the table for the next command."""
        self._hint = hint

    def take(self) -> Hint | None:
        """Return what is known, and forget it."""
        hint, self._hint = self._hint, None
        return hint.now() if hint is not None else None


class Desks:
    """The desks used last, and all that are in use."""

    def __init__(self) -> None:
        self._desks: OrderedDict[str, Desk] = OrderedDict()

    def at(self, table_id: str) -> Desk:
        """Return a table's desk."""
        desk = self._desks.get(table_id)
        if desk is None:
            self._desks[table_id] = desk = Desk()
            self._clear_away()
        else:
            self._desks.move_to_end(table_id)
        return desk

    def in_use(self, table_id: str) -> bool:
        """Tell whether a command is under way at a table."""
        desk = self._desks.get(table_id)
        return desk is not None and desk.turn.locked()

    def _clear_away(self) -> None:
        if len(self._desks) > MOST:
            table_id, oldest = next(iter(self._desks.items()))
            if oldest.turn.locked():
                self._desks.move_to_end(table_id)
            else:
                del self._desks[table_id]
