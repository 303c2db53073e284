"""Each round takes effect once: on its board and on the score stream; none is lost, and totals are always right."""

import asyncio
import contextlib

import pytest

from scoring_service.boards import Boards, board_key, latest_key
from scoring_service.leaderboard import standing
from scoring_service.ledger import OutOfOrder
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import load_script
from service_runtime.redis_wire import Argument
from service_runtime.stream_entry import Entry
from tests.scoring.at_work import TABLE, board_of, consuming, ledger_on, settled
from tests.scoring.rounds import push, round_ended, scores, table_id, taken, waiting


async def test_a_round_gets_onto_its_board_and_the_score_stream_and_leaves_its_own(connection: RedisConnection) -> None:
    entry = await taken(connection, round_ended(TABLE, 1, [4, 6], [[0], [], []]))
    await ledger_on(connection).record(entry)
    (message,) = await scores(connection)
    assert (message.table_id, message.game_number, message.score.round) == (TABLE, 1, 1)
    assert (list(message.score.points), list(message.score.totals), list(message.places)) == ([4, 12], [4, 12], [])
    assert list(message.score.detail.cheez_tricks.points_per_trick) == [1, 2]
    board = await board_of(connection)
    assert board.rounds == (message.score,)
    assert [seat.display_name for seat in board.seats] == ["A", "B"]
    assert await waiting(connection) == (0, 0)


async def test_a_whole_game_has_totals_and_places(connection: RedisConnection) -> None:
    ledger = ledger_on(connection)
    rounds = [
        ([7, 3], [[0], [0], [1]]),
        ([0, 10], [[1], [0, 1], []]),
        ([7, 3], [[0], [1], [1]]),
        ([2, 8], [[1], [], []]),
    ]
    for number, (won, captures) in enumerate(rounds, 1):
        await ledger.record(await taken(connection, round_ended(TABLE, number, won, captures, last=number == 4)))
    messages = await scores(connection)
    assert [list(message.score.points) for message in messages] == [[0, 3], [0, 0], [7, 0], [4, 8]]
    assert [list(message.score.totals) for message in messages] == [[0, 3], [0, 3], [7, 3], [11, 11]]
    assert [list(message.places) for message in messages] == [[], [], [], [2, 1]]
    assert (await board_of(connection)).places == (2, 1)


async def test_a_board_is_kept_for_the_time_set_after_its_latest_round(connection: RedisConnection) -> None:
    await ledger_on(connection).record(await taken(connection, round_ended(TABLE, 1)))
    partition = partition_of(TABLE)
    for key in (board_key(partition, TABLE, 1), f"{{p{partition}}}:board:{TABLE}:latest"):
        assert 990 <= await connection.command("TTL", key) <= 1000


async def test_readers_of_scores_are_woken_with_the_partition(connection: RedisConnection) -> None:
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    listener = connection.listener()
    await listener.subscribe("scores", heard.put_nowait)
    await ledger_on(connection).record(await taken(connection, round_ended(TABLE, 1)))
    async with asyncio.timeout(5):
        assert int(await heard.get()) == partition_of(TABLE)


async def test_the_same_round_appended_twice_counts_once(connection: RedisConnection) -> None:
    """The engine's commit is repeated after a lost reply."""
    ended = round_ended(TABLE, 1)
    await push(connection, ended)
    await push(connection, ended)
    async with consuming(connection):
        await settled(connection)
    assert [message.score.round for message in await scores(connection)] == [1]
    assert (await board_of(connection)).totals == (12, 8)


async def test_one_entry_dealt_with_ten_times_at_once_counts_once(redis_url: str, connection: RedisConnection) -> None:
    """Ten replicas believe the entry to be theirs; the game is rated once, too."""
    await ledger_on(connection).record(await taken(connection, round_ended(TABLE, 1)))
    entry = await taken(connection, round_ended(TABLE, 2, last=True))
    connections = [await RedisConnection.open(redis_url) for _ in range(10)]
    await asyncio.gather(*(ledger_on(each).record(entry) for each in connections))
    await asyncio.gather(*(each.close() for each in connections))
    assert [message.score.round for message in await scores(connection)] == [1, 2]
    assert (await board_of(connection)).totals == (24, 16)
    found = await standing(connection, "cheez_tricks", "p-a")
    assert found is not None
    assert (found.games, found.wins) == (1, 1)
    assert await waiting(connection) == (0, 0)


