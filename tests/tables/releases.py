"""What released versions stored of tables: values, log entries, a chunk and a record, which later ones must still load.

`python -m tests.tables.releases` writes the files of the version that is being made; older folders are never touched.
"""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from cheeseboard.engine.v1 import tables_pb2
from engine_service.rules.game import Move, RoundEnded
from engine_service.rules.registry import GAMES
from engine_service.rules.shuffle import derived
from engine_service.store.head import Head
from engine_service.store.logged import Logged, folded
from engine_service.store.table_store import FOLDED
from engine_service.tables import playing, seating
from engine_service.tables.codec import Entry, Record, encode_entry, encode_record, encode_table
from engine_service.tables.events import Change
from engine_service.tables.games import game_of
from engine_service.tables.policy import Policy
from engine_service.tables.requests import Answer, Request, remembering
from engine_service.tables.table import Sitter, Table, TableOptions
from tests.rules.kits import KITS
from tests.rules.walks import AnyGame

FOLDER = Path(__file__).parent / "releases"
SEED = b"stored tables".ljust(32, b".")
POLICY = Policy()
ANN, BEN = Sitter("ann", "Ann"), Sitter("ben", "Ben")
SEATS, MOVE_SECONDS, BANK_SECONDS = 3, 10, 5
OPTION_SETS = 2
"""So many of a kit's option sets are stored as tables; all of them are as games, in tests/rules/golden."""
ABSENT_EVERY, ABSENT_FOR, KEPT_EVERY = 40, 20, 13
"""In steps: how often and how long a player is absent, and how often the table's value is kept."""

AnyTable = Table[Any, Any]


class Stored(msgspec.Struct, frozen=True):
    """A table as it was stored: log entries and values by the number of their last event, the first entries as a chunk,
    and the game's record.
    """

    log: tuple[tuple[int, bytes], ...]
    chunk: tuple[bytes, bytes]
    values: tuple[tuple[int, bytes], ...]
    record: bytes


class Played(msgspec.Struct, frozen=True):
    """A table after a step, with the step's log entry."""

    table: AnyTable
    entry: Entry


def files() -> dict[Path, bytes]:
    """Return the files that this version writes."""
    return {
        FOLDER / version("cheeseboard") / f"{game.name}_{number}.msgpack": msgspec.msgpack.encode(
            _stored(game, options)
        )
        for game in GAMES.values()
        for number, options in enumerate(KITS[game.name].option_sets(SEATS)[:OPTION_SETS])
    }


def load(path: Path) -> Stored:
    """Return a stored table."""
    return msgspec.msgpack.decode(path.read_bytes(), type=Stored)


def _stored(game: AnyGame, options: Any) -> Stored:
    steps = list(_story(game, options))
    over = next(step.table for step in steps if step.table.unarchived)
    span = over.unarchived[0]
    entries = tuple(step.entry for step in steps if span.first <= step.entry.last <= span.last)
    kept = [step for number, step in enumerate(steps) if number % KEPT_EVERY == 0 or _is_rare(step.table)]
    log = tuple((step.entry.last, encode_entry(step.entry)) for step in steps)
    return Stored(
        log=log,
        chunk=folded([Logged(last, last.to_bytes(8), entry) for last, entry in log[:FOLDED]]),
        values=tuple((step.table.sequence, encode_table(step.table)) for step in kept),
        record=encode_record(Record(game.name, over.options, span, entries)),
    )


def _is_rare(table: AnyTable) -> bool:
    used = any(asked.used_ms for asked in table.asked)
    return table.status != "running" or table.scoring_since_ms is not None or used


def _story(game: AnyGame, options: Any) -> Iterator[Played]:
    """Yield the steps of a table: people and a bot sit down, play a game with time-outs, want another, and leave it."""
    setup = TableOptions(options, SEATS, MOVE_SECONDS, BANK_SECONDS, allow_spectators=True, listed=True)
    blank: AnyTable = Table("00" + "a" * 18, "ABCDEF", game.name, setup, derived(SEED, game.name), 0, (None,) * SEATS)
    yield (step := _step(blank, seating.create(blank, ANN), 0))
    yield (step := _step(step.table, seating.join(step.table, BEN, None), 1_000))
    yield (step := _step(step.table, seating.seat_bot(step.table, 0, "", None, 2_000, POLICY), 2_000))
    yield (step := _step(step.table, seating.start(step.table, 0, 3_000, POLICY), 3_000))
    yield from (game_steps := list(played_out(step.table, 3_000)))
    step = game_steps[-1]
    now_ms = step.entry.at_ms
    back = seating.come_back(step.table, 1, now_ms, POLICY)
    if back.events:
        yield (step := _step(step.table, back, now_ms))
    for seat in (0, 1):
        yield (step := _step(step.table, seating.ask_rematch(step.table, seat, now_ms, POLICY), now_ms))
    yield (step := _step(step.table, seating.leave(step.table, 1, now_ms, POLICY), now_ms))
    yield (step := _step(step.table, playing.void(step.table, "ABANDONED", now_ms), now_ms))
    yield _step(step.table, seating.close(step.table, "DONE", now_ms), now_ms)


def played_out(table: AnyTable, now_ms: int, ended: RoundEnded | None = None) -> Iterator[Played]:
    """Yield the steps to the end of a running game; `ended` is the round whose scores it waits for, if it does."""
    number = 0
    while table.status == "running":
        number, now_ms = number + 1, now_ms + 1_500
        if table.scoring_since_ms is not None:
            assert ended is not None
            scores = KITS[table.game].score(table.state, ended)
            change = playing.record_scores(table, table.game_number, scores, now_ms, POLICY)
        else:
            change, now_ms = _next(table, number, now_ms)
        ended = change.round_ended or ended
        if change.events:
            step = _step(table, change, now_ms)
            table = step.table
            yield step


def _next(table: AnyTable, number: int, now_ms: int) -> tuple[Change, int]:
    """Return what somebody does next, and when: Ben is absent now and then, and comes back."""
    game, asked, ben = game_of(table), table.asked[0], table.seats[1]
    if ben is not None and ben.away and number % ABSENT_EVERY > ABSENT_FOR:
        return seating.come_back(table, 1, now_ms, POLICY), now_ms
    offers = () if asked.seat is None else game.offers(table.state, asked.seat)
    if asked.seat is None or not offers or (asked.seat == 1 and number % ABSENT_EVERY < ABSENT_FOR):
        due_ms = max(now_ms, asked.due_ms or 0)
        return playing.time_up(table, asked.seat, asked.window, due_ms, POLICY), due_ms
    offer = offers[number % len(offers)]
    actions = KITS[table.game].chosen(offer.choice)
    move = Move(asked.seat, offer.window, actions[number % len(actions)])
    return playing.move(table, move, now_ms, POLICY), now_ms


def _step(table: AnyTable, change: Change, now_ms: int) -> Played:
    """Return a table after a step that Ann asked for."""
    last = table.sequence + len(change.events)
    request = Request.of(ANN.player_id, f"request-{last}", tables_pb2.SubmitMoveRequest(window=last))
    answer = Answer(Head(last, derived(SEED, f"commit/{last}")[:8]), change.value)
    after = replace(change.table, sequence=last, touched_ms=now_ms)
    return Played(remembering(after, request, answer), Entry(now_ms, change.events, last))


def main() -> None:
    """Write every file, and say which."""
    for path, content in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        print(path)


if __name__ == "__main__":
    main()
