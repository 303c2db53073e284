"""The figures of the engine under load, each measured against what it must be compared with."""

import asyncio
import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from service_runtime.embedded_redis import free_port
from service_runtime.redis_connection import RedisConnection
from tests.bench import measure
from tests.bench.playing import Load, Round, echo_all, submit_all
from tests.bench.streaming import Streams, closed_loop, open_loop, play_moves, watched
from tests.support.stack import Stack

CALLS = 4000
TRICKS = 9
"""Of a round's ten: the last one would bring the scoring service in."""
TABLES = CALLS // (4 * TRICKS)


@dataclass(frozen=True)
class Bench:
    """What is measured and what measures it."""

    stack: Stack
    load: Load
    redis: RedisConnection

    @property
    def engine(self) -> int:
        """The engine's process."""
        return self.stack.engines[0].pid


@contextmanager
def stock(redis_url: str) -> Iterator[tuple[str, int]]:
    """Run the baseline; yield its address and process."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.stock", str(port), redis_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
            measure.pin(process.pid, measure.SERVER_CORE)
            yield f"127.0.0.1:{port}", process.pid
        finally:
            process.kill()


async def calls(bench: Bench) -> dict[str, float]:
    """Compare moves by single calls with the baseline, and moves over Play with moves by single calls."""
    with stock(bench.stack.valkey.url) as (address, baseline):
        cpu: dict[str, list[float]] = {"echo": [], "unary": [], "stream": []}

        async def echo() -> float:
            with _timed(baseline, CALLS, cpu["echo"]) as rate:
                await echo_all(address, CALLS)
            return rate[0]

        async def unary() -> float:
            rounds = await bench.load.rounds(TABLES)
            with _timed(bench.engine, TABLES * TRICKS * 4, cpu["unary"]) as rate:
                await submit_all(bench.load, rounds, TRICKS)
            return rate[0]

        async def stream() -> float:
            rounds, streams = await bench.load.rounds(TABLES), Streams(bench.stack.engines[0].address)
            with _timed(bench.engine, TABLES * TRICKS * 4, cpu["stream"]) as rate:
                await play_moves(streams, bench.load, rounds, TRICKS)
            await streams.close()
            return rate[0]

        rates = await measure.in_turn(echo, unary, stream)
    micros = {name: measure.percentile(found, 0.5) * 1e6 for name, found in cpu.items()}
    return {
        "stock_calls_per_s": rates[0],
        "unary_moves_per_s": rates[1],
        "stream_moves_per_s": rates[2],
        "unary_vs_stock": rates[1] / rates[0],
        "stream_vs_unary": rates[2] / rates[1],
        "stock_cpu_us": micros["echo"],
        "unary_cpu_us": micros["unary"],
        "stream_cpu_us": micros["stream"],
        "unary_vs_stock_by_cpu": micros["echo"] / micros["unary"],
        "stream_vs_unary_by_cpu": micros["unary"] / micros["stream"],
    }


async def delivery(bench: Bench) -> dict[str, float]:
    """Measure moves that all four seats have received: as fast as possible, and their latency at a fixed rate."""
    cpu: dict[bool, list[float]] = {False: [], True: []}

    async def fast(views: bool = False) -> float:
        async with _watching(bench, 32, views) as tables:
            with _timed(bench.engine, 32 * TRICKS * 4, cpu[views]) as rate:
                await closed_loop(tables)
        return rate[0]

    async def with_views() -> float:
        return await fast(views=True)

    latencies: list[float] = []

    async def steady() -> float:
        async with _watching(bench, 100) as tables:
            seconds = await open_loop(tables, per_second=250)
        latencies.extend(seconds)
        return measure.percentile(seconds, 0.99) * 1000

    per_second, _ = await measure.in_turn(fast, with_views)
    (p99,) = await measure.in_turn(steady, rounds=2)
    micros, micros_with_views = (measure.percentile(found, 0.5) * 1e6 for found in cpu.values())
    return {
        "delivered_moves_per_s": per_second,
        "delivered_cpu_us": micros,
        "delivered_with_views_cpu_us": micros_with_views,
        "delivered_moves_per_engine_core": 1e6 / micros,
        "p50_ms": measure.percentile(latencies, 0.5) * 1000,
        "p99_ms": p99,
    }


async def flat_tables(bench: Bench) -> dict[str, float]:
    """Compare the CPU of a move with 20,000 other tables stored and with 10."""

    async def few() -> float:
        return await _cpu_of_moves(bench)

    async def many() -> float:
        async with _others(bench, 20_000):
            return await _cpu_of_moves(bench)

    with_few, with_many = await measure.in_turn(few, many)
    return {"flat_tables": with_many / with_few}


async def flat_history(bench: Bench) -> dict[str, float]:
    """Compare the CPU of a move late in a game with one of its first; and measure a table's memory in the middle."""
    early: list[float] = []
    late: list[float] = []
    held: list[float] = []
    for _ in range(measure.ROUNDS):
        rounds = await bench.load.rounds(40)
        early.append(await _cpu(bench, rounds, 1))
        for number in range(4):
            if number:
                rounds = [await bench.load.next_round(table.table_id) for table in rounds]
            for _ in range({0: 9, 3: 8}.get(number, 10)):
                if number == 2:
                    held.append(await _bytes(bench, rounds))
                await submit_all(bench.load, rounds, 1)
        late.append(await _cpu(bench, rounds, 1))
    return {
        "flat_history": measure.percentile(late, 0.5) / measure.percentile(early, 0.5),
        "bytes_per_running_table": statistics.mean(held),
        "bytes_per_running_table_at_most": max(held),
    }


