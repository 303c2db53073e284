"""Rounds come in, scores go out: each round takes effect once, whoever is killed when and however often it comes.

One script writes the board, appends to the score stream and acknowledges the round; a round found on its board is only
acknowledged. The last round of a rated game is acknowledged after the ratings, in a script of its own: killed in
between, it comes again, finds itself on the board, and the game among the applied ones or applies it.
"""

from dataclasses import dataclass

import structlog
from google.protobuf.message import DecodeError

from cheeseboard.scoring.v1 import scoring_pb2
from service_runtime.logs import logger
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import load_script
from service_runtime.redis_wire import Argument
from service_runtime.stream_entry import Entry, Poisoned, stream_key

from . import metrics
from .boards import Board, Boards, board_key, latest_key
from .ratings import RatedGame, Ratings
from .tables import registry
from .tables.game_table import Scored

log = logger("ledger")

ROUNDS, SCORES = "rounds", "scores"
"""The streams, which are also the names of the channels that wake their readers."""

GROUP = "scoring"

_RECORD = load_script(__package__, "scripts/record_round.lua")
_SETTLE = load_script(__package__, "scripts/settle_round.lua")


class OutOfOrder(Exception):
    """A round came before the one that precedes it; it must wait for that one."""


@dataclass(frozen=True)
class Ledger:
    """Deals with the entries of the round streams; `record` is the handler of their consumer."""

    connection: RedisConnection
    ratings: Ratings
    record_seconds: int
    """How long a board is kept after its latest round."""

    async def record(self, entry: Entry) -> None:
        """Score one round and acknowledge it.

        Raises:
            Poisoned: the round cannot be scored.
            OutOfOrder: not now.
            StoreUnavailable: not now.
        """
        ended = _read(entry)
        with structlog.contextvars.bound_contextvars(table=ended.table_id, game=ended.game_number, round=ended.round):
            outcome = "changed"
            while outcome == "changed":
                outcome = await self._record_once(entry, ended)
            log.debug("round recorded", outcome=outcome)

    async def _record_once(self, entry: Entry, ended: scoring_pb2.RoundEnded) -> str:
        key = board_key(entry.partition, ended.table_id, ended.game_number)
        board = await Boards(self.connection).load(key)
        if ended.round > len(board.rounds) + 1:
            raise OutOfOrder(f"round {ended.round} comes after {len(board.rounds)} rounds")
        rated = ended.last and _counts(ended)
        if ended.round <= len(board.rounds):
            outcome, after = "already", board
        else:
            after = _after(board, ended)
            outcome = await self._write(entry, ended, before=board, after=after, acknowledge=not rated)
        if outcome == "scored":
            metrics.ROUNDS_SCORED.labels(ended.game).inc()
        if outcome in ("scored", "already") and rated:
            await self._settle(entry, key, str(int(await self._rate(ended, after))))
        elif outcome == "already":
            await self._settle(entry, key, rated="")
        return outcome

    async def _write(
        self, entry: Entry, ended: scoring_pb2.RoundEnded, *, before: Board, after: Board, acknowledge: bool
    ) -> str:
        score = after.rounds[-1]
        message = scoring_pb2.RoundScored(
            table_id=ended.table_id, game_number=ended.game_number, score=score, places=after.places
        )
        keys = [
            board_key(entry.partition, ended.table_id, ended.game_number),
            latest_key(entry.partition, ended.table_id),
            entry.stream_key,
            stream_key(SCORES, entry.partition),
        ]
        args: list[Argument] = [entry.group, entry.id, int(acknowledge), len(before.rounds)]
        args += [ended.game_number, self.record_seconds, SCORES, entry.partition, message.SerializeToString()]
        reply: bytes = await self.connection.script(_RECORD, keys, args + _fields(after, ended.last))
        return reply.decode()

    async def _rate(self, ended: scoring_pb2.RoundEnded, board: Board) -> bool:
        """Return whether the game is rated, now or before."""
        rated = RatedGame(
            game=ended.game,
            id=f"{ended.table_id}:{ended.game_number}",
            players=tuple((seat.player_id, seat.display_name) for seat in ended.seats),
            places=board.places,
            ended_at_ms=ended.ended_at.ToMilliseconds(),
        )
        return await self.ratings.apply(rated)

    async def _settle(self, entry: Entry, key: str, rated: str) -> None:
        await self.connection.script(_SETTLE, [key, entry.stream_key], [entry.group, entry.id, rated])


def _read(entry: Entry) -> scoring_pb2.RoundEnded:
    """Return the message, or raise Poisoned when it cannot be one of this partition's."""
    try:
        ended = scoring_pb2.RoundEnded.FromString(entry.payload)
        home = partition_of(ended.table_id)
    except (DecodeError, ValueError) as fault:
        raise Poisoned(f"not a round of a table: {fault}") from fault
    if home != entry.partition:
        raise Poisoned(f"table {ended.table_id} belongs to partition {home}, not {entry.partition}")
    if ended.round < 1 or ended.game_number < 1:
        raise Poisoned(f"there is no round {ended.round} of game {ended.game_number}")
    return ended


def _after(board: Board, ended: scoring_pb2.RoundEnded) -> Board:
    """Return the board with this round on it, or raise Poisoned."""
    if board.rounds and (board.game, len(board.seats)) != (ended.game, len(ended.seats)):
        raise Poisoned(f"a round of {ended.game} with {len(ended.seats)} seats is no part of the game on the board")
    try:
        score = _scored(board, ended)
        rounds = (*board.rounds, score)
        places = registry.rank(ended.game, rounds) if ended.last else ()
    except Exception as fault:
        # Whatever a scoring table raises is about this round, and must not be tried for ever.
        raise Poisoned(f"cannot be scored: {type(fault).__name__}: {fault}") from fault
    return Board(tuple(ended.seats), rounds, ended.game, places, _counts(ended), ended.public)


def _scored(board: Board, ended: scoring_pb2.RoundEnded) -> scoring_pb2.RoundScore:
    scored: Scored = registry.score_round(ended.game, len(ended.seats), ended.facts)
    totals = [sum(pair) for pair in zip(board.totals or (0,) * len(ended.seats), scored.points, strict=True)]
    return scoring_pb2.RoundScore(
        round=ended.round, points=scored.points, totals=totals, detail=scored.detail, facts=ended.facts
    )


def _fields(board: Board, finished: bool) -> list[Argument]:
    """Return name and value of what the latest round changes in the hash of a board."""
    score = board.rounds[-1]
    fields: dict[str, Argument] = {
        "rounds": score.round,
        f"round:{score.round}": score.SerializeToString(),
        "game": board.game,
        "places": ",".join(map(str, board.places)),
        "rated": int(board.rated),
        "public": int(board.public),
        "finished": int(finished),
    }
    fields |= {f"seat:{number}": seat.SerializeToString() for number, seat in enumerate(board.seats)}
    return [part for field in fields.items() for part in field]


def _counts(ended: scoring_pb2.RoundEnded) -> bool:
    """Whether the game counts towards ratings: the engine says so, and only people sat there, each at one seat."""
    players = {seat.player_id for seat in ended.seats if not seat.bot} - {""}
    return ended.rated and len(players) == len(ended.seats) > 1
