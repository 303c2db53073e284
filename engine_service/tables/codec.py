"""Tables and logs as bytes: msgpack in an envelope that says which release wrote it.

A release writes schema N only after all releases that may run beside it read N.
"""

import zlib
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec

from engine_service.rules.registry import GAMES
from engine_service.tables.events import AnyEvent, GameEvent, TableEvent
from engine_service.tables.table import GameSpan, Table, TableOptions

SCHEMA = 1

Content = TypeVar("Content")

_encoder = msgspec.msgpack.Encoder()


class NewerRelease(Exception):
    """The bytes were written by a release that this one cannot read."""


class Envelope(msgspec.Struct, Generic[Content], frozen=True, gc=False):
    """What is known of a table before its state can be read."""

    schema: int
    game: str
    rules: int
    table: Content


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A commit in the log: its time and its events; `last` is the number of the last of them."""

    at_ms: int
    events: tuple[AnyEvent, ...]
    last: int = 0

    @property
    def first(self) -> int:
        """The number of its first event."""
        return self.last - len(self.events) + 1


class Record(msgspec.Struct, frozen=True, gc=False):
    """A finished game, whole: what it was set up with, who played, what happened."""

    game: str
    options: TableOptions[Any]
    span: GameSpan
    entries: tuple[Entry, ...]


def encode_table(table: Table[Any, Any]) -> bytes:
    """Return a table as bytes."""
    return _encoder.encode(Envelope(SCHEMA, table.game, GAMES[table.game].rules_version, table))


def decode_table(value: bytes | memoryview) -> Table[Any, Any]:
    """Return the table, or raise NewerRelease."""
    envelope = _envelope.decode(value)
    game = GAMES.get(envelope.game)
    if envelope.schema > SCHEMA or game is None or envelope.rules > game.rules_version:
        raise NewerRelease(f"schema {envelope.schema}, {envelope.game} rules {envelope.rules}")
    table: Table[Any, Any] = _table_decoder(envelope.game).decode(envelope.table)
    return table


def encode_entry(entry: Entry) -> bytes:
    """Return a log entry as bytes."""
    events = [event.event if isinstance(event, GameEvent) else event for event in entry.events]
    return _encoder.encode((entry.at_ms, events))


def decode_entry(game: str, last: int, value: bytes) -> Entry:
    """Return the log entry that ends with event number `last`."""
    at_ms, events = _entry_decoder(game).decode(value)
    return Entry(at_ms, tuple([e if isinstance(e, TableEvent) else GameEvent(e) for e in events]), last)


def encode_record(record: Record) -> bytes:
    """Return a record as compressed bytes."""
    raw = (record.game, record.options, record.span, tuple((e.last, encode_entry(e)) for e in record.entries))
    return zlib.compress(_encoder.encode(raw), 9)


def decode_record(value: bytes) -> Record:
    """Return the record."""
    game, options, span, entries = _record_frame.decode(zlib.decompress(value))
    decoded = tuple(decode_entry(game, last, entry) for last, entry in entries)
    return Record(game, msgspec.msgpack.decode(options, type=_options_type(game)), span, decoded)


_envelope = msgspec.msgpack.Decoder(Envelope[msgspec.Raw])
_record_frame = msgspec.msgpack.Decoder(tuple[str, msgspec.Raw, GameSpan, tuple[tuple[int, bytes], ...]])


def _options_type(game: str) -> Any:
    options = GAMES[game].options_type
    return TableOptions[options]  # type: ignore[valid-type]


@cache
def _table_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    options, state = GAMES[game].options_type, GAMES[game].state_type
    return msgspec.msgpack.Decoder(Table[options, state])  # type: ignore[valid-type]


@cache
def _entry_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    event_type = GAMES[game].event_type
    return msgspec.msgpack.Decoder(tuple[int, tuple[TableEvent | event_type, ...]])  # type: ignore[valid-type]
