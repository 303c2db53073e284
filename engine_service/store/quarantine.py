"""Tables whose rules raised: how often, and letting them go again once the fault is mended."""

from engine_service.store import keys
from engine_service.store.replies import checked
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection


async def faults(connection: RedisConnection, partitions: int) -> dict[str, int]:
    """Return how often the rules of a table raised, by table."""
    commands = [("HGETALL", keys.faults(partition)) for partition in range(partitions)]
    found: dict[str, int] = {}
    for reply in checked(await connection.pipeline(commands, repeatable=True)):
        found.update({name.decode(): int(count) for name, count in zip(reply[::2], reply[1::2], strict=True)})
    return found


async def release(connection: RedisConnection, table_id: str) -> bool:
    """Forget a table's faults and have it looked at at once; False if there were none. Raises ValueError."""
    partition = partition_of(table_id)
    if not await connection.command("HDEL", keys.faults(partition), table_id):
        return False
    await connection.command("ZADD", keys.due(partition), 0, table_id, repeatable=True)
    return True
