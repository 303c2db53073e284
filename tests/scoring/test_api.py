"""ScoringService over real gRPC: who may see what, what is answered, and what is refused with which field."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez
from cheeseboard.scoring.v1 import scoring_pb2
from scoring_service.app import ScoringApp
from service_runtime.redis_connection import RedisConnection
from tests.scoring.at_work import TABLE, settled
from tests.scoring.rounds import facts, push, round_ended, table_id
from tests.scoring.serving import Stub, bearer, player, refusal, serving, settings

BAD, MISSING = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND

ANN, BEN, EVE = bearer("ann"), bearer("ben"), bearer("eve")
SEATS = [scoring_pb2.ScoredSeat(player_id=player(name), display_name=name.title()) for name in ("ann", "ben")]


@pytest.fixture
async def service(redis_url: str, tmp_path: Path) -> AsyncIterator[tuple[ScoringApp, Stub]]:
    async with serving(settings(tmp_path, redis_url)) as running:
        yield running


@pytest.fixture
def stub(service: tuple[ScoringApp, Stub]) -> Stub:
    return service[1]


async def play_game(
    connection: RedisConnection, table: str = TABLE, *, public: bool = False, game_number: int = 1
) -> None:
    """Ann and Ben play two rounds; Ann wins."""
    for number, won in ((1, [6, 4]), (2, [7, 3])):
        await push(connection, round_ended(TABLE, number, won, last=number == 2, seats=SEATS, public=public))
        await settled(connection)


def board_request(table: str = TABLE, game_number: int = 0) -> scoring_pb2.GetScoreboardRequest:
    return scoring_pb2.GetScoreboardRequest(table_id=table, game_number=game_number)


async def test_a_scoreboard_says_who_scored_what_and_why(stub: Stub, connection: RedisConnection) -> None:
    await push(connection, round_ended(TABLE, 1, [6, 4], [[1], [], []], seats=SEATS))
    await settled(connection)
    running = await stub.GetScoreboard(board_request(), metadata=ANN)
    assert (running.game, running.game_number, running.rated) == ("cheez_tricks", 1, True)
    assert list(running.seats) == SEATS
    assert (list(running.totals), list(running.places)) == ([12, 4], [])
    (scored,) = running.rounds
    assert list(scored.detail.cheez_tricks.points_per_trick) == [2, 1]
    assert scored.facts == facts([6, 4], [[1], [], []])
    await push(connection, round_ended(TABLE, 2, [0, 10], last=True, seats=SEATS))
    await settled(connection)
    over = await stub.GetScoreboard(board_request(), metadata=ANN)
    assert ([list(r.points) for r in over.rounds], list(over.totals)) == ([[12, 4], [0, 20]], [12, 24])
    assert list(over.places) == [2, 1]


async def test_each_game_of_a_table_has_its_board_and_0_is_the_latest(stub: Stub, connection: RedisConnection) -> None:
    await play_game(connection)
    await push(connection, round_ended(TABLE, 1, [0, 10], game_number=2, seats=SEATS))
    await settled(connection)
    boards = [await stub.GetScoreboard(board_request(TABLE, number), metadata=BEN) for number in (0, 1, 2)]
    assert [(board.game_number, list(board.totals)) for board in boards] == [(2, [0, 20]), (1, [26, 14]), (2, [0, 20])]
    assert (await refusal(stub.GetScoreboard(board_request(TABLE, 3), metadata=BEN)))[1] == "SCOREBOARD_NOT_FOUND"


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ((), "TOKEN_MISSING"),
        ((("authorization", "Bearer nonsense"),), "TOKEN_INVALID"),
        (bearer("ann", secret="another secret of at least thirty-two bytes"), "TOKEN_INVALID"),
        (bearer("ann", seconds=-5), "TOKEN_EXPIRED"),
    ],
)
async def test_every_method_needs_a_valid_token(stub: Stub, metadata: tuple[tuple[str, str], ...], reason: str) -> None:
    calls: list[Awaitable[Any]] = [
        stub.GetScoreboard(board_request(), metadata=metadata),
        stub.ScoreRound(scoring_pb2.ScoreRoundRequest(facts=facts([6, 4])), metadata=metadata),
        stub.GetPlayer(scoring_pb2.GetPlayerRequest(), metadata=metadata),
        stub.GetLeaderboard(scoring_pb2.GetLeaderboardRequest(game="cheez_tricks"), metadata=metadata),
    ]
    assert {(await refusal(call))[:2] for call in calls} == {(grpc.StatusCode.UNAUTHENTICATED, reason)}


async def test_a_closed_board_is_there_for_its_players_alone(stub: Stub, connection: RedisConnection) -> None:
    """For all others it is refused in the very words in which a board that does not exist is."""
    await play_game(connection)
    backend = bearer("backend", scope="service")
    for metadata in (ANN, BEN, (*backend, ("cheeseboard-player", "ann"))):
        assert list((await stub.GetScoreboard(board_request(), metadata=metadata)).totals) == [26, 14]
    hidden = await refusal(stub.GetScoreboard(board_request(), metadata=EVE))
    assert hidden == (MISSING, "SCOREBOARD_NOT_FOUND", {})
    for_a_stranger = (*backend, ("cheeseboard-player", "somebody"))
    assert await refusal(stub.GetScoreboard(board_request(), metadata=for_a_stranger)) == hidden
    for absent in (table_id("no such table"), "nonsense", "ff" + TABLE[2:]):
        assert await refusal(stub.GetScoreboard(board_request(absent), metadata=EVE)) == hidden


async def test_a_public_board_is_there_for_everyone(stub: Stub, connection: RedisConnection) -> None:
    await play_game(connection, public=True)
    assert list((await stub.GetScoreboard(board_request(), metadata=EVE)).totals) == [26, 14]


async def test_a_bots_empty_id_opens_no_board(stub: Stub, connection: RedisConnection) -> None:
    seats = [SEATS[0], scoring_pb2.ScoredSeat(display_name="Bot", bot="random")]
    await push(connection, round_ended(TABLE, 1, seats=seats))
    await settled(connection)
    assert not (await stub.GetScoreboard(board_request(), metadata=ANN)).rated
    assert (await refusal(stub.GetScoreboard(board_request(), metadata=BEN)))[0] == MISSING


async def test_malformed_scoreboard_requests_name_the_field(stub: Stub) -> None:
    assert await refusal(stub.GetScoreboard(board_request(""), metadata=ANN)) == (
        BAD,
        "BAD_REQUEST",
        {"table_id": "must be given"},
    )
    code, reason, fields = await refusal(stub.GetScoreboard(board_request(TABLE, -1), metadata=ANN))
    assert (code, reason, set(fields)) == (BAD, "BAD_REQUEST", {"game_number"})


async def test_a_round_is_scored_without_a_trace(stub: Stub, connection: RedisConnection) -> None:
    request = scoring_pb2.ScoreRoundRequest(facts=facts([3, 3, 0, 4], [[0, 3], [3], [3]]))
    scored = await stub.ScoreRound(request, metadata=EVE)
    assert list(scored.points) == [3, 6, 0, 12]
    assert list(scored.detail.cheez_tricks.points_per_trick) == [1, 2, 2, 3]
    assert await connection.command("KEYS", "*:board:*") == []


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (scoring_pb2.RoundFacts(), "facts.game"),
        (facts([10]), "facts.cheez_tricks.tricks"),
        (facts([-1, 11]), "facts.cheez_tricks.tricks"),
        (facts([2**31 - 1, 1]), "facts.cheez_tricks.tricks"),
        (facts([6, 4], [[], []]), "facts.cheez_tricks.captures"),
        (facts([6, 4], [[], [2], []]), "facts.cheez_tricks.captures[1].seats"),
        (scoring_pb2.RoundFacts(cheez_tricks=cheez.RoundFacts()), "facts.cheez_tricks.tricks"),
    ],
)
async def test_facts_that_no_round_has_are_refused_by_field(
    stub: Stub, bad: scoring_pb2.RoundFacts, field: str
) -> None:
    code, reason, fields = await refusal(stub.ScoreRound(scoring_pb2.ScoreRoundRequest(facts=bad), metadata=ANN))
    assert (code, reason, set(fields)) == (BAD, "BAD_REQUEST", {field})


async def test_a_player_has_standings_after_rated_games(stub: Stub, connection: RedisConnection) -> None:
    unknown = await stub.GetPlayer(scoring_pb2.GetPlayerRequest(), metadata=ANN)
    assert unknown == scoring_pb2.GetPlayerResponse(player_id=player("ann"))
    await play_game(connection)
    ann = await stub.GetPlayer(scoring_pb2.GetPlayerRequest(), metadata=ANN)
    assert ann == await stub.GetPlayer(scoring_pb2.GetPlayerRequest(player_id=player("ann")), metadata=EVE)
    ben = await stub.GetPlayer(scoring_pb2.GetPlayerRequest(player_id=player("ben")), metadata=EVE)
    (hers,), (his,) = ann.standings, ben.standings
    assert (ann.display_name, hers.game, hers.games, hers.wins, hers.rank) == ("Ann", "cheez_tricks", 1, 1, 1)
    assert (ben.display_name, his.games, his.wins, his.rank) == ("Ben", 1, 0, 2)
    assert hers.mu > 25 > his.mu
    assert hers.rating == hers.mu - 3 * hers.sigma
    code, reason, fields = await refusal(stub.GetPlayer(scoring_pb2.GetPlayerRequest(player_id="x" * 65), metadata=ANN))
    assert (code, reason, set(fields)) == (BAD, "BAD_REQUEST", {"player_id"})


def leaders(size: int = 0, page_token: str = "", game: str = "cheez_tricks") -> scoring_pb2.GetLeaderboardRequest:
    return scoring_pb2.GetLeaderboardRequest(game=game, page_size=size, page_token=page_token)


async def test_the_leaderboard_comes_in_pages(stub: Stub, connection: RedisConnection) -> None:
    await play_game(connection)
    whole = await stub.GetLeaderboard(leaders(), metadata=EVE)
    assert [(row.rank, row.display_name, row.games, row.wins) for row in whole.rows] == [
        (1, "Ann", 1, 1),
        (2, "Ben", 1, 0),
    ]
    assert whole.rows[0].player_id == player("ann")
    assert whole.next_page_token == ""
    first = await stub.GetLeaderboard(leaders(1), metadata=EVE)
    second = await stub.GetLeaderboard(leaders(1, first.next_page_token), metadata=EVE)
    assert [*first.rows, *second.rows] == list(whole.rows)
    assert first.next_page_token and not second.next_page_token


async def test_malformed_leaderboard_requests_name_the_field(stub: Stub, connection: RedisConnection) -> None:
    await play_game(connection)
    token = (await stub.GetLeaderboard(leaders(1), metadata=ANN)).next_page_token
    for request, reason, field in (
        (leaders(game=""), "UNKNOWN_GAME", "game"),
        (leaders(game="whist"), "UNKNOWN_GAME", "game"),
        (leaders(-1), "BAD_REQUEST", "page_size"),
        (leaders(101), "BAD_REQUEST", "page_size"),
        (leaders(page_token="x"), "BAD_REQUEST", "page_token"),
        (leaders(page_token="c0"), "BAD_REQUEST", "page_token"),
        (leaders(page_token=token[:-2]), "BAD_REQUEST", "page_token"),
        (leaders(page_token=token + "00"), "BAD_REQUEST", "page_token"),
        (leaders(page_token="é" * 9), "BAD_REQUEST", "page_token"),
    ):
        code, found, fields = await refusal(stub.GetLeaderboard(request, metadata=ANN))
        assert (code, found, set(fields)) == (BAD, reason, {field}), request


async def test_health_and_reflection_need_no_token(service: tuple[ScoringApp, Stub]) -> None:
    address = f"127.0.0.1:{service[0].port}"
    async with grpc.aio.insecure_channel(address) as channel:
        answer = await health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(service="cheeseboard.scoring.v1.ScoringService")
        )
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert "cheeseboard.scoring.v1.ScoringService" in await asyncio.to_thread(_services, address)


def _services(address: str) -> list[str]:
    with grpc.insecure_channel(address) as channel:
        return list(ProtoReflectionDescriptorDatabase(channel).get_services())
