"""What waits to be scored, as figures: measured now and then, from the streams themselves."""

import asyncio

from service_runtime.logs import logger
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_wire import ReplyError
from service_runtime.store_errors import StoreUnavailable
from service_runtime.stream_entry import parked_key, stream_key

from . import metrics

log = logger("backlog")

EVERY_SECONDS = 5.0


async def watch(
    connection: RedisConnection, stream: str, partitions: int, every_seconds: float = EVERY_SECONDS
) -> None:
    """Measure until cancelled."""
    while True:
        try:
            await measure(connection, stream, partitions)
        except (StoreUnavailable, ReplyError) as trouble:
            log.warning("backlog cannot be measured", trouble=str(trouble))
        await asyncio.sleep(EVERY_SECONDS)


async def measure(connection: RedisConnection, stream: str, partitions: int) -> None:
    """Set the figures of what waits and what is parked. Raises StoreUnavailable, ReplyError."""
    each = range(partitions)
    replies = await connection.pipeline(
        [("XLEN", stream_key(stream, partition)) for partition in each]
        + [("XLEN", parked_key(stream, partition)) for partition in each]
        + [("XRANGE", stream_key(stream, partition), "-", "+", "COUNT", "1") for partition in each],
        repeatable=True,
    )
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    now_ms = await connection.now_ms()
    begun = [int(found[0][0].split(b"-")[0]) for found in replies[2 * partitions :] if found]
    metrics.ROUNDS_WAITING.set(sum(replies[:partitions]))
    metrics.ROUNDS_PARKED.set(sum(replies[partitions : 2 * partitions]))
    metrics.ROUNDS_LAG_SECONDS.set(max(0, now_ms - min(begun, default=now_ms)) / 1000)
