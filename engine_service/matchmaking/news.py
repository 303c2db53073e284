"""Who waits for news of a ticket in this replica. News only wakes; what is true is read from the store.

But for one thing: of a match that this replica seated itself, the outcome comes with the news.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress

from engine_service.store import match_keys
from service_runtime.redis_listener import Listener
from service_runtime.store_errors import StoreUnavailable


class Ear:
    """Somebody who waits for news of one ticket."""

    def __init__(self) -> None:
        self.outcome: bytes | None = None
        self._heard = False
        self._waiting: asyncio.Future[None] | None = None

    def hear(self, outcome: bytes | None) -> None:
        """Take in that there is news."""
        self.outcome = self.outcome or outcome
        self._heard = True
        self._wake()

    async def wait(self, seconds: float) -> None:
        """Return when there is news, or after so long."""
        if not self._heard:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(seconds, self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
        self._heard = False

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class News:
    """The ears of this replica."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._ears: dict[str, set[Ear]] = {}
        self._own: set[str] = set()
        """Tickets of which this replica is about to tell more than a message can."""
        listener.on_reconnect(self.tell_all)

    async def run(self) -> None:
        """Hear of what other replicas do, until cancelled."""
        heard = False
        while not heard:
            with suppress(StoreUnavailable):
                await self._listener.subscribe(match_keys.NEWS, self._heard)
                heard = True
        self.tell_all()
        await asyncio.Event().wait()

    @contextmanager
    def of(self, ticket_id: str) -> Iterator[Ear]:
        """Yield an ear for a ticket while the block runs."""
        ear = Ear()
        self._ears.setdefault(ticket_id, set()).add(ear)
        try:
            yield ear
        finally:
            ears = self._ears[ticket_id]
            ears.discard(ear)
            if not ears:
                del self._ears[ticket_id]

    @contextmanager
    def about_to_tell(self, ticket_ids: Collection[str]) -> Iterator[None]:
        """Let nobody be woken by the message of what the block does; it tells by itself, unless it fails."""
        self._own.update(ticket_ids)
        try:
            yield
        except BaseException:
            self._tell_each(ticket_ids)
            raise
        finally:
            self._own.difference_update(ticket_ids)

    def tell(self, ticket_id: str, outcome: bytes | None = None) -> None:
        """Tell everyone who waits for news of a ticket."""
        for ear in self._ears.get(ticket_id, ()):
            ear.hear(outcome)

    def tell_all(self) -> None:
        """Tell everyone to look: news may have been lost."""
        for ticket_id in self._ears:
            self.tell(ticket_id)

    def _heard(self, payload: bytes) -> None:
        self._tell_each(name for name in payload.decode().split() if name not in self._own)

    def _tell_each(self, ticket_ids: Iterable[str]) -> None:
        for ticket_id in ticket_ids:
            self.tell(ticket_id)
