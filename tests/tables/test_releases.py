"""What releases stored of tables still loads, whole; what a newer one stored is refused as such."""

import dataclasses
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine_service.rules.game import RoundEnded
from engine_service.rules.registry import GAMES
from engine_service.store.logged import unfolded
from engine_service.tables import codec
from engine_service.tables.codec import Entry, NewerRelease, decode_entry, decode_record, decode_table, encode_table
from engine_service.tables.events import GameEvent, GameOpened
from engine_service.tables.games import game_of
from engine_service.tables.table import Table
from tests.tables.releases import FOLDER, load, played_out

STORED = sorted(FOLDER.glob("*/*.msgpack"))
every_file = pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}/{path.stem}")


@every_file
def test_law_8_the_log_of_a_release_leads_to_the_tables_that_it_stored(path: Path):
    """Entries follow on each other, and the game's events make the game that stands in the table."""
    stored = load(path)
    values = dict(stored.values)
    at, state, game = 0, None, None
    for entry in _log(path):
        assert entry.first == at + 1
        at = entry.last
        for event in entry.events:
            state = None if isinstance(event, GameOpened) else state
            if isinstance(event, GameEvent):
                state = GAMES[_name(path)].evolve(state, event.event)
        if at in values:
            table = decode_table(values[at])
            assert table.sequence == at
            assert table.state == state
            game = table.game
    assert game == _name(path)


@every_file
def test_nothing_that_a_release_stored_is_dropped(path: Path):
    """A table written again holds all that it held: a field with another name by now must be read by its old one."""
    for _, value in load(path).values:
        _assert_within(msgspec.msgpack.decode(value), msgspec.msgpack.decode(encode_table(decode_table(value))))


@every_file
def test_a_table_that_a_release_stored_goes_on(path: Path):
    """From every stored moment of its game to the end, by moves, time-outs and scores."""
    tables = [decode_table(value) for _, value in load(path).values]
    running = [table for table in tables if table.status == "running"]
    assert len(running) > 3
    for table in running:
        *_, last = played_out(table, table.touched_ms, _ended(path, table))
        assert last.table.status == "finished" and game_of(table).is_over(last.table.state)


@every_file
def test_a_chunk_of_a_release_is_the_beginning_of_its_log(path: Path):
    """Every commit with its number, id and entry."""
    stored = load(path)
    ids, rest = stored.chunk
    commits = unfolded([(b"", (b"c", ids, b"z", rest))])
    assert len(commits) > 20
    assert [(c.last, c.commit, c.entry) for c in commits] == [
        (last, last.to_bytes(8), entry) for last, entry in stored.log[: len(commits)]
    ]


@every_file
def test_a_record_of_a_release_is_its_log(path: Path):
    """Event for event, with who played and what was set up."""
    record = decode_record(load(path).record)
    assert record.game == _name(path)
    assert record.entries == tuple(e for e in _log(path) if record.span.first <= e.last <= record.span.last)
    assert [sitter.name for sitter in record.span.players][:2] == ["Ann", "Ben"]
    assert record.options == decode_table(load(path).values[0][1]).options


@pytest.mark.parametrize("newer", ["schema", "rules", "game"])
def test_what_a_newer_release_stored_is_refused_as_such(newer: str, monkeypatch: pytest.MonkeyPatch):
    """A schema, rules of a game, or a game that this release does not have."""
    name, sound = next(iter(GAMES.items()))
    value = next(value for path in STORED if _name(path) == name for _, value in load(path).values)
    table = decode_table(value)
    with monkeypatch.context() as next_release:
        if newer == "schema":
            next_release.setattr(codec, "SCHEMA", codec.SCHEMA + 1)
        elif newer == "rules":
            next_release.setitem(GAMES, name, dataclasses.replace(sound, rules_version=sound.rules_version + 1))
        else:
            next_release.setitem(GAMES, "another", sound)
            table = msgspec.structs.replace(table, game="another")
        written = encode_table(table)
    with pytest.raises(NewerRelease):
        decode_table(written)


def _name(path: Path) -> str:
    return max((name for name in GAMES if path.name.startswith(name)), key=len)


def _log(path: Path) -> list[Entry]:
    return [decode_entry(_name(path), last, entry) for last, entry in load(path).log]


def _ended(path: Path, table: Table[Any, Any]) -> RoundEnded | None:
    """Return the last round that ended before this moment."""
    events = [event for entry in _log(path) if entry.last <= table.sequence for event in entry.events]
    ended = [game_of(table).round_ended(event.event) for event in events if isinstance(event, GameEvent)]
    return next(filter(None, reversed(ended)), None)


def _assert_within(old: Any, new: Any) -> None:
    if isinstance(old, dict):
        for name, value in old.items():
            _assert_within(value, new[name])
    elif isinstance(old, list):
        assert len(old) == len(new)
        for one, other in zip(old, new, strict=True):
            _assert_within(one, other)
    else:
        assert old == new
