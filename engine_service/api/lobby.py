"""The lobby: tables made, found, joined, left, started. Plain functions (request, caller) → response, or Refused."""

import secrets
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from cheeseboard.engine.v1 import lobby_pb2 as pb
from engine_service.api import checks
from engine_service.api.access import seat_of, sitter_of
from engine_service.rules.registry import GAMES
from engine_service.store.directory import Directory
from engine_service.tables import seating
from engine_service.tables.commands import Decide, Tables
from engine_service.tables.holdings import refuse_too_many, tables_of
from engine_service.tables.requests import Answer, Request
from engine_service.tables.stored import Stored
from engine_service.tables.table import Table
from engine_service.tables.views import STATUSES, options_out, seats_out, timestamp
from engine_service.wire.registry import WIRES
from service_runtime.errors import Refused
from service_runtime.identity import Caller, Identity

AnyTable = Table[Any, Any]


class Lobby:
    """LobbyService."""

    def __init__(self, tables: Tables, directory: Directory, identity: Identity) -> None:
        self._tables = tables
        self._directory = directory
        self._identity = identity

    async def list_games(self, request: pb.ListGamesRequest, caller: Caller) -> pb.ListGamesResponse:
        """Return the games offered here."""
        return pb.ListGamesResponse(games=[_summary(game) for game in GAMES])

    async def create_table(self, request: pb.CreateTableRequest, caller: Caller) -> pb.CreateTableResponse:
        """Set up a table with the caller as its host."""
        request_id = checks.request_id(request.request_id)
        game, options = checks.table_options(request.options)
        host = sitter_of(caller, checks.display_name(request.display_name))
        table_id = self._directory.table_id(caller.player_id, request_id)
        if (code := await self._tables.store.gone(table_id)) is not None:
            return pb.CreateTableResponse(table_id=table_id, code=code, seat=0)
        await refuse_too_many(self._tables, self._directory, caller.player_id, table_id)
        await self._directory.note(caller.player_id, table_id)
        blank: AnyTable = Table(
            table_id=table_id,
            code=await self._directory.claim_code(table_id),
            game=game,
            options=options,
            key=secrets.token_bytes(32),
            created_ms=0,
            seats=(None,) * options.seats,
        )
        stored, answer = await self._tables.create(
            blank, lambda s: seating.create(s.table, host), _request(request, caller)
        )
        return pb.CreateTableResponse(table_id=table_id, code=stored.table.code, seat=answer.value)

    async def join_table(self, request: pb.JoinTableRequest, caller: Caller) -> pb.JoinTableResponse:
        """Give the caller a seat."""
        checks.request_id(request.request_id)
        player = sitter_of(caller, checks.display_name(request.display_name))
        table_id = await self._named(request)
        await refuse_too_many(self._tables, self._directory, caller.player_id, table_id)
        await self._tables.load(table_id)  # Nothing is noted of a table that is not there.
        await self._directory.note(caller.player_id, table_id)
        answer = await self._do(
            table_id, lambda s: seating.join(s.table, player, checks.seat(request)), request, caller
        )
        return pb.JoinTableResponse(table_id=table_id, seat=answer.value)

    async def leave_table(self, request: pb.LeaveTableRequest, caller: Caller) -> pb.LeaveTableResponse:
        """Take the caller off its seat, or let the engine play on for it."""

        def decide(stored: Stored) -> Any:
            seat = seat_of(stored.table, caller)
            return seating.leave(stored.table, seat, stored.now_ms, self._tables.policy)

        answer = await self._do(request.table_id, decide, request, caller)
        return pb.LeaveTableResponse(sequence=answer.head.sequence)

    async def seat_bot(self, request: pb.SeatBotRequest, caller: Caller) -> pb.SeatBotResponse:
        """Put a bot on a free seat."""

        def decide(stored: Stored) -> Any:
            host = seat_of(stored.table, caller)
            policy = self._tables.policy
            return seating.seat_bot(stored.table, host, request.bot, checks.seat(request), stored.now_ms, policy)

        answer = await self._do(request.table_id, decide, request, caller)
        return pb.SeatBotResponse(seat=answer.value)

    async def start_game(self, request: pb.StartGameRequest, caller: Caller) -> pb.StartGameResponse:
        """Begin the table's first game."""

        def decide(stored: Stored) -> Any:
            host = seat_of(stored.table, caller)
            return seating.start(stored.table, host, stored.now_ms, self._tables.policy)

        answer = await self._do(request.table_id, decide, request, caller)
        return pb.StartGameResponse(game_number=answer.value)

    async def rematch(self, request: pb.RematchRequest, caller: Caller) -> pb.RematchResponse:
        """Note that the caller wants another game."""

        def decide(stored: Stored) -> Any:
            seat = seat_of(stored.table, caller)
            return seating.ask_rematch(stored.table, seat, stored.now_ms, self._tables.policy)

        answer = await self._do(request.table_id, decide, request, caller)
        return pb.RematchResponse(sequence=answer.head.sequence)

    async def list_tables(self, request: pb.ListTablesRequest, caller: Caller) -> pb.ListTablesResponse:
        """Return a page of listed tables that wait for players."""
        if request.game:
            checks.wire_of(request.game, "game")
        size = checks.page_size(request.page_size, default=20, most=100)
        before, more = checks.page_token(request.page_token), True
        found: list[pb.TableSummary] = []
        while more and len(found) < size:
            rows = await self._directory.listed(before, size)
            more = len(rows) == size
            for row in rows:
                before = row
                if (table := await self._open_table(row[1], request.game)) is not None:
                    found.append(table)
                if len(found) == size:
                    break
        more = more or (bool(rows) and before != rows[-1])
        token = checks.token_of(*before) if more and before else ""
        return pb.ListTablesResponse(tables=found, next_page_token=token)

    async def list_my_tables(self, request: pb.ListMyTablesRequest, caller: Caller) -> pb.ListMyTablesResponse:
        """Return the tables the caller sits at."""
        stored_tables = await tables_of(self._tables, self._directory, caller.player_id)
        return pb.ListMyTablesResponse(tables=[_row(stored) for stored in stored_tables])

    async def sign_in_guest(self, request: pb.SignInGuestRequest, caller: Caller | None) -> pb.SignInGuestResponse:
        """Issue a guest's token, or renew the one it came with."""
        name = checks.display_name(request.display_name)
        if caller is None and not name:
            raise checks.bad("display_name", f"must be 1 to {checks.LONGEST_NAME} characters")
        token, expires_at = (
            self._identity.renew_guest(caller, name) if caller is not None else self._identity.issue_guest(name)
        )
        player_id = self._identity.caller({"authorization": f"Bearer {token}"}).player_id
        expires = Timestamp(seconds=expires_at)
        return pb.SignInGuestResponse(token=token, expires_at=expires, player_id=player_id)

    async def _do(self, table_id: str, decide: Decide, request: Any, caller: Caller) -> Answer:
        checks.request_id(request.request_id)
        return await self._tables.execute(table_id, decide, _request(request, caller))

    async def _named(self, request: pb.JoinTableRequest) -> str:
        match request.WhichOneof("table"):
            case "table_id":
                return request.table_id
            case "code":
                table_id = await self._directory.behind_code(checks.code(request.code))
                if table_id is None:
                    raise Refused("TABLE_NOT_FOUND", "no table has this code", facts={"code": request.code[:16]})
                return table_id
            case _:
                raise checks.bad("table", "give a table_id or a code")

    async def _open_table(self, table_id: str, game: str) -> pb.TableSummary | None:
        try:
            stored = await self._tables.load(table_id)
        except Refused:
            return None
        wanted = stored.table.status == "open" and game in ("", stored.table.game)
        return _row(stored) if wanted else None


def _request(request: Any, caller: Caller) -> Request:
    return Request.of(caller.player_id, request.request_id, request)


def _summary(name: str) -> pb.GameSummary:
    game = GAMES[name]
    summary = pb.GameSummary(
        game=name, title=game.title, min_seats=game.min_seats, max_seats=game.max_seats, bots=list(game.bots)
    )
    getattr(summary.default_options, name).CopyFrom(WIRES[name].options_out(game.options_type()))
    return summary


def _row(stored: Stored) -> pb.TableSummary:
    table = stored.table
    return pb.TableSummary(
        table_id=table.table_id,
        code=table.code,
        status=STATUSES[table.status],
        options=options_out(table.game, table.options),
        seats=seats_out(table, stored.connected),
        created_at=timestamp(table.created_ms + stored.credit_ms),
    )