async def test_ten_consumers_share_the_work_and_every_round_counts_once(
    redis_url: str, connection: RedisConnection
) -> None:
    tables = [table_id(f"table {n}") for n in range(150)]
    connections = [await RedisConnection.open(redis_url) for _ in range(10)]
    async with contextlib.AsyncExitStack() as stack:
        for number, each in enumerate(connections):
            await stack.enter_async_context(consuming(each, f"consumer {number}"))
        for number in (1, 2):
            await asyncio.gather(*(push(connection, round_ended(t, number, last=number == 2)) for t in tables))
            await settled(connection)
    await asyncio.gather(*(each.close() for each in connections))
    found = sorted((message.table_id, message.score.round) for message in await scores(connection))
    assert found == sorted((table, number) for table in tables for number in (1, 2))
    assert {(await board_of(connection, table)).totals for table in tables} == {(24, 16)}
    player = await standing(connection, "cheez_tricks", "p-a")
    assert player is not None
    assert (player.games, player.wins) == (150, 150)


async def test_a_round_that_comes_too_early_waits_and_never_makes_a_wrong_total(connection: RedisConnection) -> None:
    second = await taken(connection, round_ended(TABLE, 2, [1, 9]))
    with pytest.raises(OutOfOrder):
        await ledger_on(connection).record(second)
    assert await scores(connection) == []
    assert await waiting(connection) == (1, 1)
    async with consuming(connection, "test"):
        await push(connection, round_ended(TABLE, 1, [9, 1]))
        await settled(connection)
    assert [list(message.score.totals) for message in await scores(connection)] == [[18, 2], [20, 20]]


async def test_rounds_of_one_table_in_two_hands_at_once_keep_their_order(connection: RedisConnection) -> None:
    for attempt in range(20):
        table = table_id(f"racing {attempt}")
        first, second = [await taken(connection, round_ended(table, n, [10 - n, n])) for n in (1, 2)]
        await asyncio.gather(_in_the_end(connection, second), _in_the_end(connection, first))
        board = await board_of(connection, table)
        assert [list(scored.totals) for scored in board.rounds] == [[18, 2], [34, 6]]
    assert len(await scores(connection)) == 40


async def _in_the_end(connection: RedisConnection, entry: Entry) -> None:
    while True:
        try:
            return await ledger_on(connection).record(entry)
        except OutOfOrder:
            await asyncio.sleep(0.002)


async def test_the_script_refuses_a_board_that_is_not_as_it_was_read(connection: RedisConnection) -> None:
    """Read with one round on it, and gone since: nothing is written, the entry stays."""
    partition = partition_of(TABLE)
    entry = await taken(connection, round_ended(TABLE, 2))
    keys = [board_key(partition, TABLE, 1), latest_key(partition, TABLE), entry.stream_key, f"{{p{partition}}}:scores"]
    args: list[Argument] = ["scoring", entry.id, 1, 1, 1, 1000, "scores", partition, b"message", "rounds", 2]
    script = load_script("scoring_service", "scripts/record_round.lua")
    assert await connection.script(script, keys, args) == b"changed"
    assert await connection.command("EXISTS", keys[0], keys[1], keys[3]) == 0
    assert await waiting(connection) == (1, 1)


async def test_games_of_one_table_have_boards_of_their_own(connection: RedisConnection) -> None:
    ledger = ledger_on(connection)
    await ledger.record(await taken(connection, round_ended(TABLE, 1, [9, 1])))
    await ledger.record(await taken(connection, round_ended(TABLE, 1, [2, 8], game_number=2)))
    assert (await board_of(connection)).totals == (18, 2)
    assert await Boards(connection).find(TABLE, 0) == (2, await board_of(connection, game_number=2))
    # A late round of the first game does not make it the latest again.
    await ledger.record(await taken(connection, round_ended(TABLE, 2, [9, 1])))
    assert (await Boards(connection).find(TABLE, 0))[0] == 2


async def test_rounds_wait_while_no_scoring_service_runs(connection: RedisConnection) -> None:
    tables = [table_id(f"waiting {n}") for n in range(20)]
    for table in tables:
        await push(connection, round_ended(table, 1))
    assert await waiting(connection) == (20, 0)
    async with consuming(connection):
        await settled(connection)
    assert sorted(message.table_id for message in await scores(connection)) == sorted(tables)