async def _cpu_of_moves(bench: Bench) -> float:
    return await _cpu(bench, await bench.load.rounds(40), 6)


async def _cpu(bench: Bench, rounds: list[Round], tricks: int) -> float:
    before = measure.cpu_seconds(bench.engine)
    moves = await submit_all(bench.load, rounds, tricks, at_once=16)
    return (measure.cpu_seconds(bench.engine) - before) / moves


async def _bytes(bench: Bench, rounds: list[Round]) -> float:
    """Return the memory of a table's keys, deadlines, code and lists included."""
    names = [name.decode() for name in await bench.redis.command("KEYS", "*")]
    total = 0
    for table in rounds[:10]:
        own = [name for name in names if table.table_id in name]
        total += sum([int(await bench.redis.command("MEMORY", "USAGE", name, "SAMPLES", 0)) for name in own])
    shared = [name for name in names if name.endswith(":due") or name.startswith("code:")]
    total_shared = sum([int(await bench.redis.command("MEMORY", "USAGE", name, "SAMPLES", 0)) for name in shared])
    tables = sum(":table:" in name for name in names)
    return total / 10 + total_shared / tables


@asynccontextmanager
async def _others(bench: Bench, count: int) -> AsyncIterator[None]:
    """Keep so many more tables in the store: copies of a real one, due some day."""
    table_id = await bench.load.table()
    (source,) = [name.decode() for name in await bench.redis.command("KEYS", f"*:table:{table_id}")]
    tag = source.partition(":")[0]
    names = [f"{table_id[:2]}{number:018d}" for number in range(count)]
    try:
        for some in _by(names, 1000):
            await bench.redis.pipeline([("COPY", source, f"{tag}:table:{name}") for name in some])
            await bench.redis.pipeline(
                [("COPY", source.replace(":table:", ":log:"), f"{tag}:log:{name}") for name in some]
            )
            due = [part for name in some for part in (int(time.time() * 1000) + 10**9, name)]
            await bench.redis.command("ZADD", f"{tag}:due", *due)
        yield
    finally:
        for some in _by(names, 1000):
            keys = [f"{tag}:{what}:{name}" for name in some for what in ("table", "log")]
            await bench.redis.command("UNLINK", *keys)
            await bench.redis.command("ZREM", f"{tag}:due", *some)


@asynccontextmanager
async def _watching(bench: Bench, count: int, views: bool = False) -> AsyncIterator[list]:  # type: ignore[type-arg]
    streams = Streams(bench.stack.engines[0].address)
    tables = await watched(streams, bench.load, count, TRICKS, views)
    try:
        yield tables
    finally:
        for table in tables:
            table.end()
        await streams.close()


@contextmanager
def _timed(pid: int, count: int, cpu: list[float]) -> Iterator[list[float]]:
    """Yield a list that holds the rate when the block is over; note the CPU of one."""
    rate: list[float] = []
    before, began = measure.cpu_seconds(pid), time.perf_counter()
    yield rate
    rate.append(count / (time.perf_counter() - began))
    cpu.append((measure.cpu_seconds(pid) - before) / count)


def _by(names: list[str], size: int) -> Iterator[list[str]]:
    numbers = iter(names)
    while some := list(itertools.islice(numbers, size)):
        yield some


async def settle() -> None:
    """Let what the run before left come to rest."""
    await asyncio.sleep(0.5)
