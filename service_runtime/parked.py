"""Entries that were given up: an operator lists them and, once the fault is mended, sends them through again."""

from collections.abc import Iterable
from dataclasses import dataclass

from .redis_connection import RedisConnection
from .redis_script import load_script
from .stream_entry import parked_key, stream_key

_REPLAY = load_script(__package__, "scripts/replay.lua")


@dataclass(frozen=True, slots=True)
class Parked:
    """A parked entry. `reference` names it to `replay_parked`: partition/id."""

    reference: str
    at_ms: int
    error: str
    payload: bytes


async def list_parked(connection: RedisConnection, stream: str, partitions: int, most: int = 1000) -> list[Parked]:
    """Return what is parked of a stream, at most `most` a partition, oldest first in each."""
    reads = [("XRANGE", parked_key(stream, p), "-", "+", "COUNT", most) for p in range(partitions)]
    found: list[Parked] = []
    for partition, entries in enumerate(await connection.pipeline(reads, repeatable=True)):
        if isinstance(entries, Exception):
            raise entries
        found += [_parked(partition, entry_id, fields) for entry_id, fields in entries]
    return found


async def replay_parked(connection: RedisConnection, stream: str, reference: str) -> bool:
    """Put a parked entry back to its stream; False if it is not there. Raises ValueError for a malformed reference."""
    partition, slash, entry_id = reference.partition("/")
    if not slash or not partition.isdigit():
        raise ValueError("a reference is partition/id, as the list shows it")
    keys = [stream_key(stream, int(partition)), parked_key(stream, int(partition))]
    return bool(await connection.script(_REPLAY, keys, [entry_id, stream, partition]))


def _parked(partition: int, entry_id: bytes, fields: Iterable[bytes]) -> Parked:
    pairs = iter(fields)
    named = dict(zip(pairs, pairs, strict=True))
    return Parked(
        reference=f"{partition}/{entry_id.decode()}",
        at_ms=int(entry_id.split(b"-")[0]),
        error=named.get(b"error", b"").decode(errors="replace"),
        payload=named[b"m"],
    )
