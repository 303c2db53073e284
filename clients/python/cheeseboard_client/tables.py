"""Playing at a table: views, moves, watching, records."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client.frames import Frame, Snapshot
from cheeseboard_client.lobby import HasEngine
from cheeseboard_client.moves import Choice, move_request
from cheeseboard_client.play import PlaySession
from cheeseboard_client.watch import watch


@dataclass(frozen=True)
class Record:
    """A game as the caller may see it."""

    table_id: str
    game_number: int
    options: tables_pb2.TableOptions
    players: tuple[tables_pb2.Player, ...]
    """Who sat where when the game began, by seat."""
    events: tuple[tables_pb2.TableEvent, ...]
    complete: bool
    """Whether the game is over and nothing is left out."""


class TableCalls(HasEngine):
    """The tables' part of `Cheeseboard`."""

    async def view(self, table_id: str) -> tables_pb2.TableView:
        """Return the table as the caller may see it now."""
        return (await self.snapshot(table_id)).view

    async def snapshot(self, table_id: str) -> Snapshot:
        """Return the table as the caller may see it now, and where to resume watching after it: as a watch begins."""
        request = tables_pb2.GetViewRequest(table_id=table_id)
        now = await self._engine.call(lambda engine: engine.tables.GetView, request)
        time = now.server_time.ToDatetime(UTC)
        return Snapshot(now.view, now.view.sequence, now.resume_point, time, reset=False, missed=False)

    async def move(
        self, table_id: str, choice: Choice, *, window: int | None = None, request_id: str | None = None
    ) -> tables_pb2.SubmitMoveResponse:
        """Do a move; the answer comes when it is durable.

        `choice` is an offer of the view, or a move (of the envelope or of the game) with the `window` that it answers.
        """
        request = move_request(table_id, choice, window, request_id)
        return await self._engine.call(lambda engine: engine.tables.SubmitMove, request)

    def watch(
        self, table_id: str, *, resume_point: str = "", include_view: bool = False
    ) -> AsyncGenerator[Frame, None]:
        """Yield what happens at a table until the caller stops, mending every loss of the connection by itself.

        Begins with a snapshot, or after a `resume_point`. Events come without gap and in order; after a loss that could
        not be resumed a `Snapshot` follows, with `reset` when what was shown before has to be dropped. `Interrupted`
        says that the connection is being mended. Nothing ends the iteration but a refusal that time does not heal,
        which is raised; the end of a game is an event. Leave it early by `contextlib.aclosing`.
        """
        return watch(self._engine, table_id, resume_point, include_view)

    def play(self, table_id: str, *, resume_point: str = "", include_view: bool = False) -> PlaySession:
        """Return a session that watches the table and moves at it over one stream; use it by `async with`."""
        return PlaySession(self._engine, table_id, resume_point, include_view)

    async def record(self, table_id: str, game_number: int = 0) -> Record:
        """Return a game's whole record, all pages of it; game 0 is the latest."""
        request = tables_pb2.GetRecordRequest(table_id=table_id, game_number=game_number)
        events: list[tables_pb2.TableEvent] = []
        while True:
            page = await self._engine.call(lambda engine: engine.tables.GetRecord, request)
            events += page.events
            if not page.next_page_token:
                players = tuple(page.players)
                return Record(table_id, page.game_number, page.options, players, tuple(events), page.complete)
            request.game_number, request.page_token = page.game_number, page.next_page_token
