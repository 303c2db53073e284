"""The ratings that the scoring service writes are those that players are brought together by."""

from collections.abc import AsyncIterator

import pytest

from engine_service.matchmaking.tickets import decode
from scoring_service.rating_model import Rating
from scoring_service.ratings import RatedGame, Ratings
from service_runtime.rating_keys import NEWCOMER_MU
from service_runtime.redis_connection import RedisConnection
from tests.matchmaking.replicas import Replica, caller, replica

ANN, BEN = caller("ann"), caller("ben")


@pytest.fixture
async def it(redis_url: str) -> AsyncIterator[Replica]:
    """A replica."""
    async with replica(redis_url) as running:
        yield running


async def _rate(connection: RedisConnection, number: int) -> None:
    """Have Ann win against Ben."""
    now_ms = await connection.now_ms()
    players = ((ANN.player_id, "Ann"), (BEN.player_id, "Ben"))
    assert await Ratings(connection, 60_000).apply(RatedGame("cheez_tricks", f"g{number}", players, (1, 2), now_ms))


async def test_a_ticket_has_the_rating_of_the_leaderboard(it: Replica):
    """A newcomer has the scoring service's own prior."""
    assert Rating().mu == NEWCOMER_MU
    await _rate(it.connection, 1)
    ((ann, ben, new),), _ = await it.store.known_of(["cheez_tricks"], [ANN.player_id, BEN.player_id, "nobody"])
    assert ann > new == NEWCOMER_MU > ben
    ticket = await it.find(ANN, 3)
    row = await it.store.status(ticket.ticket_id)
    assert row is not None and decode(row.body).players[0].strengths == (ann,)


async def test_who_is_much_stronger_waits_for_a_while(it: Replica):
    """Two newcomers meet at once; the one whom ratings set apart does not get in between."""
    for number in range(8):
        await _rate(it.connection, number)
    strong = await it.find(ANN, 2)
    one, two = [await it.find(caller(name), 2, wait_ms=500 * n) for n, name in enumerate(("cem", "dan"))]
    assert one.position == 2 and two.table_id
    assert await it.state(strong.ticket_id) == "waiting"
