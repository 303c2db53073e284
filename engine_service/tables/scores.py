"""Scores come in: each answer of the scoring service becomes a step of its table, and is then off the stream."""

from collections.abc import Awaitable, Callable

from google.protobuf.message import DecodeError
from msgspec.structs import replace

from cheeseboard.scoring.v1 import scoring_pb2
from engine_service.store.table_store import EntryGone
from engine_service.tables import playing
from engine_service.tables.commands import Tables
from engine_service.tables.events import Change
from engine_service.tables.rounds import scores_of
from engine_service.tables.stored import Stored
from service_runtime.consumer import Entry, NotOurs, Poisoned
from service_runtime.errors import Refused

Finish = Callable[[Entry], Awaitable[None]]


async def record(tables: Tables, entry: Entry, finish: Finish) -> None:
    """Record the scores of one entry. Scores of a table that is gone, or that come late, have no effect, nor has an
    entry that is not in its stream: a failover lost it, and perhaps the round, which may end differently.
    """
    try:
        scored = scoring_pb2.RoundScored.FromString(entry.payload)
    except DecodeError as error:
        raise Poisoned("not a RoundScored") from error

    def decide(stored: Stored) -> Change:
        scores = scores_of(scored, stored.table.game)
        change = playing.record_scores(stored.table, scored.game_number, scores, stored.now_ms, tables.policy)
        return replace(change, scores_entry=entry.id)

    try:
        await tables.execute(scored.table_id, decide)
    except EntryGone:
        return
    except Refused as refused:
        if refused.reason == "NEWER_RELEASE":
            raise NotOurs from refused
        if refused.reason != "TABLE_NOT_FOUND":
            raise
    await finish(entry)
