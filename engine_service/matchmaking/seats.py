"""From a claimed match to its table, its game begun: the same table whoever does it, and however often.

Table id and seats derive from the match id, so a replica that takes over finishes what another began. A match that
cannot be seated gives its tickets back, but only once its table is barred: nobody is ever at two.
"""

import secrets
from collections.abc import Sequence
from typing import Any

from engine_service.matchmaking import metrics, planning
from engine_service.matchmaking.drawing import drawn_seats
from engine_service.matchmaking.news import News
from engine_service.matchmaking.planning import Match
from engine_service.matchmaking.tickets import (
    Accepted,
    Outcome,
    Ticket,
    decode,
    encode_outcome,
    options_of,
    places_of,
)
from engine_service.rules.registry import GAMES
from engine_service.store.directory import Directory
from engine_service.store.match_store import MatchStore
from engine_service.store.match_store import Outcome as Ended
from engine_service.tables import seating
from engine_service.tables.commands import RulesRaised, Tables
from engine_service.tables.table import Sitter, Table
from service_runtime.errors import Refused
from service_runtime.logs import logger

log = logger("matchmaking")

PAUSE_MS = 3_000
"""How long tickets that are given back are left alone."""


class Seats:
    """Seats matches."""

    def __init__(self, store: MatchStore, tables: Tables, directory: Directory, news: News) -> None:
        self._store = store
        self._tables = tables
        self._directory = directory
        self._news = news

    async def claim(self, match: Match) -> tuple[str, ...]:
        """Claim a match and seat it; return the tickets that do not wait any more, because of which it came to nothing.

        Raises StoreUnavailable; what was claimed by then is finished by some replica.
        """
        claimed = await self._store.claim(match.match_id, planning.encode(match), match.tickets)
        if claimed.missing:
            return claimed.missing
        tickets = [decode(body) for body, _ in claimed.tickets]
        await self._seat(match, tickets, [claimed.now_ms - entered_ms for _, entered_ms in claimed.tickets])
        return ()

    async def finish(self, match_id: str) -> None:
        """Finish a match whose lease ran out: whoever claimed it is gone, or slow."""
        value = await self._store.match(match_id)
        if value is not None:
            await self.claim(planning.decode(value))

    async def _seat(self, match: Match, tickets: Sequence[Ticket], waited_ms: Sequence[int]) -> None:
        accepted = next(place.accepted for place in places_of(tickets[0]) if place.line == match.line)
        sitters = _sitters(match, tickets, accepted)
        table_id = self._directory.table_of_match(match.match_id)
        try:
            code = await self._set_up(table_id, match, accepted, sitters)
        except (Refused, RulesRaised) as trouble:
            log.warning("a match could not be seated", table=table_id, trouble=str(trouble))
            if await self._tables.store.bar(table_id):
                await self._give_back(match, tickets)
                return
            code = await self._directory.claim_code(table_id)
        await self._tell(match, tickets, sitters, table_id, code, waited_ms)

    async def _set_up(self, table_id: str, match: Match, accepted: Accepted, sitters: Sequence[Sitter]) -> str:
        """Set up the table, if that was not done before, and return its code."""
        code = await self._directory.claim_code(table_id)
        await self._directory.note_all((s.player_id for s in sitters if s.player_id), table_id)
        blank: Table[Any, Any] = Table(
            table_id=table_id,
            code=code,
            game=accepted.game,
            options=options_of(accepted, match.seats),
            key=secrets.token_bytes(32),
            created_ms=0,
            seats=(None,) * match.seats,
        )
        policy = self._tables.policy
        stored, _ = await self._tables.create(blank, lambda s: seating.seat_match(s.table, sitters, s.now_ms, policy))
        return stored.table.code

    async def _tell(
        self,
        match: Match,
        tickets: Sequence[Ticket],
        sitters: Sequence[Sitter],
        table_id: str,
        code: str,
        waited_ms: Sequence[int],
    ) -> None:
        seat_of = {sitter.player_id: seat for seat, sitter in enumerate(sitters)}
        ended = []
        for ticket in tickets:
            seats = tuple(seat_of[player.player_id] for player in ticket.players)
            ended.append(_ended(ticket, encode_outcome(Outcome(table_id, code, seats, match.bots))))
        waited = sum(waited_ms) // len(waited_ms)
        with self._news.about_to_tell(match.tickets):
            first = await self._store.seated(match.match_id, match.line, waited, ended)
            for each in ended:
                self._news.tell(each.ticket_id, each.outcome if first else None)
        if first:
            _count(match, waited_ms)

    async def _give_back(self, match: Match, tickets: Sequence[Ticket]) -> None:
        ended = [_ended(ticket) for ticket in tickets]
        if await self._store.give_back(match.match_id, PAUSE_MS, ended):
            metrics.GIVEN_BACK.inc(len(ended))


def _ended(ticket: Ticket, outcome: bytes = b"") -> Ended:
    return Ended(ticket.ticket_id, tuple(player.player_id for player in ticket.players), outcome)


def _sitters(match: Match, tickets: Sequence[Ticket], accepted: Accepted) -> tuple[Sitter, ...]:
    """Return who sits where, bots on the seats that no player has drawn."""
    sitters = [seating.bot_on(seat, accepted.bot) for seat in range(match.seats)]
    sides = GAMES[accepted.game].sides(options_of(accepted, match.seats).game, match.seats)
    drawn = drawn_seats(match.match_id, [ticket.party_size for ticket in tickets], sides)
    for ticket, seats in zip(tickets, drawn, strict=True):
        for player, seat in zip(ticket.players, seats, strict=True):
            sitters[seat] = Sitter(player.player_id, player.name)
    return tuple(sitters)


def _count(match: Match, waited_ms: Sequence[int]) -> None:
    game = match.line.partition(".")[0]
    metrics.MATCHED.inc(len(waited_ms))
    metrics.SPREAD.labels(game).observe(match.spread)
    metrics.BOTS.labels(game).inc(match.bots)
    for waited in waited_ms:
        metrics.SECONDS.labels(game).observe(waited / 1000)
