"""What stands in Redis of a table, read key by key: whether its parts agree, and whether anything at all changed."""

import re
from collections.abc import Callable, Container, Iterator
from typing import Any

from cheeseboard.scoring.v1 import scoring_pb2
from engine_service.store import keys
from engine_service.store.head import WIDTH, Head
from engine_service.store.logged import Logged, unfolded
from engine_service.tables.codec import decode_entry, decode_table
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_wire import Command
from service_runtime.stream_entry import stream_key


async def everything(connection: RedisConnection) -> dict[bytes, Any]:
    """Return every key with its value; of a stream its entries and groups, but not when a consumer last looked."""
    names = sorted(await connection.command("KEYS", "*"))
    values = dict(zip(names, await connection.pipeline([("DUMP", name) for name in names]), strict=True))
    kinds = await connection.pipeline([("TYPE", name) for name in names])
    for name in (name for name, kind in zip(names, kinds, strict=True) if kind == b"stream"):
        values[name] = await connection.pipeline([("XRANGE", name, "-", "+"), ("XINFO", "GROUPS", name)])
    return values


async def heads_of(connection: RedisConnection, table_id: str) -> dict[int, str]:
    """Return the resume points that stand in a table's log, by number."""
    newest, chunks = [await connection.command(*read, repeatable=True) for read in _log_of(table_id)]
    heads = [Head(commit.last, commit.commit) for commit in unfolded(chunks, newest)]
    return {head.sequence: head.resume_point for head in heads}


async def due_tables(connection: RedisConnection) -> int:
    """Return for how many tables the engine has something to do, now or later."""
    return sum(await connection.pipeline([("ZCARD", keys.due(p)) for p in range(PARTITIONS)], repeatable=True))


PARTITIONS = 64


async def left_over(connection: RedisConnection, but: Container[str]) -> list[str]:
    """Return what is kept of tables `but` for some, and what is meant to outlive a table but would do so for ever."""
    names = [name.decode() for name in await connection.command("KEYS", "*")]
    own = [name for name in names if _OF_A_TABLE.match(name) and name.rsplit(":", 1)[1] not in but]
    lasting = [name for name in names if _LASTING.match(name)]
    lives = await connection.pipeline([("PTTL", name) for name in lasting], repeatable=True)
    own += [name for name, life in zip(lasting, lives, strict=True) if life == FOR_EVER]
    for pattern, read in _NAMING.items():
        naming = [name for name in names if re.match(pattern, name)]
        for name, reply in zip(naming, await connection.pipeline([(*read(name),) for name in naming]), strict=True):
            named = reply if isinstance(reply, list) else [reply]
            own += [name for table_id in named if table_id is not None and table_id.decode() not in but]
    return own


FOR_EVER = -1
_OF_A_TABLE = re.compile(r"{p\d+}:(table|log|past|here):")
_LASTING = re.compile(r"{p\d+}:(record|gone|board):")
_NAMING: dict[str, Callable[[str], Command]] = {
    r"{p\d+}:(due|listed)$": lambda name: ("ZRANGE", name, 0, -1),
    r"{p\d+}:faults$": lambda name: ("HKEYS", name),
    r"{u:.*}:tables$": lambda name: ("SMEMBERS", name),
    r"code:": lambda name: ("GET", name),
}
"""Keys that name tables, and how they are read."""


async def disagreements(connection: RedisConnection, table_id: str) -> list[str]:
    """Return in which way the table, its log, its deadline and the streams do not fit together."""
    partition = partition_of(table_id)
    value, newest, chunks, due, rounds, scores = await connection.pipeline(
        [
            ("GET", keys.table(table_id)),
            *_log_of(table_id),
            ("ZSCORE", keys.due(partition), table_id),
            ("XRANGE", keys.rounds(partition), "-", "+"),
            ("XRANGE", stream_key("scores", partition), "-", "+"),
        ]
    )
    ended = [scoring_pb2.RoundEnded.FromString(fields[1]) for _, fields in rounds]
    scored = [scoring_pb2.RoundScored.FromString(fields[1]) for _, fields in scores]
    under_way = len({message.game_number for message in (*ended, *scored) if message.table_id == table_id})
    return list(_disagreements(value, unfolded(chunks, newest), due is not None, under_way))


def _log_of(table_id: str) -> list[Command]:
    """What reads a table's log: first the newest commits, so that nothing is missing that is folded meanwhile."""
    return [("XRANGE", keys.log(table_id), "-", "+"), ("XRANGE", keys.past(table_id), "-", "+")]


def _disagreements(value: bytes, log: tuple[Logged, ...], due: bool, under_way: int) -> Iterator[str]:
    head, table = Head.unpack(value), decode_table(value[WIDTH:])
    if table.sequence != head.sequence:
        yield f"the table is at {table.sequence}, its head at {head.sequence}"
    if (log[-1].last, log[-1].commit) != (head.sequence, head.commit):
        yield f"the log ends with {log[-1].last}, the head is {head.sequence}"
    at = 0
    for commit in log:
        entry = decode_entry(table.game, commit.last, commit.entry)
        if at and entry.first != at + 1:
            yield f"the log leads from {at} to {entry.first}"
        at = entry.last
    if not due and table.status != "running":
        yield "nobody will look at the table again"
    if (table.scoring_since_ms is not None) != bool(under_way):
        yield f"scores are awaited since {table.scoring_since_ms}, {under_way} rounds are under way"
