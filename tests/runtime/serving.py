"""A small service on the real protos, for tests of what surrounds the functions; run it to test signals.

python -m tests.runtime.serving
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from service_runtime import service
from service_runtime.errors import Refused, StoreUnavailable
from service_runtime.grpc_server import GrpcServer
from service_runtime.identity import Caller, Identity
from service_runtime.limits import Rate
from service_runtime.methods import Method, methods_of
from service_runtime.pipeline import Pipeline
from service_runtime.redis_connection import RedisConnection
from service_runtime.settings import RuntimeSettings


class ServingSettings(RuntimeSettings):
    """Where the small service listens."""

    serving_listen: str = "127.0.0.1:0"


class SmallService:
    """Functions that do what the tests need; streams count up until told to say goodbye."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.leaving = asyncio.Event()
        self.closed_streams = 0

    async def get_view(self, request: Any, caller: Caller) -> Any:
        """Answer with the caller, or do what the table's id says."""
        match request.table_id:
            case "refuse":
                raise Refused("TABLE_NOT_FOUND", facts={"table": "refuse"})
            case "break":
                raise ZeroDivisionError(f"seed {4700 + 11}")
            case "away":
                raise StoreUnavailable("gone")
            case "slow":
                await asyncio.sleep(60)
        return tables_pb2.GetViewResponse(resume_point=f"{caller.player_id} {caller.name}")

    async def watch(self, request: Any, caller: Caller) -> AsyncIterator[Any]:
        """Count up; end with a goodbye."""
        sequence = 0
        try:
            while not self.leaving.is_set():
                sequence += 1
                yield tables_pb2.WatchTableResponse(sequence=sequence)
                if request.table_id == "refuse":
                    raise Refused("NOT_SEATED")
                if request.table_id == "stubborn":
                    await asyncio.sleep(60)
                await asyncio.sleep(0.02)
            yield tables_pb2.WatchTableResponse(goodbye=tables_pb2.Goodbye(reason=tables_pb2.STREAM_END_DRAINING))
        finally:
            self.closed_streams += 1

    async def play(self, requests: AsyncIterator[Any], caller: Caller) -> AsyncIterator[Any]:
        """Answer each move with its own id."""
        async for request in requests:
            answer = tables_pb2.MoveAnswer(request_id=request.move.request_id)
            yield tables_pb2.PlayResponse(answers=[tables_pb2.PlayAnswer(move=answer)])

    async def sign_in(self, request: Any, caller: Caller | None) -> Any:
        """Issue or renew."""
        token, _ = self._identity.renew_guest(caller) if caller else self._identity.issue_guest("Gil")
        return lobby_pb2.SignInGuestResponse(token=token)

    async def nothing(self, request: Any, caller: Caller) -> Any:
        """Refuse."""
        raise Refused("BAD_REQUEST")

    async def say_goodbye(self) -> None:
        """Let streams end."""
        self.leaving.set()

    def methods(self) -> tuple[Method, ...]:
        """Two real services, of which few methods do anything."""
        tables = tables_pb2.DESCRIPTOR.services_by_name["TableService"]
        lobby = lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"]
        named = {"GetView": self.get_view, "WatchTable": self.watch, "Play": self.play}
        rest = {method.name: self.nothing for service in (tables, lobby) for method in service.methods}
        return (
            *methods_of(tables, {m.name: named.get(m.name, rest[m.name]) for m in tables.methods}),
            *methods_of(
                lobby,
                {**{m.name: rest[m.name] for m in lobby.methods}, "SignInGuest": self.sign_in},
                public=["SignInGuest"],
                rates={"SignInGuest": Rate(per_second=0.01, burst=3)},
            ),
        )


async def start(
    settings: ServingSettings, connection: RedisConnection
) -> tuple[GrpcServer, SmallService, Identity, int]:
    """Start it; return its parts and its port."""
    identity = await Identity.load(settings, connection)
    small = SmallService(identity)
    server = GrpcServer(
        settings,
        listen=settings.serving_listen,
        setting="CHEESEBOARD_SERVING_LISTEN",
        methods=small.methods(),
        pipeline=Pipeline(identity, settings),
        connection=connection,
    )
    return server, small, identity, await server.start()


async def serve(settings: ServingSettings, stopping: asyncio.Event) -> None:
    """Serve until stopped."""
    connection = await service.open_store(settings)
    server, small, _, _ = await start(settings, connection)
    await stopping.wait()
    await server.drain(small.say_goodbye)
    await connection.close()


if __name__ == "__main__":
    service.main("small", ServingSettings, serve)
