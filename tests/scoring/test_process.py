"""The service as it is run: figures, figures of what waits, an orderly end, and rounds that outlast it."""

import asyncio
import urllib.request
from pathlib import Path

from prometheus_client import generate_latest

from scoring_service import backlog
from service_runtime.embedded_redis import EmbeddedRedis, free_port
from service_runtime.metrics import REGISTRY
from service_runtime.partitions import agree, partition_of
from service_runtime.redis_connection import RedisConnection
from tests.scoring.at_work import TABLE, board_of, ledger_on, settled
from tests.scoring.rounds import PARTITIONS, push, round_ended, scores, table_id, taken, waiting
from tests.scoring.serving import serving, settings
from tests.support.stack import Replica


def figure(name: str, text: str) -> float:
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


async def test_what_waits_and_what_is_parked_is_measured(connection: RedisConnection) -> None:
    await backlog.measure(connection, "rounds", PARTITIONS)
    shown = generate_latest(REGISTRY).decode()
    assert [figure(f"cheeseboard_rounds_{name}", shown) for name in ("waiting", "parked", "lag_seconds")] == [0, 0, 0]
    old = await connection.now_ms() - 90_000
    await connection.command("XADD", "{p3}:rounds", old, "m", "an old one")
    await connection.command("XADD", "{p4}:rounds", "*", "m", "a new one")
    await connection.command("XADD", "{p9}:rounds:parked", "*", "m", "given up", "error", "why")
    await backlog.measure(connection, "rounds", PARTITIONS)
    shown = generate_latest(REGISTRY).decode()
    assert [figure(f"cheeseboard_rounds_{name}", shown) for name in ("waiting", "parked")] == [2, 1]
    assert 90 <= figure("cheeseboard_rounds_lag_seconds", shown) < 100


async def test_scored_rounds_and_rated_games_are_counted_once(connection: RedisConnection) -> None:
    def counted() -> tuple[float, float]:
        shown = generate_latest(REGISTRY).decode()
        rated = 'cheeseboard_games_rated_total{game="cheez_tricks",outcome="rated"}'
        return figure('cheeseboard_rounds_scored_total{game="cheez_tricks"}', shown), figure(rated, shown)

    before = counted()
    entry = await taken(connection, round_ended(TABLE, 1, last=True))
    for _ in range(3):
        await ledger_on(connection).record(entry)
    assert counted() == (before[0] + 1, before[1] + 1)


async def test_a_replica_scores_while_it_runs_and_leaves_the_rest(redis_url: str, tmp_path: Path) -> None:
    connection = await RedisConnection.open(redis_url)
    async with serving(settings(tmp_path, redis_url)):
        await push(connection, round_ended(TABLE, 1))
        await settled(connection)
    await push(connection, round_ended(TABLE, 2))
    await asyncio.sleep(0.3)
    assert await waiting(connection) == (1, 0)
    async with serving(settings(tmp_path, redis_url)):
        await settled(connection)
    assert (await board_of(connection)).totals == (24, 16)
    await connection.close()


async def test_the_number_of_partitions_is_what_redis_remembers(redis_url: str, tmp_path: Path) -> None:
    """A replica that is set to fewer still reads them all."""
    connection = await RedisConnection.open(redis_url)
    await agree(connection, PARTITIONS)
    last = table_id("in the last partition", PARTITIONS - 1)
    async with serving(settings(tmp_path, redis_url, partitions=2)):
        await push(connection, round_ended(last, 1))
        await settled(connection)
    assert [message.table_id for message in await scores(connection)] == [last]
    assert partition_of(last) == PARTITIONS - 1
    await connection.close()


async def test_the_process_serves_figures_and_stops_when_asked(own_valkey: EmbeddedRedis, tmp_path: Path) -> None:
    port = free_port()
    replica = Replica(
        "scoring", tmp_path, {"CHEESEBOARD_REDIS_URL": own_valkey.url, "CHEESEBOARD_METRICS_PORT": str(port)}
    )
    await asyncio.to_thread(replica.start)
    connection = await RedisConnection.open(own_valkey.url)
    await push(connection, round_ended(TABLE, 1))
    await settled(connection)
    shown = await asyncio.to_thread(lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
    assert figure('cheeseboard_rounds_scored_total{game="cheez_tricks"}', shown) == 1
    assert await asyncio.to_thread(replica.stop) == 0
    await connection.close()


async def test_redis_gone_for_a_while_is_waited_for(own_valkey: EmbeddedRedis, tmp_path: Path) -> None:
    async with serving(settings(tmp_path, own_valkey.url)):
        connection = await RedisConnection.open(own_valkey.url)
        await push(connection, round_ended(TABLE, 1))
        await settled(connection)
        await asyncio.to_thread(own_valkey.kill)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(own_valkey.start)
        while not connection.available:
            await asyncio.sleep(0.01)
        await push(connection, round_ended(TABLE, 2))
        await settled(connection, within_seconds=15)
        assert [message.score.round for message in await scores(connection)] == [1, 2]
        await connection.close()
