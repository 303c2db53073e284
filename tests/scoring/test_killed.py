"""A scoring process is killed at random moments, and every round is on its board and on the score stream once."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from scoring_service.leaderboard import standing
from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.parked import list_parked
from service_runtime.partitions import agree
from service_runtime.redis_connection import RedisConnection
from tests.scoring.at_work import board_of
from tests.scoring.rounds import PARTITIONS, people, push, round_ended, scores, table_id, waiting
from tests.support.stack import Replica

KILLS = 10
PAIRS = [people(f"white {number}", f"black {number}") for number in range(20)]
TABLES = {table_id(f"killed {number}"): PAIRS[number % 20] for number in range(400)}
ROUNDS = 3
TRICKS = ([6, 4], [1, 9], [5, 5])
TOTALS = ([12, 8], [14, 26], [24, 36])


async def play(connection: RedisConnection) -> None:
    """Stand in for the engine: the next round of a table ends once the scores of the one before have come."""
    pushed: Counter[str] = Counter()
    while True:
        scored = Counter(message.table_id for message in await scores(connection))
        due = [table for table in TABLES if pushed[table] <= scored[table] and pushed[table] < ROUNDS]
        for table in due:
            number = pushed[table] + 1
            tricks, last = TRICKS[number - 1], number == ROUNDS
            await push(connection, round_ended(table, number, tricks, last=last, seats=TABLES[table]))
            pushed[table] = number
        if scored.total() == len(TABLES) * ROUNDS:
            return
        await asyncio.sleep(0.02)


@asynccontextmanager
async def playing(connection: RedisConnection) -> AsyncIterator["asyncio.Task[None]"]:
    task = asyncio.create_task(play(connection))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_every_round_counts_once_however_often_the_service_is_killed(
    own_valkey: EmbeddedRedis, tmp_path: Path
) -> None:
    moments = random.Random(4)
    connection = await RedisConnection.open(own_valkey.url)
    await agree(connection, PARTITIONS)
    # The same name each time, so that what was in hand is taken up again at once and not after the claim time.
    settings = {"CHEESEBOARD_REDIS_URL": own_valkey.url, "CHEESEBOARD_INSTANCE": "killed again and again"}
    replica = Replica("scoring", tmp_path, settings)
    in_hand = 0
    async with playing(connection) as engine:
        for _ in range(KILLS):
            before = len(await scores(connection))
            await asyncio.to_thread(replica.launch)
            while len(await scores(connection)) == before and not engine.done():
                await asyncio.sleep(0.002)
            await asyncio.sleep(moments.uniform(0, 0.03))
            await asyncio.to_thread(replica.kill)
            in_hand += bool((await waiting(connection))[1])
        assert not engine.done(), "killed only after the work was over"
        assert in_hand >= KILLS // 2, "killed only between the rounds"
        await asyncio.to_thread(replica.launch)
        async with asyncio.timeout(60):
            await engine
            while await waiting(connection) != (0, 0):
                await asyncio.sleep(0.02)
    await asyncio.to_thread(replica.stop)

    found = sorted(
        (message.table_id, message.score.round, *message.score.totals) for message in await scores(connection)
    )
    assert found == sorted((table, n + 1, *TOTALS[n]) for table in TABLES for n in range(ROUNDS))
    for table in TABLES:
        board = await board_of(connection, table)
        assert [list(each.totals) for each in board.rounds] == list(TOTALS)
        assert (board.places, board.rated) == ((2, 1), True)
    for loser, winner in PAIRS:
        for seat, wins in ((loser, 0), (winner, 20)):
            player = await standing(connection, "cheez_tricks", seat.player_id)
            assert player is not None
            assert (player.games, player.wins) == (20, wins)
    assert await list_parked(connection, "rounds", PARTITIONS) == []
    await connection.close()
