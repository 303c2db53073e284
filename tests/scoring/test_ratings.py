"""Ratings in Redis: each game once, also when games of the same players are applied at the same time."""

import asyncio
from dataclasses import replace

import pytest

from scoring_service import leaderboard
from scoring_service.rating_model import Rating, rate
from scoring_service.ratings import RatedGame, Ratings, as_rating, as_text
from service_runtime.redis_connection import RedisConnection

GAME = "cheez_tricks"


async def a_game(
    connection: RedisConnection, name: str, players: str = "abc", places: tuple[int, ...] = (1, 2, 2)
) -> RatedGame:
    people = tuple((player, player.upper()) for player in players)
    return RatedGame(GAME, name, people, places, ended_at_ms=await connection.now_ms())


async def of(connection: RedisConnection, player: str) -> leaderboard.Standing:
    found = await leaderboard.standing(connection, GAME, player)
    assert found is not None
    return found


def test_everyone_begins_at_nought() -> None:
    """As clients say beside a leaderboard."""
    assert Rating().shown == pytest.approx(0)


def test_a_rating_survives_its_text() -> None:
    for rating in (Rating(), Rating(1 / 3, 0.1), Rating(-1e-17, 1e300)):
        assert as_rating(as_text(rating).encode()) == rating
    assert as_rating(None) == as_rating(b"") == Rating()


async def test_a_game_sets_ratings_games_wins_and_names(connection: RedisConnection) -> None:
    assert await Ratings(connection, 1000).apply(await a_game(connection, "one"))
    expected = rate([Rating()] * 3, [1, 2, 2])
    a, b, c = [await of(connection, player) for player in "abc"]
    assert (a.rating, b.rating, c.rating) == expected
    assert (a.name, a.games, a.wins, a.rank) == ("A", 1, 1, 1)
    assert (b.wins, b.rank, c.rank) == (0, 2, 2)
    assert await leaderboard.standing(connection, GAME, "stranger") is None


async def test_the_same_game_again_changes_nothing(connection: RedisConnection) -> None:
    game = await a_game(connection, "one")
    ratings = Ratings(connection, 60_000)
    await ratings.apply(game)
    before = [await of(connection, player) for player in "abc"]
    outcomes = await asyncio.gather(*(ratings.apply(game) for _ in range(10)))
    assert outcomes == [True] * 10
    assert [await of(connection, player) for player in "abc"] == before


async def test_the_same_game_ten_times_at_once_counts_once(redis_url: str, connection: RedisConnection) -> None:
    game = await a_game(connection, "one")
    connections = [await RedisConnection.open(redis_url) for _ in range(10)]
    await asyncio.gather(*(Ratings(each, 60_000).apply(game) for each in connections))
    await asyncio.gather(*(each.close() for each in connections))
    assert [(await of(connection, player)).games for player in "abc"] == [1, 1, 1]
    assert (await of(connection, "a")).rating == rate([Rating()] * 3, [1, 2, 2])[0]


async def test_games_of_the_same_players_at_the_same_time_all_count_in_some_order(
    redis_url: str, connection: RedisConnection
) -> None:
    """Each game is computed from what the one before it left: as alike games have it, the order is all the same."""
    games = [await a_game(connection, f"game {number}") for number in range(30)]
    connections = [await RedisConnection.open(redis_url) for _ in range(6)]
    work = [Ratings(connections[number % 6], 60_000).apply(game) for number, game in enumerate(games)]
    assert all(await asyncio.gather(*work))
    await asyncio.gather(*(each.close() for each in connections))
    expected = (Rating(), Rating(), Rating())
    for _ in games:
        expected = rate(expected, (1, 2, 2))  # type: ignore[assignment]
    found = [await of(connection, player) for player in "abc"]
    assert tuple(standing.rating for standing in found) == expected
    assert [(standing.games, standing.wins) for standing in found] == [(30, 30), (30, 0), (30, 0)]


