"""The methods of ScoringService: plain functions (request, caller) → response, or Refused with a typed reason."""

from dataclasses import dataclass
from typing import NoReturn

import msgspec

from cheeseboard.scoring.v1 import scoring_pb2
from service_runtime.errors import Refused
from service_runtime.identity import Caller
from service_runtime.methods import Function
from service_runtime.redis_connection import RedisConnection

from . import leaderboard
from .boards import Board, Boards
from .tables import registry
from .tables.game_table import FactsMalformed

DEFAULT_ROWS, MOST_ROWS = 20, 100
LONGEST_PLAYER_ID = 64


@dataclass(frozen=True)
class ScoringApi:
    """What callers may ask. Every method may also raise StoreUnavailable."""

    connection: RedisConnection

    def functions(self) -> dict[str, Function]:
        """Return the functions by the names of their methods in the proto."""
        return {
            "GetScoreboard": self.get_scoreboard,
            "ScoreRound": self.score_round,
            "GetPlayer": self.get_player,
            "GetLeaderboard": self.get_leaderboard,
        }

    async def get_scoreboard(
        self, request: scoring_pb2.GetScoreboardRequest, caller: Caller
    ) -> scoring_pb2.GetScoreboardResponse:
        """Return the board to those who may see it; for all others there is none."""
        if not request.table_id:
            _bad("table_id", "must be given")
        if request.game_number < 0:
            _bad("game_number", "must be at least 1, or 0 for the latest game")
        try:
            number, board = await Boards(self.connection).find(request.table_id, request.game_number)
        except ValueError:
            # Not the id of any table: the same answer as for one that is not there.
            number, board = 0, Board()
        if not board.rounds or not _may_see(board, caller):
            raise Refused("SCOREBOARD_NOT_FOUND", "there is no such scoreboard, or not for you")
        return scoring_pb2.GetScoreboardResponse(
            game=board.game,
            game_number=number,
            seats=board.seats,
            rounds=board.rounds,
            totals=board.totals,
            places=board.places,
            rated=board.rated,
        )

    async def score_round(
        self, request: scoring_pb2.ScoreRoundRequest, caller: Caller
    ) -> scoring_pb2.ScoreRoundResponse:
        """Score facts without recording anything."""
        try:
            scored = registry.score(request.facts)
        except FactsMalformed as malformed:
            _bad(f"facts.{malformed.field}", malformed.why)
        return scoring_pb2.ScoreRoundResponse(points=scored.points, detail=scored.detail)

    async def get_player(self, request: scoring_pb2.GetPlayerRequest, caller: Caller) -> scoring_pb2.GetPlayerResponse:
        """Return a player's standings; one without rated games, known or not, has none."""
        if len(request.player_id) > LONGEST_PLAYER_ID:
            _bad("player_id", f"must have at most {LONGEST_PLAYER_ID} characters")
        answer = scoring_pb2.GetPlayerResponse(player_id=request.player_id or caller.player_id)
        for game in registry.TABLES:
            standing = await leaderboard.standing(self.connection, game, answer.player_id)
            if standing is None:
                continue
            answer.display_name = standing.name
            answer.standings.add(
                game=game,
                games=standing.games,
                wins=standing.wins,
                mu=standing.rating.mu,
                sigma=standing.rating.sigma,
                rating=standing.rating.shown,
                rank=standing.rank,
            )
        return answer

    async def get_leaderboard(
        self, request: scoring_pb2.GetLeaderboardRequest, caller: Caller
    ) -> scoring_pb2.GetLeaderboardResponse:
        """Return a page of the best players."""
        if request.game not in registry.TABLES:
            games = ", ".join(registry.TABLES)
            raise Refused("UNKNOWN_GAME", violations=[("game", f"must be one of {games}")], facts={"games": games})
        if not 0 <= request.page_size <= MOST_ROWS:
            _bad("page_size", f"must be 1 to {MOST_ROWS}, or 0 for {DEFAULT_ROWS}")
        after = _position(request) if request.page_token else None
        page = await leaderboard.page(self.connection, request.game, request.page_size or DEFAULT_ROWS, after)
        rows = [
            scoring_pb2.LeaderboardRow(
                rank=row.rank,
                player_id=row.player_id,
                display_name=row.name,
                rating=row.rating,
                games=row.games,
                wins=row.wins,
            )
            for row in page.rows
        ]
        token = leaderboard.to_token(page.end) if page.end else ""
        return scoring_pb2.GetLeaderboardResponse(rows=rows, next_page_token=token)


def _may_see(board: Board, caller: Caller) -> bool:
    return board.public or any(seat.player_id == caller.player_id for seat in board.seats)


def _position(request: scoring_pb2.GetLeaderboardRequest) -> leaderboard.Position:
    try:
        return leaderboard.from_token(request.page_token, request.game)
    except (ValueError, msgspec.MsgspecError):
        _bad("page_token", "must be the next_page_token of a page of this leaderboard")


def _bad(field: str, why: str) -> NoReturn:
    raise Refused("BAD_REQUEST", violations=[(field, why)], facts={"field": field})
