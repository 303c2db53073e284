"""The scenarios under load: people play through lines of their own while something is done to the product."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from service_runtime.redis_connection import RedisConnection
from tests.faults import chaos
from tests.faults.chaos import Troubles
from tests.faults.games import Load, Manners, clients
from tests.faults.report import Row
from tests.support.cluster import running_cluster
from tests.support.faulty_line import FaultyLine, faulty_lines
from tests.support.stack import QUICK, Replica, Stack, running_replicas, running_stack

SETTINGS = {
    **QUICK,
    "CHEESEBOARD_TABLES_PER_PLAYER": "1000000",
    "CHEESEBOARD_STREAMS_PER_SUBJECT": "1000000",
    "CHEESEBOARD_FINISHED_SECONDS": "60",
}

TICK_SECONDS = 0.05


@dataclass
class Site:
    """A product and the lines that lead to it."""

    stack: Stack
    engine_lines: list[FaultyLine]
    scoring_lines: list[FaultyLine]

    @property
    def lines(self) -> list[FaultyLine]:
        """All of them."""
        return [*self.engine_lines, *self.scoring_lines]


@asynccontextmanager
async def site(folder: Path, engines: int = 2, scorings: int = 2) -> AsyncIterator[Site]:
    """A product of this size behind lines."""
    with running_stack(folder, engines, scorings, SETTINGS) as stack:
        async with lines_to(stack) as running:
            yield running


@asynccontextmanager
async def lines_to(stack: Stack) -> AsyncIterator[Site]:
    """A product that is there, behind lines."""
    async with faulty_lines(stack.engine_addresses) as to_engines, faulty_lines(stack.scoring_addresses) as others:
        yield Site(stack, to_engines, others)


@dataclass
class Scenario:
    """How many play, how they behave, and how bad their lines are."""

    name: str
    tables: int = 4
    people: int = 10
    manners: Manners = field(default_factory=Manners)
    trouble_every_seconds: float = 1.0
    """On average; 0: lines are good."""
    move_seconds: int = 0

    async def run(
        self,
        site: Site,
        dice: random.Random,
        work: Callable[[Load], Awaitable[object]],
        kills: int = 0,
        connection: RedisConnection | None = None,
    ) -> Row:
        """Have people play while `work` is done to the product, and return what came of it.

        `connection` leads to a store that may lose something.
        """
        addresses = [line.address for line in site.engine_lines], [line.address for line in site.scoring_lines]
        before = {replica.log: replica.log.stat().st_size for replica in _replicas(site)}
        async with clients(*addresses, self.people) as people, self._trouble(site, dice), lateness() as late:
            load = Load(people, dice, self.manners, self.move_seconds, connection=connection)
            playing = asyncio.create_task(load.run(self.tables))
            try:
                await asyncio.sleep(0.5)
                await work(load)
            finally:
                load.stop()
            return Row(self.name, kills, await playing, errors_since(before), max(late))

    @asynccontextmanager
    async def _trouble(self, site: Site, dice: random.Random) -> AsyncIterator[None]:
        if not self.trouble_every_seconds:
            yield
            return
        async with Troubles(site.lines, dice, self.trouble_every_seconds).going_on():
            yield


@asynccontextmanager
async def lateness() -> AsyncIterator[list[float]]:
    """Note, while the block runs, by how many seconds this process comes late with what is due."""
    late = [0.0]

    async def measure() -> None:
        while True:
            due = time.monotonic() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            late.append(time.monotonic() - due)

    measuring = asyncio.create_task(measure())
    try:
        yield late
    finally:
        measuring.cancel()


def _replicas(site: Site) -> list[Replica]:
    return [*site.stack.engines, *site.stack.scorings]


def errors_since(logs: dict[Path, int]) -> list[str]:
    """Return what services logged as an error since the logs had these sizes."""
    found = []
    for log, size in logs.items():
        for line in log.read_bytes()[size:].decode(errors="replace").splitlines():
            if not line.startswith("{") or json.loads(line).get("level") == "error":
                found.append(f"{log.name}: {line[:500]}")
    return found


async def bad_lines(site: Site, dice: random.Random, seconds: float) -> Row:
    """Lines are cut, slow, or swallow answers all the time, and people give up every third call."""
    manners = Manners(cancels=0.33, repeats=0.3)
    return await Scenario("bad lines, cancelled calls", manners=manners, trouble_every_seconds=0.15).run(
        site, dice, lambda _: asyncio.sleep(seconds)
    )


async def engines_killed(site: Site, dice: random.Random, kills: int) -> Row:
    """Engines are killed in the middle of moves."""
    return await Scenario("engines killed", manners=Manners(cancels=0.05)).run(
        site, dice, lambda _: chaos.kill_replicas(site.stack.engines, kills, dice), kills
    )


async def scorings_killed(site: Site, dice: random.Random, kills: int) -> Row:
    """Scoring replicas are killed in the middle of rounds; people think little, so that there are many."""
    return await Scenario("scoring killed", manners=Manners(thinks_seconds=0.01)).run(
        site, dice, lambda _: chaos.kill_replicas(site.stack.scorings, kills, dice), kills
    )


async def store_killed(site: Site, dice: random.Random, kills: int) -> Row:
    """The Redis server is killed and comes back on the same data."""
    return await Scenario("Redis killed", manners=Manners(cancels=0.05)).run(
        site, dice, lambda _: chaos.kill_store(site.stack.valkey, kills, dice), kills
    )


async def everything_killed(site: Site, dice: random.Random, kills: int) -> Row:
    """All of it at once: so many kills of engines, half as many of scoring, a fifth as many of Redis."""
    stack = site.stack

    async def work(load: Load) -> None:
        await asyncio.gather(
            chaos.kill_replicas(stack.engines, kills, dice),
            chaos.kill_replicas(stack.scorings, kills // 2, dice),
            chaos.kill_store(stack.valkey, kills // 5, dice),
        )

    return await Scenario("everything killed").run(site, dice, work, kills + kills // 2 + kills // 5)


async def disk_stalls(site: Site, dice: random.Random, times: int) -> Row:
    """Redis stands still now and then, also for longer than the engines wait for a reply."""
    return await Scenario("disk stalls").run(
        site, dice, lambda _: chaos.stall_now_and_then(site.stack.valkey, times, dice), times
    )


async def memory_full(site: Site, dice: random.Random, times: int) -> Row:
    """Redis refuses writes now and then."""
    return await Scenario("memory full").run(
        site, dice, lambda _: chaos.fill_now_and_then(site.stack.valkey, times, dice), times
    )


async def rolling_restart(site: Site, dice: random.Random, rounds: int) -> Row:
    """Every replica is restarted in turn under people with three seconds a move and no bank."""
    bad = 0

    async def work(load: Load) -> None:
        nonlocal bad
        bad += await chaos.roll(_replicas(site), rounds)

    scenario = Scenario("rolling restarts", trouble_every_seconds=0, move_seconds=3)
    row = await scenario.run(site, dice, work, rounds * len(_replicas(site)))
    row.errors += [f"{bad} replicas did not end well when they were asked to"] if bad else []
    return row


async def cluster_failovers(folder: Path, dice: random.Random, times: int) -> Row:
    """On a cluster primaries change places with their replicas, are killed, and take their last steps along."""
    with (
        running_cluster(folder / "cluster") as cluster,
        running_replicas(cluster.url, folder, engines=2, scorings=2, settings=SETTINGS) as stack,
    ):
        connection = await RedisConnection.open(cluster.url, wait_seconds=10, budget_seconds=10)
        try:
            async with lines_to(stack) as site:
                return await Scenario(
                    "cluster failovers", tables=6, manners=Manners(cancels=0.05), trouble_every_seconds=0
                ).run(
                    site,
                    dice,
                    lambda load: chaos.fail_over_now_and_then(cluster, times, dice, load.setting_up),
                    times,
                    connection,
                )
        finally:
            await connection.close()
