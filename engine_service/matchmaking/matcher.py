"""Matches tickets: those that this replica entered at once, all others when the agenda says that their chances changed.

Any number of replicas do so side by side: a claim takes all tickets of a match or none, so that what one of them
believes can be out of date but never wrong. Whoever dies leaves leases that run out.
"""

import asyncio
import random
import secrets
from collections.abc import Sequence
from contextlib import suppress

from engine_service.matchmaking import metrics
from engine_service.matchmaking.planning import Look, Match, look_at, match_for
from engine_service.matchmaking.schedule import NET_MS, STEPS_MS
from engine_service.matchmaking.seats import Seats
from engine_service.matchmaking.tickets import Place, Ticket, decode, standing_places, written
from engine_service.store.match_store import Entered, MatchStore
from service_runtime.errors import StoreUnavailable
from service_runtime.logs import logger

log = logger("matchmaking")

SWEEP_SECONDS = 0.5
SURVEY_SECONDS = 5.0
MOST_AT_ONCE = 64
MOST_LOOSE = 32
FORGET_SECONDS = 1.0
"""After a claim, looks from before it are all dealt with."""
FIRST_LOOK_MS = 1_000
"""A ticket whose replica dies before it looked is looked at by another after this."""


class Matcher:
    """Runs in every replica."""

    def __init__(self, store: MatchStore, seats: Seats) -> None:
        self._store = store
        self._seats = seats
        self._looks: dict[str, Look] = {}
        self._news = asyncio.Event()
        self._taken: set[str] = set()
        """Tickets that this replica has claimed, or is about to."""
        self._loose: dict[str, Look] = {}
        """Tickets without a match that saw others who are taken: there may be more behind those."""
        self._claims: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MOST_AT_ONCE)

    def entered(self, ticket: Ticket, places: tuple[Place, ...], entered: Entered) -> None:
        """Take in a ticket that just got in line, with whom it may play."""
        self._note(look_at(ticket, places, entered.now_ms, entered.now_ms, entered.candidates))

    async def run(self) -> None:
        """Match until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._match())
            tasks.create_task(self._sweep())
            tasks.create_task(self._survey())

    async def stop(self) -> None:
        """Finish the claims that are under way."""
        if self._claims:
            await asyncio.wait(self._claims)

    def _note(self, look: Look) -> None:
        self._looks[look.ticket.ticket_id] = look
        self._news.set()

    async def _match(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            looks, self._looks = sorted(self._looks.values(), key=lambda look: look.order), {}
            for look in looks:
                if look.ticket.ticket_id not in self._taken:
                    self._match_one(look)

    def _match_one(self, look: Look) -> None:
        match = match_for(look, self._taken, self._loose.values(), secrets.token_hex(12))
        if match is not None:
            self._take_out(match)
            claim = asyncio.create_task(self._claim(match), name=f"match {match.match_id}")
            self._claims.add(claim)
            claim.add_done_callback(self._claims.discard)
        elif look.sees(self._taken):
            self._loose[look.ticket.ticket_id] = look
            if len(self._loose) > MOST_LOOSE:  # The agenda will bring it up.
                del self._loose[next(iter(self._loose))]

    def _take_out(self, match: Match) -> None:
        self._taken.update(match.tickets)
        for ticket_id in match.tickets:
            self._loose.pop(ticket_id, None)

    async def _claim(self, match: Match) -> None:
        """Claim and seat a match; if some of its tickets are gone, look at the others again."""
        again: list[str] = []
        try:
            async with self._room:
                missing = await self._seats.claim(match)
            again = [ticket_id for ticket_id in match.tickets if missing and ticket_id not in missing]
        except StoreUnavailable:
            missing = match.tickets  # The agenda brings up again what was claimed, and what was not.
        except Exception:
            log.exception("a match failed", match=match.match_id)
            missing = ()
        if missing:
            self._taken.difference_update(match.tickets)
        else:
            asyncio.get_running_loop().call_later(FORGET_SECONDS, self._taken.difference_update, match.tickets)
        with suppress(StoreUnavailable):
            await self._look_at_all([*again, *self._next_loose(match.line)])

    def _next_loose(self, line: str) -> list[str]:
        """Return who is to be looked at again, now that others are out of its line: one ticket at most."""
        found = [ticket_id for ticket_id, look in self._loose.items() if line in look.own][:1]
        for ticket_id in found:
            del self._loose[ticket_id]
        return found

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.7, 1.3))
            try:
                while await self._take() == MOST_AT_ONCE:
                    pass
            except StoreUnavailable:
                continue
            except Exception:
                log.exception("the agenda of matchmaking could not be swept")

    async def _take(self) -> int:
        """Take what is due from the agenda and see to it; return how much that was."""
        tickets, matches = await self._store.take(MOST_AT_ONCE)
        await self._look_at_all(tickets)
        for outcome in await asyncio.gather(*(self._seats.finish(each) for each in matches), return_exceptions=True):
            if isinstance(outcome, StoreUnavailable):
                continue  # The next lease brings it up again.
            if isinstance(outcome, BaseException):
                log.error("a match could not be finished", exc_info=outcome)
        return len(tickets) + len(matches)

    async def _look_at_all(self, ticket_ids: Sequence[str]) -> None:
        """Look which tickets have expired, and who is there for the others by now."""
        if not ticket_ids:
            return
        now_ms, found = await self._store.look(ticket_ids, STEPS_MS, NET_MS)
        for looked in found:
            ticket = decode(looked.body)
            if not looked.expired:
                places = standing_places(ticket)
                self._note(look_at(ticket, places, looked.entered_ms, now_ms, looked.candidates))
            elif await self._store.finish(written(ticket), looked.body, "expired") == "done":
                metrics.EXPIRED.inc()

    async def _survey(self) -> None:
        """Show what waits, every few seconds."""
        while True:
            with suppress(StoreUnavailable):
                metrics.show(await self._store.survey(metrics.MOST_LINES))
            await asyncio.sleep(SURVEY_SECONDS * random.uniform(0.9, 1.1))
