"""`python -m engine_service.quarantine`: tables that are held back because their rules raised.

list                what raised, and how often; five times and a table is held back
release TABLE…      let tables go on, once a release that mends the fault runs
"""

import asyncio
import sys

from engine_service.settings import EngineSettings
from engine_service.store import quarantine
from engine_service.tables.commands import QUARANTINE_AFTER
from service_runtime.partitions import agree
from service_runtime.redis_connection import RedisConnection
from service_runtime.settings import load
from service_runtime.stack import local_redis_url
from service_runtime.store_errors import StoreUnavailable


def main(arguments: list[str]) -> int:
    """Return the exit code: 0 done, 1 a table was not held, 2 the command is not understood or Redis is not there."""
    if arguments != ["list"] and (arguments[:1] != ["release"] or len(arguments) < 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return asyncio.run(_list() if arguments == ["list"] else _release(arguments[1:]))
    except (StoreUnavailable, ValueError) as fault:
        print(fault, file=sys.stderr)
        return 2


async def _list() -> int:
    connection = await RedisConnection.open(local_redis_url())
    found = await quarantine.faults(connection, await agree(connection, load(EngineSettings).partitions))
    for table_id, count in sorted(found.items()):
        print(f"{table_id}  raised {count} times{', held back' if count >= QUARANTINE_AFTER else ''}")
    print(f"{len(found)} tables.")
    await connection.close()
    return 0


async def _release(table_ids: list[str]) -> int:
    connection = await RedisConnection.open(local_redis_url())
    released = [await quarantine.release(connection, table_id) for table_id in table_ids]
    for table_id, done in zip(table_ids, released, strict=True):
        print(f"{table_id}  {'released' if done else 'was not held'}")
    await connection.close()
    return 0 if all(released) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
