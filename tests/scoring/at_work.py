"""The ledger and its consumer at work on a real Valkey, without a server around them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from scoring_service.boards import Board, Boards, board_key
from scoring_service.ledger import Ledger
from scoring_service.ratings import Ratings
from service_runtime.consumer import StreamConsumer
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from tests.scoring.rounds import PARTITIONS, table_id, waiting

DAY_MS = 24 * 3600 * 1000
TABLE = table_id("one table")


def ledger_on(connection: RedisConnection, late_after_ms: int = DAY_MS) -> Ledger:
    return Ledger(connection, Ratings(connection, late_after_ms), record_seconds=1000)


@contextlib.asynccontextmanager
async def consuming(connection: RedisConnection, name: str = "one") -> AsyncIterator[StreamConsumer]:
    """A replica's consumer at work."""
    consumer = StreamConsumer(
        connection,
        stream="rounds",
        group="scoring",
        consumer=name,
        partitions=PARTITIONS,
        handle=ledger_on(connection).record,
        retry_seconds=0.01,
    )
    working = asyncio.create_task(consumer.run())
    try:
        yield consumer
    finally:
        await consumer.stop()
        await working


async def settled(connection: RedisConnection, within_seconds: float = 10.0) -> None:
    """Return when no round waits any more."""
    async with asyncio.timeout(within_seconds):
        while await waiting(connection) != (0, 0):
            await asyncio.sleep(0.01)


async def board_of(connection: RedisConnection, table: str = TABLE, game_number: int = 1) -> Board:
    return await Boards(connection).load(board_key(partition_of(table), table, game_number))
