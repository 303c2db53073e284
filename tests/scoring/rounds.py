"""Rounds as the engine hands them to the scoring service, and what it hands back."""

import hashlib
from collections.abc import Iterable, Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez
from cheeseboard.scoring.v1 import scoring_pb2
from service_runtime.partitions import partition_of, tag
from service_runtime.redis_connection import RedisConnection
from service_runtime.stream_entry import Entry

PARTITIONS = 64
NO_CATS: tuple[list[int], ...] = ([], [], [])


def table_id(name: str, partition: int | None = None) -> str:
    """An id that a table could have, the same for the same name."""
    digest = hashlib.sha256(name.encode()).hexdigest()
    home = int(digest[:2], 16) % PARTITIONS if partition is None else partition
    return f"{home:02x}{digest[2:20]}"


def people(*names: str) -> list[scoring_pb2.ScoredSeat]:
    return [scoring_pb2.ScoredSeat(player_id=f"p-{name}", display_name=name.title()) for name in names]


def facts(tricks: Sequence[int], captures: Iterable[Sequence[int]] = NO_CATS) -> scoring_pb2.RoundFacts:
    caught = [cheez.Capture(seats=seats) for seats in captures]
    return scoring_pb2.RoundFacts(cheez_tricks=cheez.RoundFacts(tricks=tricks, captures=caught))


def round_ended(
    table: str,
    number: int,
    tricks: Sequence[int] = (6, 4),
    captures: Iterable[Sequence[int]] = NO_CATS,
    *,
    game_number: int = 1,
    last: bool = False,
    seats: Sequence[scoring_pb2.ScoredSeat] = (),
    rated: bool = True,
    public: bool = False,
    ended_at: Timestamp | None = None,
) -> scoring_pb2.RoundEnded:
    if ended_at is None:
        ended_at = Timestamp()
        ended_at.GetCurrentTime()
    return scoring_pb2.RoundEnded(
        table_id=table,
        game_number=game_number,
        game="cheez_tricks",
        round=number,
        last=last,
        seats=seats or people(*"abcde"[: len(tricks)]),
        rated=rated,
        public=public,
        facts=facts(tricks, captures),
        ended_at=ended_at,
    )


async def push(connection: RedisConnection, ended: scoring_pb2.RoundEnded) -> str:
    """Append a round to its stream and wake the readers, as the engine's commit does; return the entry's id."""
    partition = partition_of(ended.table_id)
    entry: bytes = await connection.command("XADD", f"{tag(partition)}:rounds", "*", "m", ended.SerializeToString())
    await connection.command("PUBLISH", "rounds", partition)
    return entry.decode()


async def taken(connection: RedisConnection, ended: scoring_pb2.RoundEnded) -> Entry:
    """Append a round and take it as a consumer would."""
    partition = partition_of(ended.table_id)
    key = f"{tag(partition)}:rounds"
    await connection.pipeline([("XGROUP", "CREATE", key, "scoring", "0", "MKSTREAM")])
    await push(connection, ended)
    reply = await connection.command("XREADGROUP", "GROUP", "scoring", "test", "COUNT", 1, "STREAMS", key, ">")
    entry, fields = reply[0][1][0]
    return Entry(partition, entry.decode(), fields[1], key, "scoring")


async def scores(connection: RedisConnection) -> list[scoring_pb2.RoundScored]:
    """All that was appended to the score streams."""
    reads = [("XRANGE", f"{tag(partition)}:scores", "-", "+") for partition in range(PARTITIONS)]
    replies = await connection.pipeline(reads)
    return [scoring_pb2.RoundScored.FromString(fields[1]) for found in replies for _, fields in found]


async def waiting(connection: RedisConnection) -> tuple[int, int]:
    """How many rounds are in the streams, and how many of them somebody has taken."""
    keys = [f"{tag(partition)}:rounds" for partition in range(PARTITIONS)]
    lengths = await connection.pipeline([("XLEN", key) for key in keys])
    pending = await connection.pipeline([("XPENDING", key, "scoring") for key in keys])
    return sum(lengths), sum(reply[0] for reply in pending if not isinstance(reply, Exception))
