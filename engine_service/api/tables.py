"""Tables: views, moves, streams, records. Plain functions (request, caller) → response or stream, or Refused."""

from collections.abc import AsyncIterator

from cheeseboard.engine.v1 import tables_pb2 as pb
from engine_service.api import checks
from engine_service.api.access import seat_of
from engine_service.rules.game import Move
from engine_service.store.table_store import TableStore
from engine_service.tables import playing, records, seating, windows
from engine_service.tables.commands import Tables
from engine_service.tables.events import Change
from engine_service.tables.requests import Request
from engine_service.tables.stored import Stored
from engine_service.tables.views import event_out, options_out, player_out, table_view, timestamp
from engine_service.tables.watch import Hub
from service_runtime.errors import Refused
from service_runtime.identity import Caller


class TableCalls:
    """TableService, but for Play."""

    def __init__(self, tables: Tables, store: TableStore, hub: Hub) -> None:
        self._tables = tables
        self._store = store
        self._hub = hub

    async def get_view(self, request: pb.GetViewRequest, caller: Caller) -> pb.GetViewResponse:
        """Return the table as the caller may see it."""
        stored, viewer = await self._looked_at(request.table_id, caller)
        return pb.GetViewResponse(
            view=table_view(stored, viewer, self._tables.policy),
            resume_point=stored.head.resume_point,
            server_time=timestamp(stored.server_ms),
        )

    async def submit_move(self, request: pb.SubmitMoveRequest, caller: Caller) -> pb.SubmitMoveResponse:
        """Do a move; the answer comes when it is durable."""
        checks.request_id(request.request_id)
        known = Request.of(caller.player_id, request.request_id, request)
        away = False

        def decide(stored: Stored) -> Change:
            nonlocal away
            seat, policy, now_ms = seat_of(stored.table, caller), self._tables.policy, stored.now_ms
            sitter = stored.table.seats[seat]
            away = sitter is not None and sitter.away
            playing.refuse_idle(stored.table)
            action = checks.action(request, stored.table.game)
            move = Move(seat, windows.meant(stored.table, request.window), action)
            back = seating.come_back(stored.table, seat, now_ms, policy)
            return back.then(lambda table: playing.move(table, move, now_ms, policy))

        try:
            answer = await self._tables.execute(request.table_id, decide, known)
        except Refused:
            if away:  # Whatever becomes of the move: its player is back.
                await self._looked_at(request.table_id, caller)
            raise
        return pb.SubmitMoveResponse(sequence=answer.head.sequence, resume_point=answer.head.resume_point)

    async def watch_table(self, request: pb.WatchTableRequest, caller: Caller) -> AsyncIterator[pb.WatchTableResponse]:
        """Yield what happens at a table."""
        resume = checks.resume_point(request.resume_point)
        await self._looked_at(request.table_id, caller)
        frames = self._hub.watch(request.table_id, caller.player_id, resume, request.include_view, caller.expires_at)
        async for frame in frames:
            yield frame

    async def get_record(self, request: pb.GetRecordRequest, caller: Caller) -> pb.GetRecordResponse:
        """Return a page of a game's events as the caller may see them."""
        size = checks.page_size(request.page_size, default=1000, most=1000)
        after = checks.page_token(request.page_token) or (0, "")
        if request.game_number < 0:
            raise checks.bad("game_number", "must not be negative")
        try:
            stored = await self._tables.load(request.table_id)
        except Refused as refused:
            if refused.reason != "TABLE_NOT_FOUND":
                raise
            stored = None
        kept = await self._kept(request, stored)
        viewer = kept.viewer(caller.player_id)
        if viewer is None and not kept.options.allow_spectators:
            raise Refused("NO_SPECTATORS", "the caller did not play and the table allows no spectators")
        events = [
            event_out(kept.game, number, entry.at_ms, event, viewer)
            for entry in kept.entries
            for number, event in enumerate(entry.events, start=entry.first)
            if number > after[0] and kept.shows(number)
        ]
        return pb.GetRecordResponse(
            options=options_out(kept.game, kept.options),
            players=[player_out(sitter) for sitter in kept.span.players],
            events=events[:size],
            complete=kept.complete,
            next_page_token=checks.token_of(events[size - 1].sequence) if len(events) > size else "",
            game_number=kept.span.number,
        )

    async def _kept(self, request: pb.GetRecordRequest, stored: Stored | None) -> records.Kept:
        try:
            return await records.kept(self._store, request.table_id, stored, request.game_number)
        except ValueError:
            raise Refused("TABLE_NOT_FOUND", "there is no such table") from None

    async def _looked_at(self, table_id: str, caller: Caller) -> tuple[Stored, int | None]:
        """Return the table and whose view the caller gets. An absent player who looks is back."""
        stored = await self._tables.load(table_id)
        seat = stored.table.viewer(caller.player_id)
        sitter = stored.table.seats[seat] if seat is not None else None
        if seat is not None and sitter is not None and sitter.away:
            await self._tables.execute(table_id, lambda s: self._back(s, seat))
            stored = await self._tables.load(table_id)
        return stored, seat

    def _back(self, stored: Stored, seat: int) -> Change:
        return seating.come_back(stored.table, seat, stored.now_ms, self._tables.policy)
