"""Tables as this replica last knew them, to save a read.

A hint may only lead to an accepted commit: whoever refuses, repeats or shows something reads the table first. That a
hint is old shows when it is committed on, for its head is then no more the table's.
"""

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


class Hints:
    """The tables written last."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Hint] = OrderedDict()

    def keep(self, hint: Hint) -> None:
        """Know a table."""
        table_id = hint.stored.table.table_id
        self._known[table_id] = hint
        self._known.move_to_end(table_id)
        if len(self._known) > MOST:
            self._known.popitem(last=False)

    def take(self, table_id: str) -> Hint | None:
        """Return what is known of a table, and forget it."""
        hint = self._known.pop(table_id, None)
        return hint.now() if hint is not None else None
