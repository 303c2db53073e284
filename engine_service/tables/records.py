"""Records: the events of a game, as a viewer may see them. A pure read of the log, or of what the log became."""

from typing import Any

import msgspec
from msgspec.structs import replace

from engine_service.store.table_store import Step, TableStore
from engine_service.tables.codec import Entry, Record, decode_record, encode_record, encode_table
from engine_service.tables.policy import Policy
from engine_service.tables.stored import Stored, entries_of
from engine_service.tables.table import GameSpan, Table, TableOptions
from engine_service.tables.timing import next_due_ms
from service_runtime.errors import Refused


class Kept(msgspec.Struct, frozen=True):
    """A game's events with what they need to be read."""

    game: str
    options: TableOptions[Any]
    span: GameSpan
    entries: tuple[Entry, ...]
    complete: bool
    hidden: tuple[int, int] = (1, 0)
    """Events from the first to the second of these numbers lie hidden."""

    def shows(self, sequence: int) -> bool:
        """Tell whether an event may be looked back at."""
        return self.span.first <= sequence and not self.hidden[0] <= sequence <= self.hidden[1]

    def viewer(self, player_id: str) -> int | None:
        """Return the seat the player had in this game, or None."""
        for seat, sitter in enumerate(self.span.players):
            if sitter.player_id == player_id != "":
                return seat
        return None


async def kept(store: TableStore, table_id: str, stored: Stored | None, game_number: int) -> Kept:
    """Return a game of a table, running, finished, or of a table that is gone. `game_number` 0: the latest."""
    if stored and (span := _in_log(stored.table, game_number)):
        table = stored.table
        # Not further than the table as it was read: what lies hidden after a later event is not known yet.
        last = span.last or stored.head.sequence
        entries = entries_of(table, await store.log(table.table_id, span.first, last))
        hidden = (table.open_from, table.veiled_to)
        return Kept(table.game, table.options, span, entries, complete=bool(span.last), hidden=hidden)
    value = await store.record(table_id, game_number)
    if value is None:
        raise Refused("NO_RECORD", "there is no record of such a game") if stored else _not_found(table_id)
    record = decode_record(value)
    return Kept(record.game, record.options, record.span, record.entries, complete=True)


async def archive(store: TableStore, stored: Stored, policy: Policy) -> bool:
    """Write the record of the table's oldest finished game that has none; False when another step came first.

    The log keeps this game for those who watch, and drops what was before it.
    """
    table, span = stored.table, stored.table.unarchived[0]
    entries = entries_of(table, await store.log(table.table_id, span.first, span.last))
    record = encode_record(Record(table.game, table.options, span, entries))
    after: Table[Any, Any] = replace(table, unarchived=table.unarchived[1:])
    step = Step(
        table_id=table.table_id,
        old=stored.head,
        new=stored.head,
        value=encode_table(after),
        entry=b"",
        due_ms=next_due_ms(after, policy),
        listed_ms=None,
        round_ended=None,
    )
    keep_from = span.first if span.number > 1 else None
    return await store.archive(step, span.number, record, policy.record_days * 86_400_000, keep_from)


def _in_log(table: Table[Any, Any], game_number: int) -> GameSpan | None:
    """Return where a game stands in the log, if it is the latest or has no record yet."""
    spans = (table.span, *table.unarchived) if table.span else ()
    return next((span for span in spans if game_number in (0, span.number)), None)


def _not_found(table_id: str) -> Refused:
    return Refused("TABLE_NOT_FOUND", "there is no such table", facts={"table_id": table_id[:64]})
