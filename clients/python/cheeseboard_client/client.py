"""The client: one caller, its connections to the engine and the scoring service."""

import time
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType

import grpc

from cheeseboard.engine.v1 import lobby_pb2
from cheeseboard_client.calls import Service
from cheeseboard_client.channels import Replicas
from cheeseboard_client.credentials import Credentials, TokenSource
from cheeseboard_client.lobby import LobbyCalls
from cheeseboard_client.matchmaking import MatchmakingCalls
from cheeseboard_client.patience import Patience
from cheeseboard_client.scoring import ScoringCalls
from cheeseboard_client.stubs import EngineStubs, ScoringStubs, engine_stubs, scoring_stubs
from cheeseboard_client.tables import TableCalls

Addresses = str | Sequence[str]
"""One address as gRPC writes it ("host:port"), or those of several replicas."""


class Cheeseboard(LobbyCalls, MatchmakingCalls, TableCalls, ScoringCalls):
    """A caller of Cheeseboard; make it by `connect`, and use it by `async with`."""

    def __init__(self, engine: Service[EngineStubs], scoring: Service[ScoringStubs] | None) -> None:
        self._engine = engine
        self._scoring = scoring
        self._credentials = engine.credentials

    @classmethod
    def connect(
        cls,
        engine_address: Addresses,
        scoring_address: Addresses | None = None,
        *,
        token: str | None = None,
        token_source: TokenSource | None = None,
        tls: grpc.ChannelCredentials | bool = False,
        patience: Patience | None = None,
    ) -> "Cheeseboard":
        """Return a client; connections open with the first call.

        `token_source` is asked for a token at first and whenever one has expired. `tls` is True for the system's roots,
        or gRPC's own credentials (mutual TLS).
        """
        secure = grpc.ssl_channel_credentials() if tls is True else tls or None
        credentials, patience = Credentials(token, token_source), patience or Patience()
        engine = Service(Replicas(_several(engine_address), secure, engine_stubs), credentials, patience)
        scoring = None
        if scoring_address is not None:
            scoring = Service(Replicas(_several(scoring_address), secure, scoring_stubs), credentials, patience)
        return cls(engine, scoring)

    async def __aenter__(self) -> "Cheeseboard":
        """Return the client itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.replicas.close()
        if self._scoring:
            await self._scoring.replicas.close()

    @property
    def token(self) -> str | None:
        """The bearer token in use: a secret."""
        return self._credentials.token

    async def sign_in_guest(self, display_name: str) -> lobby_pb2.SignInGuestResponse:
        """Become a guest, or renew the guest's token that is held; from now on it renews itself before it expires.

        Raises NoGuests where the operator allows none.
        """

        async def renewed() -> str:
            return (await self._sign_in(display_name)).token

        answer = await self._sign_in(display_name)
        self._credentials.source = renewed
        return answer

    def acting_for(self, player_id: str, display_name: str) -> "Cheeseboard":
        """Return a client on the same connections that acts for a player; the token needs the scope `service`.

        It lives as long as this one; there is nothing to close.
        """
        named = (("cheeseboard-player", player_id), ("cheeseboard-player-name", display_name))
        scoring = self._scoring and replace(self._scoring, acting_for=named)
        return Cheeseboard(replace(self._engine, acting_for=named), scoring)

    async def _sign_in(self, display_name: str) -> lobby_pb2.SignInGuestResponse:
        # Its own credentials: renewing must not wait for the renewal it is.
        service = Service(self._engine.replicas, Credentials(self._credentials.token), self._engine.patience)
        request = lobby_pb2.SignInGuestRequest(display_name=display_name)
        answer = await service.call(lambda engine: engine.lobby.SignInGuest, request)
        self._credentials.token = answer.token
        # An expired guest is another player: renew while there is time to try again.
        self._credentials.renew_at = time.time() + (answer.expires_at.seconds - time.time()) * 0.8
        return answer


def _several(addresses: Addresses) -> Sequence[str]:
    return [addresses] if isinstance(addresses, str) else addresses
