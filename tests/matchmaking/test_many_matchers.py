"""Eight matchers side by side, and people who change their minds."""

import asyncio
import random

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard_client import new_request_id
from engine_service.store import match_keys
from service_runtime.errors import Refused
from service_runtime.identity import Caller
from tests.matchmaking.replicas import Replica, assert_seated_once, caller, replicas

MATCHERS, PEOPLE, EACH = 8, 60, 6
OVER = (pb.TICKET_STATE_MATCHED, pb.TICKET_STATE_CANCELLED)


async def test_eight_matchers_and_random_cancels(redis_url: str):
    """Nobody sits at two tables for one ticket, every table is full, and every ticket comes to an end that is told."""
    dice = random.Random(7)
    matched: list[tuple[str, pb.Ticket]] = []
    async with replicas(redis_url, MATCHERS) as them, asyncio.timeout(60):
        await asyncio.gather(*(_person(them, f"p{number}", dice, matched) for number in range(PEOPLE)))
        await assert_seated_once(them[0].connection, matched)
        assert len(matched) > PEOPLE * EACH / 4
        for name in (match_keys.AGENDA, match_keys.RANKS, match_keys.AGES, match_keys.MATCHES):
            assert not await them[0].connection.command("EXISTS", name)


async def _person(them: list[Replica], name: str, dice: random.Random, matched: list[tuple[str, pb.Ticket]]) -> None:
    """Look for games, each time at another replica, giving up now and then, also in the very moment of the match."""
    who = caller(name)
    for number in range(EACH):
        seats = dice.choice((2, 2, 3))
        finding = asyncio.create_task(
            dice.choice(them).find(who, seats, 1000, number, min_seats=dice.choice((2, seats)))
        )
        if dice.random() < 0.4:
            await asyncio.sleep(dice.uniform(0, 0.05))
            await _give_up(dice.choice(them), who)
        ticket = await finding
        while ticket.state not in OVER:
            ticket = await _give_up(dice.choice(them), who)
        if ticket.state == pb.TICKET_STATE_MATCHED:
            matched.append((who.player_id, ticket))


async def _give_up(at: Replica, who: Caller) -> pb.Ticket:
    """Cancel the latest ticket, which may not be in line yet, or any more."""
    try:
        return (await at.api.cancel_ticket(pb.CancelTicketRequest(request_id=new_request_id()), who)).ticket
    except Refused as refused:
        assert refused.reason == "TICKET_NOT_FOUND"
        return pb.Ticket()
