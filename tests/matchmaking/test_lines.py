"""Who is seen from a place in line, however many others wait."""

from collections.abc import AsyncIterator

import pytest

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from engine_service.store.match_store import OLD
from tests.matchmaking.replicas import Replica, caller, replica


@pytest.fixture
async def it(redis_url: str) -> AsyncIterator[Replica]:
    """A replica."""
    async with replica(redis_url) as running:
        yield running


async def _party(it: Replica, name: str, size: int, seats: int) -> pb.Ticket:
    """Put a party in line."""
    made = await it.find(caller(f"{name}0"), seats, party_size=size)
    for number in range(1, size):
        request = pb.JoinTicketRequest(request_id="j", party_code=made.party_code)
        made = (await it.api.join_ticket(request, caller(f"{name}{number}"))).ticket
    return made


async def test_nobody_is_hidden_behind_those_who_cannot_play(it: Replica):
    """Many parties of three wait for a fourth; the pair behind them is found by another pair at once."""
    threes = [await _party(it, f"t{number}-", 3, 4) for number in range(2 * OLD)]
    pair = await _party(it, "p-", 2, 4)
    assert (threes[-1].position, pair.position) == (2 * OLD, 2 * OLD + 1)
    other = await it.find(caller("q0"), 4, party_size=2)
    finding = pb.JoinTicketRequest(request_id="j", party_code=other.party_code)
    await it.api.join_ticket(finding, caller("q1"))
    (found,) = [ticket async for ticket in _until_matched(it, other.ticket_id)]
    assert found.table_id == (await it.api._now(pair.ticket_id)).table_id
    single = await it.find(caller("s0"), 4, wait_ms=5000)
    assert single.table_id == (await it.api._now(threes[0].ticket_id)).table_id


async def _until_matched(it: Replica, ticket_id: str) -> AsyncIterator[pb.Ticket]:
    async for response in it.api.watch_ticket(pb.WatchTicketRequest(ticket_id=ticket_id), caller("q0")):
        if response.ticket.table_id:
            yield response.ticket
