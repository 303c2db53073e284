"""The scoring service put together; the process and the tests start it here, and nowhere else are parts joined."""

import asyncio
from dataclasses import dataclass

from cheeseboard.scoring.v1 import scoring_pb2
from service_runtime import partitions, service
from service_runtime.consumer import StreamConsumer
from service_runtime.grpc_server import GrpcServer
from service_runtime.identity import Identity
from service_runtime.methods import methods_of
from service_runtime.pipeline import Pipeline
from service_runtime.redis_connection import RedisConnection

from . import backlog
from .ledger import GROUP, ROUNDS, Ledger
from .ratings import Ratings
from .service import ScoringApi
from .settings import ScoringSettings

_DAY_SECONDS = 24 * 3600


@dataclass(frozen=True)
class ScoringApp:
    """One running replica."""

    port: int
    connection: RedisConnection
    server: GrpcServer
    consumer: StreamConsumer
    tasks: tuple[asyncio.Task[None], ...]
    """What runs until it is told to stop; one that ends before that has failed."""

    @staticmethod
    async def start(settings: ScoringSettings) -> "ScoringApp":
        """Connect, listen, and begin to score. Raises StoreUnavailable, PortTaken, IdentityFileError."""
        connection = await service.open_store(settings)
        try:
            return await _assembled(settings, connection)
        except BaseException:
            await connection.close()
            raise

    async def stop(self) -> None:
        """Finish what is in hand and leave; rounds not acknowledged are another replica's, or wait."""
        await asyncio.gather(self.consumer.stop(), self.server.drain())
        for task in self.tasks:
            task.cancel()
        await asyncio.wait(self.tasks)
        await self.connection.close()


async def serve(settings: ScoringSettings, stopping: asyncio.Event) -> None:
    """Run a replica until it is told to stop, or a part of it fails."""
    app = await ScoringApp.start(settings)
    asked = asyncio.create_task(stopping.wait())
    await asyncio.wait((asked, *app.tasks), return_when=asyncio.FIRST_COMPLETED)
    failed = [task for task in app.tasks if task.done()]
    await app.stop()
    for task in failed:
        task.result()


async def _assembled(settings: ScoringSettings, connection: RedisConnection) -> ScoringApp:
    count = await partitions.agree(connection, settings.partitions)
    ledger = Ledger(
        connection=connection,
        ratings=Ratings(connection, late_after_ms=settings.void_seconds * 1000),
        record_seconds=settings.record_days * _DAY_SECONDS,
    )
    consumer = StreamConsumer(
        connection, stream=ROUNDS, group=GROUP, consumer=settings.instance, partitions=count, handle=ledger.record
    )
    server = GrpcServer(
        settings,
        listen=settings.scoring_listen,
        setting="CHEESEBOARD_SCORING_LISTEN",
        methods=methods_of(
            scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"], ScoringApi(connection).functions()
        ),
        pipeline=Pipeline(await Identity.load(settings, connection), settings),
        connection=connection,
    )
    port = await server.start()
    tasks = (
        asyncio.create_task(consumer.run(), name="rounds"),
        asyncio.create_task(backlog.watch(connection, ROUNDS, count), name="backlog"),
    )
    return ScoringApp(port, connection, server, consumer, tasks)
