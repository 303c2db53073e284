"""Tables: made, found, joined, left, started."""

from collections.abc import AsyncIterator
from typing import Protocol

from google.protobuf.message import Message

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from cheeseboard_client.calls import Service
from cheeseboard_client.moves import new_request_id
from cheeseboard_client.stubs import EngineStubs

LONGEST_CODE = 8


class HasEngine(Protocol):
    """What these calls need of the client."""

    _engine: Service[EngineStubs]


def table_options(
    game: Message,
    seats: int,
    *,
    move_seconds: int | None = None,
    bank_seconds: int = 0,
    allow_spectators: bool = False,
    listed: bool = False,
) -> tables_pb2.TableOptions:
    """Return what a table is set up with, from a game's own options message.

    `move_seconds` 0 is a table without a clock, None the engine's default clock. Raises TypeError for a message that is
    no game's options.
    """
    options = tables_pb2.TableOptions(seats=seats, allow_spectators=allow_spectators, listed=listed)
    options.game.CopyFrom(_game_options(game))
    if move_seconds is not None:
        options.clock.CopyFrom(tables_pb2.Clock(move_seconds=move_seconds, bank_seconds=bank_seconds))
    return options


def _game_options(game: Message) -> tables_pb2.GameOptions:
    options = tables_pb2.GameOptions()
    for field in options.DESCRIPTOR.fields:
        chosen = getattr(options, field.name)
        if isinstance(game, type(chosen)):
            chosen.CopyFrom(game)
            chosen.SetInParent()  # Options that say nothing still name the game.
            return options
    raise TypeError(f"{game.DESCRIPTOR.full_name} is no game's options")


def is_code(text: str) -> bool:
    """Return whether this reads as a table's short code; table ids are longer."""
    return len("".join(text.split())) <= LONGEST_CODE


class LobbyCalls(HasEngine):
    """The lobby's part of `Cheeseboard`. A call with your own `request_id` can be repeated after `Unreachable`."""

    async def list_games(self) -> tuple[lobby_pb2.GameSummary, ...]:
        """Return the games that tables can be created for."""
        answer = await self._engine.call(lambda engine: engine.lobby.ListGames, lobby_pb2.ListGamesRequest())
        return tuple(answer.games)

    async def create_table(
        self, options: tables_pb2.TableOptions, *, display_name: str = "", request_id: str | None = None
    ) -> lobby_pb2.CreateTableResponse:
        """Set up a table and take its first seat. See `table_options`."""
        request = lobby_pb2.CreateTableRequest(
            request_id=request_id or new_request_id(), options=options, display_name=display_name
        )
        return await self._engine.call(lambda engine: engine.lobby.CreateTable, request)

    async def join(
        self, table: str, *, seat: int | None = None, display_name: str = "", request_id: str | None = None
    ) -> lobby_pb2.JoinTableResponse:
        """Take a seat at a table named by its id or its short code."""
        request = lobby_pb2.JoinTableRequest(
            request_id=request_id or new_request_id(), seat=seat, display_name=display_name
        )
        if is_code(table):
            request.code = table
        else:
            request.table_id = table
        return await self._engine.call(lambda engine: engine.lobby.JoinTable, request)

    async def leave(self, table_id: str, *, request_id: str | None = None) -> lobby_pb2.LeaveTableResponse:
        """Give up the caller's seat; a running game is played on for it until its player calls again."""
        request = lobby_pb2.LeaveTableRequest(request_id=request_id or new_request_id(), table_id=table_id)
        return await self._engine.call(lambda engine: engine.lobby.LeaveTable, request)

    async def seat_bot(
        self, table_id: str, bot: str = "", *, seat: int | None = None, request_id: str | None = None
    ) -> int:
        """Put a bot on a free seat and return the seat (host only)."""
        request = lobby_pb2.SeatBotRequest(
            request_id=request_id or new_request_id(), table_id=table_id, bot=bot, seat=seat
        )
        return (await self._engine.call(lambda engine: engine.lobby.SeatBot, request)).seat

    async def start(self, table_id: str, *, request_id: str | None = None) -> int:
        """Begin the game and return its number at the table (host only)."""
        request = lobby_pb2.StartGameRequest(request_id=request_id or new_request_id(), table_id=table_id)
        return (await self._engine.call(lambda engine: engine.lobby.StartGame, request)).game_number

    async def rematch(self, table_id: str, *, request_id: str | None = None) -> lobby_pb2.RematchResponse:
        """Ask for another game; it begins when every player who is there has asked."""
        request = lobby_pb2.RematchRequest(request_id=request_id or new_request_id(), table_id=table_id)
        return await self._engine.call(lambda engine: engine.lobby.Rematch, request)

    async def list_tables(self, game: str = "", *, page_size: int = 0) -> AsyncIterator[lobby_pb2.TableSummary]:
        """Yield the listed tables that wait for players, newest first, page after page."""
        request = lobby_pb2.ListTablesRequest(game=game, page_size=page_size)
        while True:
            page = await self._engine.call(lambda engine: engine.lobby.ListTables, request)
            for table in page.tables:
                yield table
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def my_tables(self) -> tuple[lobby_pb2.TableSummary, ...]:
        """Return the tables that the caller sits at, in no order."""
        answer = await self._engine.call(lambda engine: engine.lobby.ListMyTables, lobby_pb2.ListMyTablesRequest())
        return tuple(answer.tables)
