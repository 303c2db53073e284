"""Scores, ratings, leaderboards."""

from collections.abc import AsyncIterator
from typing import Protocol

from cheeseboard.scoring.v1 import scoring_pb2
from cheeseboard_client.calls import Service
from cheeseboard_client.stubs import ScoringStubs


class HasScoring(Protocol):
    """What these calls need of the client."""

    _scoring: Service[ScoringStubs] | None


class ScoringCalls(HasScoring):
    """The scoring service's part of `Cheeseboard`; needs a scoring address."""

    async def scoreboard(self, table_id: str, game_number: int = 0) -> scoring_pb2.GetScoreboardResponse:
        """Return the scoreboard of a game of a table; game 0 is the latest."""
        request = scoring_pb2.GetScoreboardRequest(table_id=table_id, game_number=game_number)
        return await self._service().call(lambda service: service.scoring.GetScoreboard, request)

    async def score_round(self, facts: scoring_pb2.RoundFacts) -> scoring_pb2.ScoreRoundResponse:
        """Return how a round would score; nothing is recorded."""
        request = scoring_pb2.ScoreRoundRequest(facts=facts)
        return await self._service().call(lambda service: service.scoring.ScoreRound, request)

    async def player(self, player_id: str = "") -> scoring_pb2.GetPlayerResponse:
        """Return a player's ratings and results; the caller's own if no player is named."""
        request = scoring_pb2.GetPlayerRequest(player_id=player_id)
        return await self._service().call(lambda service: service.scoring.GetPlayer, request)

    async def leaderboard(self, game: str, *, page_size: int = 0) -> AsyncIterator[scoring_pb2.LeaderboardRow]:
        """Yield the rated players of a game, best first, page after page."""
        request = scoring_pb2.GetLeaderboardRequest(game=game, page_size=page_size)
        while True:
            page = await self._service().call(lambda service: service.scoring.GetLeaderboard, request)
            for row in page.rows:
                yield row
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def _service(self) -> Service[ScoringStubs]:
        if self._scoring is None:
            raise ValueError("connect with a scoring_address to ask for scores")
        return self._scoring
