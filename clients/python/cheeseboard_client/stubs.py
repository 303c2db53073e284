"""The generated stubs of each service, made once for a channel."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from cheeseboard.engine.v1.lobby_pb2_grpc import LobbyServiceStub
from cheeseboard.engine.v1.matchmaking_pb2_grpc import MatchmakingServiceStub
from cheeseboard.engine.v1.tables_pb2_grpc import TableServiceStub
from cheeseboard.scoring.v1.scoring_pb2_grpc import ScoringServiceStub

if TYPE_CHECKING:  # These names exist for type checkers only.
    from cheeseboard.engine.v1.lobby_pb2_grpc import LobbyServiceAsyncStub
    from cheeseboard.engine.v1.matchmaking_pb2_grpc import MatchmakingServiceAsyncStub
    from cheeseboard.engine.v1.tables_pb2_grpc import TableServiceAsyncStub
    from cheeseboard.scoring.v1.scoring_pb2_grpc import ScoringServiceAsyncStub


@dataclass(frozen=True)
class EngineStubs:
    """The services of the engine."""

    lobby: "LobbyServiceAsyncStub"
    tables: "TableServiceAsyncStub"
    matchmaking: "MatchmakingServiceAsyncStub"


@dataclass(frozen=True)
class ScoringStubs:
    """The services of the scoring service."""

    scoring: "ScoringServiceAsyncStub"


def engine_stubs(channel: grpc.aio.Channel) -> EngineStubs:
    """Return the engine's stubs on a channel."""
    return EngineStubs(LobbyServiceStub(channel), TableServiceStub(channel), MatchmakingServiceStub(channel))


def scoring_stubs(channel: grpc.aio.Channel) -> ScoringStubs:
    """Return the scoring service's stubs on a channel."""
    return ScoringStubs(ScoringServiceStub(channel))
