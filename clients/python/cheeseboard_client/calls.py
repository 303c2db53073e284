"""One logical call: its tries, on which replica, with which token, and when to stop trying.

What is sent again is always the same request, so a write keeps its request_id and has one effect. Answered refusals
are final, but for "not at the moment" (`TryLater`), "too fast" (`RateLimited`) and, once, an expired token.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import grpc

from cheeseboard_client import status
from cheeseboard_client.channels import Replica, Replicas
from cheeseboard_client.credentials import Credentials, Metadata
from cheeseboard_client.errors import CheeseboardError, RateLimited, TokenExpired, TryLater, Unreachable
from cheeseboard_client.patience import Patience

Stubs = TypeVar("Stubs")
Request = TypeVar("Request")
Response = TypeVar("Response")

SHORTEST_TRY_SECONDS = 0.5
"""A refusal for too many calls takes its time; a try has at least this much, also at the end of all patience."""


def may_pass(error: Exception) -> bool:
    """Return whether the same request may be answered differently a little later."""
    return isinstance(error, Unreachable | TryLater | RateLimited)


def pause_after(error: Exception, attempt: int, patience: Patience) -> float:
    """Return the seconds to wait after this error; never less than a refusal asks for."""
    asked_for = error.retry_after if isinstance(error, TryLater | RateLimited) else None
    return max(patience.pause(attempt), asked_for or 0.0)


@dataclass(frozen=True)
class Service(Generic[Stubs]):
    """A service and how it is called."""

    replicas: Replicas[Stubs]
    credentials: Credentials
    patience: Patience
    acting_for: Metadata = ()
    """Metadata by which a caller of scope `service` names the player it acts for."""

    def metadata(self) -> Metadata:
        """Return what every call carries."""
        return self.credentials.metadata() + self.acting_for

    async def call(
        self, method: Callable[[Stubs], grpc.aio.UnaryUnaryMultiCallable[Request, Response]], request: Request
    ) -> Response:
        """Return the answer to a request of the method that `method` picks from the stubs.

        Raises the refusal, or `Unreachable` when the patience is over without an answer.
        """
        give_up_at = time.monotonic() + self.patience.total
        attempt, renewed = 0, False
        while True:
            await self.credentials.ensure()
            replica, token = self.replicas.current(), self.credentials.token
            try:
                return await self._try(method(replica.connection().stubs), request, give_up_at)
            except TokenExpired:
                if renewed or not await self.credentials.replace(token):
                    raise
                renewed = True
            except CheeseboardError as error:
                await self._recover(replica, error, attempt, give_up_at)
                attempt += 1

    async def _try(
        self, send: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request, give_up_at: float
    ) -> Response:
        timeout = min(self.patience.attempt, max(SHORTEST_TRY_SECONDS, give_up_at - time.monotonic()))
        try:
            return await send(request, timeout=timeout, metadata=self.metadata())
        except grpc.aio.AioRpcError as error:
            raise status.from_call(error) from error

    async def _recover(self, replica: Replica[Stubs], error: CheeseboardError, attempt: int, give_up_at: float) -> None:
        """Wait before the next try; raise the error when there is none."""
        pause = pause_after(error, attempt, self.patience)
        if not may_pass(error) or time.monotonic() + pause >= give_up_at:
            raise error
        if not isinstance(error, RateLimited):  # A limit is the caller's, wherever it goes.
            self.replicas.failed(replica)
        await asyncio.sleep(pause)
