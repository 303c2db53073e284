"""Every table belongs to one partition, and every key of a table carries its partition's hash tag.

The number of partitions is fixed by whoever starts first and recorded in Redis: another number would look for tables
in the wrong places.
"""

import re
from functools import cache, lru_cache

from .redis_connection import RedisConnection
from .redis_script import Script

KEY = "cheeseboard:partitions"

_AGREE = Script.of("agree", "redis.call('SET', KEYS[1], ARGV[1], 'NX') return redis.call('GET', KEYS[1])")

_TABLE_ID = re.compile(r"[0-9a-f]{2}[0-9a-z]{18}")


async def agree(connection: RedisConnection, wanted: int) -> int:
    """Return the number of partitions in force: the recorded one, or `wanted`, which is recorded now."""
    return int(await connection.script(_AGREE, [KEY], [wanted]))


@cache
def tag(partition: int) -> str:
    """Return the hash tag of a partition's keys, braces included: `{p17}`."""
    return f"{{p{partition}}}"


@lru_cache(maxsize=16_384)
def partition_of(table_id: str) -> int:
    """Return the partition that a table's id names: its first two hex digits. Raises ValueError for anything else.

    An id is those and 18 more of 0-9 and a-z.
    """
    if not _TABLE_ID.fullmatch(table_id):
        raise ValueError("not the id of a table")
    return int(table_id[:2], 16)
