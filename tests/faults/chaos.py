"""What is done to the product while people play: lines are troubled, processes killed, stopped and started again."""

import asyncio
import itertools
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.redis_connection import RedisConnection
from tests.support.cluster import Node, ValkeyCluster
from tests.support.faulty_line import Connection, FaultyLine
from tests.support.stack import Replica

QUIET_SECONDS = 0.1
"""In which a replica hears of the last table that was set up."""
UNHEARD_SECONDS = 0.3
"""What a primary does in its last moments, and no replica hears of."""


class Troubles:
    """Breaks one connection after the other, at random, in a way that its user can only see as a bad line."""

    def __init__(self, lines: Sequence[FaultyLine], dice: random.Random, every_seconds: float) -> None:
        self.done: Counter[str] = Counter()
        self._lines = lines
        self._dice = dice
        self._every_seconds = every_seconds

    @asynccontextmanager
    async def going_on(self) -> AsyncIterator["Troubles"]:
        """Make trouble while the block runs."""
        running = asyncio.create_task(self._run())
        try:
            yield self
        finally:
            running.cancel()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as troubles:
            while True:
                await asyncio.sleep(self._dice.expovariate(1 / self._every_seconds))
                there = [connection for line in self._lines for connection in line.connections]
                if there:
                    troubles.create_task(self._trouble(self._dice.choice(there)))

    async def _trouble(self, connection: Connection) -> None:
        kind = self._dice.choice(("cut", "slow", "swallowed"))
        self.done[kind] += 1
        if kind == "slow":
            connection.delay_seconds = self._dice.uniform(0.05, 0.5)
            await asyncio.sleep(self._dice.uniform(0.2, 2.0))
            connection.delay_seconds = 0.0
            return
        if kind == "swallowed":  # What is asked meanwhile is done, and its answer is lost.
            connection.swallows = True
            await asyncio.sleep(self._dice.uniform(0.02, 0.5))
        connection.cut()


async def kill_replicas(replicas: Sequence[Replica], times: int, dice: random.Random) -> None:
    """Kill a replica as a power cut would and start it again, so often; now and then the next before it is back."""
    for _ in range(times):
        replica = dice.choice(replicas)
        await asyncio.to_thread(replica.kill)
        await asyncio.sleep(dice.uniform(0, 0.3))
        replica.launch()
        if dice.random() < 0.8:
            await asyncio.to_thread(replica.wait)
        await asyncio.sleep(dice.uniform(0, 0.3))
    await asyncio.gather(*(asyncio.to_thread(replica.wait) for replica in replicas))


async def kill_store(valkey: EmbeddedRedis, times: int, dice: random.Random) -> None:
    """Kill the Redis server and start it again on the same data, so often."""
    for _ in range(times):
        await asyncio.sleep(dice.uniform(0.3, 1.5))
        await asyncio.to_thread(valkey.kill)
        await asyncio.sleep(dice.uniform(0, 1.0))
        await asyncio.to_thread(valkey.start)


async def roll(replicas: Sequence[Replica], rounds: int) -> int:
    """Restart every replica in turn, as a release is rolled out, so often; return how many did not end well."""
    ended_badly = 0
    for _ in range(rounds):
        for replica in replicas:
            ended_badly += await asyncio.to_thread(replica.stop) != 0
            await asyncio.to_thread(replica.start)
    return ended_badly


@asynccontextmanager
async def stalled(valkey: EmbeddedRedis) -> AsyncIterator[None]:
    """Have the server stand still (SIGSTOP): with `appendfsync always` a disk that stalls does the same to it.

    It fsyncs in its only thread before it answers, so that nobody sees a difference; and no disk has to be slow.
    """
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(valkey.pid, signal.SIGCONT)


@asynccontextmanager
async def memory_full(connection: RedisConnection) -> AsyncIterator[None]:
    """Have the server refuse every write (OOM)."""
    await connection.command("CONFIG", "SET", "maxmemory", 1)
    try:
        yield
    finally:
        await connection.command("CONFIG", "SET", "maxmemory", 0)


async def stall_now_and_then(valkey: EmbeddedRedis, times: int, dice: random.Random) -> None:
    """Let the disk stall so often: for a moment, or for longer than anyone waits for a reply."""
    for _ in range(times):
        await asyncio.sleep(dice.uniform(0.5, 2.0))
        async with stalled(valkey):
            await asyncio.sleep(dice.choice((0.2, 1.0, 6.5)))


async def hand_over(cluster: ValkeyCluster, primary: Node, setting_up: asyncio.Lock) -> None:
    """Make a replica the primary by CLUSTER FAILOVER."""
    await asyncio.to_thread(cluster.hand_over, primary)


async def kill_primary(cluster: ValkeyCluster, primary: Node, setting_up: asyncio.Lock) -> None:
    """Kill a primary and start it again when its replica has taken over."""
    async with setting_up:
        await asyncio.to_thread(cluster.fail_over, primary)
    await asyncio.to_thread(cluster.mend)


async def kill_primary_unheard(cluster: ValkeyCluster, primary: Node, setting_up: asyncio.Lock) -> None:
    """Kill a primary whose replica heard nothing of its last moments: what was acknowledged there is lost.

    No table is set up meanwhile: of one that is gone altogether there would be nothing to tell.
    """
    async with setting_up:
        await asyncio.sleep(QUIET_SECONDS)
        heir = await asyncio.to_thread(cluster.cut_off_replica, primary)
        await asyncio.sleep(UNHEARD_SECONDS)
        await asyncio.to_thread(cluster.kill, primary)
        await asyncio.to_thread(cluster.until_heir, heir)
    await asyncio.to_thread(cluster.mend)


async def fail_over_now_and_then(
    cluster: ValkeyCluster, times: int, dice: random.Random, setting_up: asyncio.Lock
) -> None:
    """Have one primary after the other replaced, in every way in turn, so often in all."""
    for way in itertools.islice(itertools.cycle((hand_over, kill_primary, kill_primary_unheard)), times):
        await asyncio.sleep(dice.uniform(0.3, 1.0))
        await way(cluster, dice.choice(cluster.primaries()), setting_up)


async def fill_now_and_then(valkey: EmbeddedRedis, times: int, dice: random.Random) -> None:
    """Let the memory be full so often."""
    connection = await RedisConnection.open(valkey.url)
    for _ in range(times):
        await asyncio.sleep(dice.uniform(0.3, 1.5))
        async with memory_full(connection):
            await asyncio.sleep(dice.uniform(0.1, 2.0))
    await connection.close()
