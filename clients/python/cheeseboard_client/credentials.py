"""Who is calling: a bearer token that is renewed in time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from cheeseboard_client.errors import CheeseboardError

TokenSource = Callable[[], Awaitable[str]]
"""Returns a fresh token whenever it is called."""

Metadata = tuple[tuple[str, str], ...]


@dataclass
class Credentials:
    """The token of one caller. Shared by everything that calls for it."""

    token: str | None = None
    source: TokenSource | None = None
    renew_at: float | None = None
    """Seconds since the epoch from which the token is renewed ahead; None: when a call meets its expiry."""
    _renewing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    def __repr__(self) -> str:
        return f"Credentials({'with' if self.token else 'without'} token)"  # Never the token itself.

    def metadata(self) -> Metadata:
        """Return what says who is calling."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def ensure(self) -> None:
        """Get the first token from the source, or one in place of a token that is about to expire."""
        if self.source is None:
            return
        if self.token is None:
            await self.replace(None)
        elif self.renew_at is not None and time.time() >= self.renew_at:
            await self._renew_ahead(self.token)

    async def replace(self, expired: str | None) -> bool:
        """Get a token in place of this expired one; return whether there is another now.

        Callers that meet the expiry together cause one renewal.
        """
        async with self._renewing:
            if self.token == expired and self.source is not None:
                self.token = await self.source()
            return self.token != expired

    async def _renew_ahead(self, token: str) -> None:
        try:
            await self.replace(token)
        except CheeseboardError:
            self.renew_at = time.time() + 5.0  # The old one is still good: nobody has to wait for a new one.
