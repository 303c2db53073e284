"""What a server must be set to for nothing acknowledged to be lost."""

from typing import Any

from .redis_address import RedisAddress
from .redis_wire import ConnectionLost, ReplyError, connect

WANTED = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


async def durability_warnings(address: RedisAddress, reply_seconds: float) -> list[str]:
    """Return a sentence for each setting of a server that our promises need and that does not hold."""
    try:
        wire = await connect(address, reply_seconds)
    except (OSError, TimeoutError, ConnectionLost, ReplyError) as trouble:
        return [f"Redis at {address} does not answer: {trouble}"]
    try:
        asked = {name: wire.send(("CONFIG", "GET", name)) for name in WANTED}
        return [line for name, reply in asked.items() if (line := _compared(address, name, await _told(reply)))]
    finally:
        wire.close()


async def _told(reply: Any) -> str | None:
    try:
        found = await reply
    except (ConnectionLost, ReplyError):
        return None
    return found[1].decode() if found else None


def _compared(address: RedisAddress, name: str, found: str | None) -> str | None:
    wanted = WANTED[name]
    if found is None:
        return f"Redis at {address} does not tell its {name}; it must be {wanted} for nothing acknowledged to be lost."
    if found == wanted:
        return None
    return f"Redis at {address} has {name} {found}; with anything but {wanted} acknowledged moves can be lost."
