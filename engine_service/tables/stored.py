"""A table as it was read at one moment, decoded."""

from typing import Any

import msgspec

from engine_service.store.head import Head
from engine_service.store.logged import Logged
from engine_service.store.table_store import Row
from engine_service.tables.codec import Entry, NewerRelease, decode_entry, decode_table
from engine_service.tables.table import Table
from service_runtime.errors import Refused


class Stored(msgspec.Struct, frozen=True, gc=False):
    """A table with its head and the time of that moment."""

    table: Table[Any, Any]
    head: Head
    server_ms: int
    """Redis time: what clients are told."""
    credit_ms: int
    """What the table's clock is behind Redis time."""
    connected: frozenset[int] = frozenset()
    """Seats with a stream open."""
    faults: int = 0
    """How often its rules raised."""

    @property
    def now_ms(self) -> int:
        """The table's own clock."""
        return self.server_ms - self.credit_ms


def stored_of(row: Row) -> Stored | None:
    """Return the table of a row, or None for no such table. Refuses NEWER_RELEASE."""
    if row.value is None:
        return None
    try:
        table = decode_table(row.value)
    except NewerRelease as newer:
        raise Refused("NEWER_RELEASE", str(newer)) from newer
    return Stored(table, row.head, row.server_ms, row.credit_ms, row.connected, row.faults)


def entries_of(table: Table[Any, Any], commits: tuple[Logged, ...]) -> tuple[Entry, ...]:
    """Return the decoded commits."""
    return tuple(decode_entry(table.game, commit.last, commit.entry) for commit in commits)
