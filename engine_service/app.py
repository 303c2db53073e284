"""The one place where the engine's parts are joined; tests use it too."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from cheeseboard.engine.v1 import lobby_pb2, matchmaking_pb2, tables_pb2
from engine_service.api.lobby import Lobby
from engine_service.api.matchmaking import Matchmaking
from engine_service.api.play import Play
from engine_service.api.tables import TableCalls
from engine_service.matchmaking.matcher import Matcher
from engine_service.matchmaking.news import News
from engine_service.matchmaking.seats import Seats
from engine_service.settings import EngineSettings
from engine_service.store.directory import Directory
from engine_service.store.match_store import MatchStore
from engine_service.store.table_store import TableStore
from engine_service.tables import scores
from engine_service.tables.clock import Clock
from engine_service.tables.commands import Tables
from engine_service.tables.watch import Hub
from service_runtime import service
from service_runtime.consumer import Entry, StreamConsumer
from service_runtime.grpc_server import GrpcServer
from service_runtime.identity import Identity
from service_runtime.limits import Rate
from service_runtime.methods import Function, Method, methods_of
from service_runtime.partitions import agree
from service_runtime.pipeline import Pipeline
from service_runtime.redis_connection import RedisConnection

LOBBY = lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"]
MATCHMAKING = matchmaking_pb2.DESCRIPTOR.services_by_name["MatchmakingService"]
TABLES = tables_pb2.DESCRIPTOR.services_by_name["TableService"]


class Engine:
    """A replica: its parts, joined and running."""

    def __init__(self, settings: EngineSettings, connection: RedisConnection, partitions: int) -> None:
        self.settings = settings
        self.connection = connection
        self.store = TableStore(connection, settings.instance)
        self.directory = Directory(connection, partitions)
        self.tables = Tables(self.store, settings.policy())
        listener = connection.listener()
        self.hub = Hub(self.tables, self.store, listener)
        self.play = Play()
        self.match_store, self.news = MatchStore(connection), News(listener)
        self.matcher = Matcher(self.match_store, Seats(self.match_store, self.tables, self.directory, self.news))
        self.matchmaking = Matchmaking(
            self.match_store,
            self.matcher,
            self.news,
            self.tables,
            self.directory,
            [name for name in settings.match_keys.split(",") if name],
        )
        self.clock = Clock(self.tables, self.directory, partitions)
        self.scores = StreamConsumer(
            connection,
            stream="scores",
            group="engine",
            consumer=settings.instance,
            partitions=partitions,
            handle=self._record_scores,
        )

    async def say_goodbye(self) -> None:
        """Let every open stream end by itself, with its resume point."""
        self.matchmaking.drain()
        await self.hub.drain()
        self.play.drain()

    async def _record_scores(self, entry: Entry) -> None:
        await scores.record(self.tables, entry, self.scores.finish)

    def methods(self, identity: Identity, pipeline: Pipeline) -> tuple[Method, ...]:
        """Return everything a caller can reach."""
        lobby = Lobby(self.tables, self.directory, identity)
        tables = TableCalls(self.tables, self.store, self.hub)
        moves = Rate(self.settings.moves_per_second, 2 * self.settings.moves_per_second)
        table_methods: dict[str, Function] = {
            "GetView": tables.get_view,
            "SubmitMove": tables.submit_move,
            "WatchTable": tables.watch_table,
            "GetRecord": tables.get_record,
        }
        at_tables = methods_of(TABLES, {**table_methods, "Play": self.play.play}, rates={"SubmitMove": moves})
        self.play.carries(at_tables, pipeline)
        finding: dict[str, Function] = {
            "CreateTicket": self.matchmaking.create_ticket,
            "JoinTicket": self.matchmaking.join_ticket,
            "WatchTicket": self.matchmaking.watch_ticket,
            "CancelTicket": self.matchmaking.cancel_ticket,
        }
        return (
            *at_tables,
            *methods_of(MATCHMAKING, finding),
            *methods_of(
                LOBBY,
                {
                    "ListGames": lobby.list_games,
                    "CreateTable": lobby.create_table,
                    "JoinTable": lobby.join_table,
                    "LeaveTable": lobby.leave_table,
                    "SeatBot": lobby.seat_bot,
                    "StartGame": lobby.start_game,
                    "Rematch": lobby.rematch,
                    "ListTables": lobby.list_tables,
                    "ListMyTables": lobby.list_my_tables,
                    "SignInGuest": lobby.sign_in_guest,
                },
                public=("SignInGuest",),
            ),
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Sequence["asyncio.Task[None]"]]:
        """Keep clock, heartbeats, scores and matches going; yield their tasks, none of which ends by itself."""
        await self.clock.sweep()  # An outage is booked before anyone's time is looked at.
        parts = (self.clock, self.hub, self.scores, self.news, self.matcher)
        tasks = [asyncio.create_task(part.run()) for part in parts]
        try:
            yield tasks
        finally:
            await self.clock.stop()
            await self.matcher.stop()
            await self.scores.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(frozen=True)
class Serving:
    """An engine that serves on a port."""

    port: int
    tasks: Sequence["asyncio.Task[None]"]
    """What must never end while it serves."""


@asynccontextmanager
async def serving(settings: EngineSettings) -> AsyncIterator[Serving]:
    """Serve until the block ends; then drain."""
    connection = await service.open_store(settings)
    try:
        engine = Engine(settings, connection, await agree(connection, settings.partitions))
        identity = await Identity.load(settings, connection)
        pipeline = Pipeline(identity, settings)
        server = GrpcServer(
            settings,
            listen=settings.engine_listen,
            setting="CHEESEBOARD_ENGINE_LISTEN",
            methods=engine.methods(identity, pipeline),
            pipeline=pipeline,
            connection=connection,
        )
        async with engine.running() as tasks:
            port = await server.start()
            try:
                yield Serving(port, tasks)
            finally:
                await server.drain(engine.say_goodbye)
    finally:
        await connection.close()


async def serve(settings: EngineSettings, stopping: asyncio.Event) -> None:
    """Serve until asked to stop, or until a part of it breaks, which is raised: better no replica than half a one."""
    async with serving(settings) as engine:
        asked = asyncio.create_task(stopping.wait())
        await asyncio.wait((asked, *engine.tasks), return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        for task in engine.tasks:
            if task.done():
                task.result()
