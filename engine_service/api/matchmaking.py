"""Matchmaking: tickets made, joined, watched, given up. Plain functions (request, caller) → response or stream."""

import time
from collections.abc import AsyncIterator, Collection, Sequence

import msgspec

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from engine_service.api import checks, match_checks
from engine_service.matchmaking import metrics
from engine_service.matchmaking.matcher import FIRST_LOOK_MS, Matcher
from engine_service.matchmaking.news import Ear, News
from engine_service.matchmaking.tickets import Player, Ticket, decode, decode_outcome, standing_places, written
from engine_service.store.directory import Directory
from engine_service.store.match_store import Entered, MatchStore, TicketRow
from engine_service.tables.commands import Tables
from engine_service.tables.holdings import refuse_too_many
from engine_service.tables.views import timestamp
from service_runtime.errors import Refused
from service_runtime.identity import Caller

BEAT_SECONDS = 5.0
"""A watcher gets its place and estimate anew after this."""
STATES = {
    "gathering": pb.TICKET_STATE_GATHERING,
    "waiting": pb.TICKET_STATE_WAITING,
    "seating": pb.TICKET_STATE_SEATING,
    "matched": pb.TICKET_STATE_MATCHED,
    "cancelled": pb.TICKET_STATE_CANCELLED,
    "expired": pb.TICKET_STATE_EXPIRED,
}
FINAL = ("matched", "cancelled", "expired")


class Matchmaking:
    """MatchmakingService."""

    def __init__(
        self,
        store: MatchStore,
        matcher: Matcher,
        news: News,
        tables: Tables,
        directory: Directory,
        key_names: Collection[str],
    ) -> None:
        self._store = store
        self._matcher = matcher
        self._news = news
        self._tables = tables
        self._directory = directory
        self._key_names = key_names
        self._draining = False

    def drain(self) -> None:
        """End all streams and waiting calls; their clients go to another replica."""
        self._draining = True
        self._news.tell_all()

    async def create_ticket(self, request: pb.CreateTicketRequest, caller: Caller) -> pb.CreateTicketResponse:
        """Enter a ticket, and wait for its match as long as the caller wants to."""
        ticket = match_checks.ticket(request, caller, self._key_names)
        try:
            players = await self._rated(ticket, ticket.players)
        except Refused as too_many:
            if await self._store.status(ticket.ticket_id) is None:  # Else it is a repeat, whatever became of it.
                raise too_many
        else:
            ticket = msgspec.structs.replace(ticket, players=players)
        with self._news.of(ticket.ticket_id) as ear:
            await self._enter(ticket, ear)
            if request.wait_milliseconds:
                await self._matched(ticket, ear, request.wait_milliseconds / 1000)
            return pb.CreateTicketResponse(ticket=await self._told(ticket, ear))

    async def join_ticket(self, request: pb.JoinTicketRequest, caller: Caller) -> pb.JoinTicketResponse:
        """Let the caller join a party."""
        checks.request_id(request.request_id)
        name = checks.display_name(request.display_name) or caller.name
        code = checks.code(request.party_code)
        if not code:
            raise checks.bad("party_code", "is missing")
        ticket_id = await self._store.party(code) or await self._store.latest_of(caller.player_id)
        while True:
            row, ticket = await self._read(ticket_id or "")
            if ticket.party_code != code:
                raise _not_found()
            if any(player.player_id == caller.player_id for player in ticket.players):
                return pb.JoinTicketResponse(ticket=_ticket_out(ticket, row))
            if await self._join(ticket, row, Player(caller.player_id, name)):
                return pb.JoinTicketResponse(ticket=await self._now(ticket.ticket_id))

    async def watch_ticket(
        self, request: pb.WatchTicketRequest, caller: Caller
    ) -> AsyncIterator[pb.WatchTicketResponse]:
        """Yield a ticket as it is, now, at every change and every few seconds, until its state is final."""
        _, ticket = await self._own(request.ticket_id, caller)
        with self._news.of(ticket.ticket_id) as ear:
            while True:
                self._refuse_end(caller)
                row, ticket = await self._read(ticket.ticket_id, watched=True)
                at = timestamp(row.now_ms + row.credit_ms)
                yield pb.WatchTicketResponse(ticket=_ticket_out(ticket, row), server_time=at)
                if row.state in FINAL:
                    return
                await ear.wait(min(_beat_seconds(ticket), max(0.0, caller.expires_at - time.time())))

    async def cancel_ticket(self, request: pb.CancelTicketRequest, caller: Caller) -> pb.CancelTicketResponse:
        """Give up the caller's ticket, if it is not too late."""
        checks.request_id(request.request_id)
        ticket_id = request.ticket_id or await self._store.meant(caller.player_id, request.request_id) or ""
        row, ticket = await self._own(ticket_id, caller)
        while (how := await self._store.finish(written(ticket), row.body, "cancelled")) == "changed":  # The party grew.
            row, ticket = await self._read(ticket.ticket_id)
        if how == "done":
            metrics.CANCELLED.inc()
        return pb.CancelTicketResponse(ticket=await self._now(ticket.ticket_id))

    async def _rated(self, ticket: Ticket, players: Sequence[Player]) -> tuple[Player, ...]:
        """Return players with their ratings; refuse those who sit at too many tables."""
        games = [accepted.game for accepted in ticket.accepts]
        ids = [player.player_id for player in players]
        strengths, tables = await self._store.known_of(games, ids)
        for player_id, count in zip(ids, tables, strict=True):
            if count >= self._tables.policy.tables_per_player:
                await refuse_too_many(self._tables, self._directory, player_id)
        return tuple(
            match_checks.rated(player, [of_game[number] for of_game in strengths])
            for number, player in enumerate(players)
        )

    async def _enter(self, ticket: Ticket, ear: Ear) -> None:
        places = standing_places(ticket)
        entered = await self._store.enter(written(ticket, places), FIRST_LOOK_MS)
        match entered.how:
            case "entered":
                metrics.MADE.inc()
                if places:
                    self._matcher.entered(ticket, places, entered)
            case "taken":
                await self._enter(msgspec.structs.replace(ticket, party_code=match_checks.new_code()), ear)
            case "known":
                row, known = await self._read(ticket.ticket_id)
                if known.request != ticket.request:
                    raise Refused("REQUEST_ID_REUSED", "this request_id was used for something else")
                ear.hear(row.outcome)
            case _:
                raise _elsewhere(entered)

    async def _join(self, ticket: Ticket, row: TicketRow, player: Player) -> bool:
        """Join a party as it was read; False if it changed meanwhile."""
        (rated,) = await self._rated(ticket, [player])
        joined = msgspec.structs.replace(ticket, players=(*ticket.players, rated))
        if len(joined.players) > joined.party_size:
            raise _closed()
        places = standing_places(joined)
        entered = await self._store.join(written(joined, places), row.body, player.player_id, FIRST_LOOK_MS)
        match entered.how:
            case "joined":
                if places:
                    self._matcher.entered(joined, places, entered)
            case "closed":
                raise _closed()
            case "waiting":
                raise _elsewhere(entered)
        return entered.how == "joined"

    async def _matched(self, ticket: Ticket, ear: Ear, seconds: float) -> None:
        """Return when a ticket is matched or over, or after so long; it is kept alive meanwhile."""
        until = time.monotonic() + seconds
        while not ear.outcome and not self._draining and (left := until - time.monotonic()) > 0:
            await ear.wait(min(left, _beat_seconds(ticket)))
            row = None if ear.outcome else await self._store.status(ticket.ticket_id, watched=True)
            if row is not None and row.state in FINAL:
                return

    async def _told(self, ticket: Ticket, ear: Ear) -> pb.Ticket:
        """Return the caller's ticket as it is now; what this replica seated itself it knows without asking."""
        if ear.outcome is None:
            return await self._now(ticket.ticket_id)
        return _matched_out(ticket, ear.outcome)

    async def _now(self, ticket_id: str) -> pb.Ticket:
        row, ticket = await self._read(ticket_id)
        return _ticket_out(ticket, row)

    async def _read(self, ticket_id: str, watched: bool = False) -> tuple[TicketRow, Ticket]:
        row = await self._store.status(ticket_id, watched)
        if row is None:
            raise _not_found()
        return row, decode(row.body)

    async def _own(self, ticket_id: str, caller: Caller) -> tuple[TicketRow, Ticket]:
        """Return a ticket of the caller, its latest if none is named. Refuses TICKET_NOT_FOUND."""
        row, ticket = await self._read(ticket_id or await self._store.latest_of(caller.player_id) or "")
        if all(player.player_id != caller.player_id for player in ticket.players):
            raise _not_found()
        return row, ticket

    def _refuse_end(self, caller: Caller) -> None:
        """Refuse to go on with a stream whose replica stops or whose token has expired."""
        if self._draining:
            raise Refused("DRAINING", "this replica stops; go to another", retry_seconds=0.1)
        if caller.expires_at <= time.time():
            raise Refused("TOKEN_EXPIRED", "the token has expired")