async def test_a_game_is_not_rated_late_and_remembered_for_as_long_as_it_may_come_again(
    connection: RedisConnection,
) -> None:
    game = await a_game(connection, "one")
    game = replace(game, ended_at_ms=game.ended_at_ms - 31_000)
    strict, patient = Ratings(connection, late_after_ms=30_000), Ratings(connection, late_after_ms=60_000)
    assert not await strict.apply(game)
    assert await patient.apply(game)
    assert await strict.apply(game), "rated before, so not late"
    await connection.command("ZADD", "{rank:cheez_tricks}:applied", game.ended_at_ms - 30_000, "one")
    await strict.apply(await a_game(connection, "two", "xy", (1, 2)))
    assert await connection.command("ZRANGE", "{rank:cheez_tricks}:applied", 0, -1) == [b"two"]
    assert not await strict.apply(game), "forgotten, and late for ever"
    assert (await of(connection, "a")).games == 1


async def rated_players(connection: RedisConnection, shown: dict[str, float]) -> None:
    """Put players straight onto the leaderboard."""
    for player, rating in shown.items():
        await connection.command("ZADD", "{rank:cheez_tricks}:leaderboard", repr(rating), player)


async def pages(connection: RedisConnection, size: int) -> list[list[tuple[int, str]]]:
    found, after = [], None
    while True:
        page = await leaderboard.page(connection, GAME, size, after)
        found.append([(row.rank, row.player_id) for row in page.rows])
        if page.end is None:
            return found
        after = leaderboard.from_token(leaderboard.to_token(page.end), GAME)


async def test_pages_follow_each_other_and_equal_ratings_share_the_rank(connection: RedisConnection) -> None:
    await rated_players(connection, {"a": 3.5, "b": 2.25, "c": 2.25, "d": 2.25, "e": 1.0, "f": -4.0})
    whole = [(1, "a"), (2, "d"), (2, "c"), (2, "b"), (5, "e"), (6, "f")]
    for size in range(1, 8):
        found = await pages(connection, size)
        assert [row for page in found for row in page] == whole
        assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)


async def test_an_empty_leaderboard_has_one_empty_page(connection: RedisConnection) -> None:
    assert await pages(connection, 5) == [[]]


async def test_a_page_goes_on_where_a_player_was_who_moved_meanwhile(connection: RedisConnection) -> None:
    """Who shared its rating may come twice, but nobody better comes again and nobody worse is left out."""
    await rated_players(connection, {"a": 5.0, "b": 4.0, "c": 4.0, "d": 4.0, "e": 3.0})
    page = await leaderboard.page(connection, GAME, 2, None)
    assert [row.player_id for row in page.rows] == ["a", "d"]
    await rated_players(connection, {"d": 9.0, "x": 8.0, "y": 7.0})
    page = await leaderboard.page(connection, GAME, 5, page.end)
    assert [(row.rank, row.player_id) for row in page.rows] == [(5, "c"), (5, "b"), (7, "e")]


async def test_a_page_leaves_nobody_out_when_those_before_moved_down(connection: RedisConnection) -> None:
    await rated_players(connection, {"a": 5.0, "b": 4.0, "c": 4.0, "d": 4.0, "e": 3.0})
    page = await leaderboard.page(connection, GAME, 4, None)
    assert [row.player_id for row in page.rows] == ["a", "d", "c", "b"]
    await rated_players(connection, {"a": 0.5, "b": 1.0})
    page = await leaderboard.page(connection, GAME, 5, page.end)
    assert [(row.rank, row.player_id) for row in page.rows] == [(3, "e"), (4, "b"), (5, "a")]


@pytest.mark.parametrize(
    "position",
    [
        leaderboard.Position("whist", 0, 1.0, "a"),
        leaderboard.Position(GAME, -1, 1.0, "a"),
        leaderboard.Position(GAME, 0, float("nan"), "a"),
        leaderboard.Position(GAME, 0, float("inf"), "a"),
    ],
)
def test_a_position_that_no_page_ended_at_is_refused(position: leaderboard.Position) -> None:
    with pytest.raises(ValueError, match="not a position"):
        leaderboard.from_token(leaderboard.to_token(position), GAME)
