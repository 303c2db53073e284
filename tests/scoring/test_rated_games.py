"""Which games change ratings, that each does so once, and that a fault in between loses nothing."""

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from cheeseboard.scoring.v1 import scoring_pb2
from scoring_service.leaderboard import standing
from service_runtime.redis_connection import RedisConnection
from service_runtime.store_errors import ReplyError
from tests.scoring.at_work import TABLE, board_of, ledger_on
from tests.scoring.rounds import people, round_ended, scores, table_id, taken, waiting


async def test_a_round_on_its_board_whose_rating_failed_comes_again_and_is_rated_once(
    connection: RedisConnection,
) -> None:
    """The players learn their places at once; the entry stays until the ratings are done, and then goes."""
    await connection.command("SET", "{rank:cheez_tricks}:applied", "of the wrong kind")
    entry = await taken(connection, round_ended(TABLE, 1, last=True))
    for _ in range(2):
        with pytest.raises(ReplyError, match="WRONGTYPE"):
            await ledger_on(connection).record(entry)
    assert [list(message.places) for message in await scores(connection)] == [[1, 2]]
    assert await waiting(connection) == (1, 1)
    await connection.command("DEL", "{rank:cheez_tricks}:applied")
    for _ in range(2):
        await ledger_on(connection).record(entry)
    assert len(await scores(connection)) == 1
    assert await waiting(connection) == (0, 0)
    found = await standing(connection, "cheez_tricks", "p-a")
    assert found is not None
    assert (found.games, found.wins) == (1, 1)


async def rated(connection: RedisConnection, ended: scoring_pb2.RoundEnded, **more: int) -> tuple[bool, bool]:
    """Whether the board says that a one-round game was rated, and whether its first player has a rating."""
    await ledger_on(connection, **more).record(await taken(connection, ended))
    board = await board_of(connection, ended.table_id)
    return board.rated, await standing(connection, "cheez_tricks", "p-a") is not None


async def test_games_between_people_are_rated_after_the_last_round(connection: RedisConnection) -> None:
    assert await rated(connection, round_ended(TABLE, 1)) == (True, False)
    assert await rated(connection, round_ended(TABLE, 2, last=True)) == (True, True)


async def test_a_repeated_earlier_round_does_not_unmark_a_rated_game(connection: RedisConnection) -> None:
    assert await rated(connection, round_ended(TABLE, 1)) == (True, False)
    assert await rated(connection, round_ended(TABLE, 1)) == (True, False)


async def test_games_with_bots_or_said_to_be_unrated_are_not(connection: RedisConnection) -> None:
    bot = [*people("a"), scoring_pb2.ScoredSeat(bot="careful", display_name="Bot")]
    both = [scoring_pb2.ScoredSeat(player_id=f"p-{name}", bot="random") for name in "ab"]
    twice = people("a", "a")
    for number, seats in enumerate((bot, both, twice, [scoring_pb2.ScoredSeat()] * 2)):
        ended = round_ended(table_id(f"unrated {number}"), 1, last=True, seats=seats)
        assert await rated(connection, ended) == (False, False)
    assert await rated(connection, round_ended(TABLE, 1, last=True, rated=False)) == (False, False)


async def test_a_game_that_the_engine_voided_meanwhile_is_scored_but_not_rated(connection: RedisConnection) -> None:
    now = await connection.now_ms()
    ended = round_ended(TABLE, 1, last=True, ended_at=Timestamp(seconds=now // 1000 - 61))
    assert await rated(connection, ended, late_after_ms=60_000) == (False, False)
    assert [list(message.places) for message in await scores(connection)] == [[1, 2]]
    assert await waiting(connection) == (0, 0)
    in_time = round_ended(table_id("in time"), 1, last=True, ended_at=Timestamp(seconds=now // 1000 - 50))
    assert await rated(connection, in_time, late_after_ms=60_000) == (True, True)
