"""What the scoring service is told of a round, and what it tells back."""

from typing import Any

from cheeseboard.scoring.v1 import scoring_pb2
from engine_service.rules.game import RecordScores, RoundEnded
from engine_service.tables.table import Sitter, Table
from engine_service.wire.registry import WIRES


def round_message(table: Table[Any, Any], ended: RoundEnded, server_ms: int) -> bytes:
    """Return the payload of the round stream."""
    assert table.span is not None
    facts = scoring_pb2.RoundFacts()
    getattr(facts, table.game).CopyFrom(WIRES[table.game].facts_out(ended.facts))
    message = scoring_pb2.RoundEnded(
        table_id=table.table_id,
        game_number=table.game_number,
        game=table.game,
        round=ended.round,
        last=ended.last,
        seats=[_seat(sitter) for sitter in table.span.players],
        rated=not any(sitter.bot for sitter in table.span.players),
        public=table.options.allow_spectators,
        facts=facts,
    )
    message.ended_at.FromMilliseconds(server_ms)
    return message.SerializeToString()


def scores_of(scored: scoring_pb2.RoundScored, game: str) -> RecordScores:
    """Return the command that the scoring service's answer is."""
    score = scored.score
    return RecordScores(
        round=score.round,
        points=tuple(score.points),
        totals=tuple(score.totals),
        places=tuple(scored.places),
        detail=WIRES[game].detail_in(getattr(score.detail, game)),
    )


def _seat(sitter: Sitter) -> scoring_pb2.ScoredSeat:
    return scoring_pb2.ScoredSeat(player_id=sitter.player_id, display_name=sitter.name, bot=sitter.bot)
