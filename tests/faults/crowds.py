"""Crowds: what one caller, or a thousand, does to the memory of an engine and to the moves of everyone else.

The others are a handful of tables that are played at a person's pace all the while, at the same and only engine; how
long they wait is measured in turn without the crowd and with it.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from service_runtime.redis_connection import RedisConnection
from tests.bench.measure import percentile, resident_bytes
from tests.faults.games import Load, Manners, Tally, clients
from tests.faults.report import WIDE
from tests.faults.scenarios import errors_since
from tests.faults.stored import due_tables, left_over
from tests.support.stack import Stack, running_stack

SETTINGS = {
    # Limits are those that are shipped.
    "CHEESEBOARD_BOT_MIN_MS": "100",
    "CHEESEBOARD_BOT_MAX_MS": "300",
    "CHEESEBOARD_OPEN_SECONDS": "10",
    "CHEESEBOARD_ABANDONED_SECONDS": "10",
    "CHEESEBOARD_FINISHED_SECONDS": "5",
    "CHEESEBOARD_LINGER_SECONDS": "1",
}
OTHERS = Manners(repeats=0.0, thinks_seconds=0.2)
TABLES, PEOPLE = 4, 10
MB = 1e6
MOST_TIMES_QUIET = 2.0
"""So many times the quiet 99th percentile may the others wait at most."""
LEAVES_TABLES = ("abandon", "everything")
HEADS = ("size", "MB more", "at most", "games", "quiet p50", "p99", "crowd p50", "p99", "times p99")
GONE_WITHIN_SECONDS = 120.0


@dataclass
class Crowd:
    """A crowd and what came of it."""

    kind: str
    size: int
    most_mb: float
    """What the engine's memory may grow by."""
    grown_mb: float = 0.0
    quiet: list[float] = field(default_factory=list)
    """Seconds that moves of the others took without the crowd."""
    crowded: list[float] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)
    """What the crowd was answered, by reason."""
    left: list[str] = field(default_factory=list)
    """Keys that stayed of tables that are gone."""
    tally: Tally = field(default_factory=Tally)
    errors: list[str] = field(default_factory=list)

    @property
    def times_quiet(self) -> float:
        """How many times as long the others waited, at the 99th percentile."""
        return percentile(self.crowded, 0.99) / percentile(self.quiet, 0.99)

    @property
    def broken(self) -> list[str]:
        """What must not be, in words, whatever the machine."""
        wrong = [f"{fault.kind}: {fault.what}" for fault in self.tally.faults]
        wrong += [f"a move was given up: {trouble}" for trouble in self.tally.account.troubles]
        wrong += [f"logged: {line}" for line in self.errors]
        wrong += [f"stayed: {key}" for key in self.left]
        if self.grown_mb > self.most_mb:
            wrong.append(f"the engine grew by {self.grown_mb:.1f} MB, more than {self.most_mb:.0f}")
        return wrong

    @property
    def slow(self) -> list[str]:
        """What took too long, in words."""
        if self.times_quiet <= MOST_TIMES_QUIET:
            return []
        return [f"the others waited {self.times_quiet:.1f} times as long, more than {MOST_TIMES_QUIET}"]


@asynccontextmanager
async def site(folder: Path, settings: Mapping[str, str] = SETTINGS) -> AsyncIterator[Stack]:
    """A product with one engine, which everybody shares."""
    with running_stack(folder, settings=settings) as stack:
        yield stack


async def run(
    stack: Stack, crowd: Crowd, dice: random.Random, seconds: float, manners: Manners = OTHERS, tables: int = TABLES
) -> Crowd:
    """Have the others play and the crowd come between two quiet whiles; `seconds` it is there, and quiet in all."""
    (engine,) = stack.engines
    before = {engine.log: engine.log.stat().st_size}
    async with clients(stack.engine_addresses, stack.scoring_addresses, PEOPLE) as people:
        load = Load(people, dice, manners, check_at_once=False)
        playing = asyncio.create_task(load.run(tables))
        waits = load.tally.account.waits
        await asyncio.sleep(2)
        resident, waits[:] = resident_bytes(engine.pid), []
        await asyncio.sleep(seconds / 2)
        quiet = len(waits)
        async with _there(crowd, engine.address, load.tables[-tables:]) as came:
            await asyncio.sleep(max(0.0, seconds - (time.monotonic() - came)))
            crowd.grown_mb = (resident_bytes(engine.pid) - resident) / MB
            if crowd.kind in LEAVES_TABLES:
                await _closed(stack, tables)
            crowded = len(waits)
            if crowd.kind in LEAVES_TABLES:  # Looking at every key holds up whoever is measured here.
                crowd.left = await _left(stack, load)
        await asyncio.sleep(seconds / 2)
        crowd.quiet, crowd.crowded = [*waits[:quiet], *waits[crowded:]], waits[quiet:crowded]
        load.stop()
        crowd.tally = await playing
    crowd.errors = errors_since(before)
    return crowd


@asynccontextmanager
async def _there(crowd: Crowd, address: str, tables: list[str]) -> AsyncIterator[float]:
    """Have the crowd do what it came for, and then be there while the block runs; yield when it came."""
    came = time.monotonic()
    command = [sys.executable, "-m", "tests.faults.crowd", crowd.kind, address, str(crowd.size), *tables]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert process.stdin is not None and process.stdout is not None
    try:
        assert await process.stdout.readline() == b"there\n"
        yield came
        process.stdin.close()
        crowd.told = json.loads(await process.stdout.readline())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _closed(stack: Stack, tables: int) -> None:
    """Return when the engine has little to do any more but for so many tables, and those that are closed after them."""
    connection = await RedisConnection.open(stack.redis_url)
    deadline = time.monotonic() + GONE_WITHIN_SECONDS
    while await due_tables(connection) > 3 * tables and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    await connection.close()


async def _left(stack: Stack, load: Load) -> list[str]:
    """Return the keys of other tables than the load's that stay when all that were abandoned must be gone."""
    connection = await RedisConnection.open(stack.redis_url)
    deadline = time.monotonic() + GONE_WITHIN_SECONDS
    while (left := await left_over(connection, load.tables)) and time.monotonic() < deadline:
        await asyncio.sleep(2)
    await connection.close()
    return left


def print_crowds(crowds: Sequence[Crowd], heads: bool = True) -> None:
    """Print a row a crowd; waits are those of the others, in milliseconds."""
    if heads:
        print(" " * WIDE, *(f"{head:>9}" for head in HEADS), " answered")
    for crowd in crowds:
        waits = [percentile(w, s) * 1000 for w in (crowd.quiet, crowd.crowded) for s in (0.5, 0.99)]
        cells = [f"{crowd.size:>9,}", f"{crowd.grown_mb:>9.1f}", f"{crowd.most_mb:>9.0f}", f"{crowd.tally.games:>9}"]
        told = ", ".join(f"{reason} {count:,}" for reason, count in sorted(crowd.told.items()))
        print(crowd.kind.ljust(WIDE), *cells, *(f"{ms:>9.1f}" for ms in waits), f"{crowd.times_quiet:>9.2f} ", told)
