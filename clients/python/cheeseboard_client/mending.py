"""What is done between two streams of one watch: which ends are final, where the next begins, and when."""

import asyncio

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client.calls import Service, may_pass, pause_after
from cheeseboard_client.channels import Replica
from cheeseboard_client.errors import RateLimited, TokenExpired
from cheeseboard_client.frames import Gap, Interrupted, StreamEnded
from cheeseboard_client.stubs import EngineStubs


class Mending:
    """Counts failures in a row; a frame that arrives ends the row."""

    def __init__(self, engine: Service[EngineStubs]) -> None:
        self._engine = engine
        self._failures = 0
        self._pause = 0.0
        self._replica: Replica[EngineStubs] | None = None
        self._token: str | None = None

    def begins(self, replica: Replica[EngineStubs]) -> None:
        """Note where a stream begins, and with which token."""
        self._replica, self._token = replica, self._engine.credentials.token

    def works(self) -> None:
        """Note that a frame arrived."""
        self._failures = 0

    async def after(self, ended: Exception) -> Interrupted | None:
        """Return the frame to show for the end of a stream, None if there is nothing to tell.

        Raises what ended the stream when another one would end the same way.
        """
        self._pause = pause_after(ended, self._failures, self._engine.patience)
        expired = isinstance(ended, TokenExpired) or _is_expiry(ended)
        if expired and await self._engine.credentials.replace(self._token):
            return None
        if isinstance(ended, StreamEnded | Gap):
            self._leave(isinstance(ended, StreamEnded) and ended.reason == tables_pb2.STREAM_END_DRAINING)
            return None
        if not may_pass(ended):
            raise ended
        self._failures += 1
        self._leave(not isinstance(ended, RateLimited))
        return Interrupted(str(ended), self._failures)

    async def rest(self) -> None:
        """Wait until the next stream may begin."""
        await asyncio.sleep(self._pause)

    def _leave(self, leave: bool) -> None:
        if leave and self._replica is not None:
            self._engine.replicas.failed(self._replica)


def _is_expiry(ended: Exception) -> bool:
    """Return whether the engine ended a stream because its token expired."""
    return isinstance(ended, StreamEnded) and ended.reason == tables_pb2.STREAM_END_TOKEN_EXPIRED
