"""A consumer in a process of its own, to be killed: it adds each entry's payload to a hash and finishes it.

python -m tests.runtime.consuming <redis url> <name>
"""

import asyncio
import sys

from service_runtime.consumer import Entry, StreamConsumer
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import Script

PARTITIONS = 4

# Idempotent, as every handler must be: a second run of the same entry changes nothing.
COUNT = Script.of("count", "return redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])")


async def consume(url: str, name: str) -> None:
    """Consume until killed."""
    connection = await RedisConnection.open(url, wait_seconds=10)

    async def handle(entry: Entry) -> None:
        # Slow enough that a kill finds entries taken, counted and not finished.
        await asyncio.sleep(0.002)
        await connection.script(COUNT, [f"{entry.stream_key}:done"], [entry.id, entry.payload])
        await asyncio.sleep(0.002)
        await consumer.finish(entry)

    consumer = StreamConsumer(
        connection,
        stream="rounds",
        group="scoring",
        consumer=name,
        partitions=PARTITIONS,
        handle=handle,
        concurrency=4,
        claim_idle_seconds=0.5,
    )
    await consumer.run()


if __name__ == "__main__":
    asyncio.run(consume(sys.argv[1], sys.argv[2]))