def _beat_seconds(ticket: Ticket) -> float:
    """Return after how long at most a watcher keeps the ticket alive again."""
    return min(BEAT_SECONDS, ticket.ttl_ms / 3000)


def _ticket_out(ticket: Ticket, row: TicketRow) -> pb.Ticket:
    if row.outcome:
        return _matched_out(ticket, row.outcome)
    out = _players_out(ticket)
    out.state = STATES[row.state]
    if row.state in FINAL:
        return out
    out.expires_at.CopyFrom(timestamp(row.expires_ms + row.credit_ms))
    if row.state == "gathering":
        out.party_code = ticket.party_code
    if row.state == "waiting":
        waited_ms = row.now_ms - row.entered_ms
        out.position = row.before + 1
        out.waited_seconds = waited_ms // 1000
        if row.pace_ms is not None:
            out.estimate_seconds = max(0, row.pace_ms - waited_ms) // 1000
    return out


def _matched_out(ticket: Ticket, value: bytes) -> pb.Ticket:
    outcome, out = decode_outcome(value), _players_out(ticket)
    out.state, out.table_id, out.code, out.bots = STATES["matched"], outcome.table_id, outcome.code, outcome.bots
    for player, seat in zip(out.players, outcome.seats, strict=True):
        player.seat = seat
    return out


def _players_out(ticket: Ticket) -> pb.Ticket:
    players = [pb.TicketPlayer(player_id=player.player_id, display_name=player.name) for player in ticket.players]
    return pb.Ticket(ticket_id=ticket.ticket_id, players=players, party_size=ticket.party_size)


def _not_found() -> Refused:
    return Refused("TICKET_NOT_FOUND", "there is no such ticket")


def _closed() -> Refused:
    return Refused("PARTY_CLOSED", "the party is complete, or gave up")


def _elsewhere(entered: Entered) -> Refused:
    facts = {"ticket_id": entered.elsewhere, "player_id": entered.player_id}
    return Refused("ALREADY_WAITING", "the player has a live ticket", facts=facts)
