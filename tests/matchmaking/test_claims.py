"""A match is made once and whole, whoever dies when: from the claim to the table and back."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator

import pytest

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from engine_service.matchmaking import planning
from engine_service.matchmaking.planning import Match
from engine_service.matchmaking.tickets import decode, places_of, written
from engine_service.rules.registry import GAMES
from engine_service.store import match_keys
from tests.matchmaking.replicas import Replica, assert_seated_once, caller, replica, stored_tables

ANN, BEN, CEM = caller("ann"), caller("ben"), caller("cem")


@pytest.fixture
async def dead(redis_url: str) -> AsyncIterator[Replica]:
    """A replica that enters and claims, and does nothing by itself: as one that is killed right after."""
    async with replica(redis_url, running=False) as it:
        yield it


async def _match(of: Replica, *tickets: pb.Ticket) -> Match:
    row = await of.store.status(tickets[0].ticket_id)
    assert row is not None
    place = next(iter(places_of(decode(row.body))))
    return Match("m1", place.line, place.seats, tuple(ticket.ticket_id for ticket in tickets), 0, 0.0)


async def _claim(of: Replica, match: Match) -> bool:
    return not (await of.store.claim(match.match_id, planning.encode(match), match.tickets)).missing


async def _until(of: Replica, ticket_id: str, state: str) -> None:
    async with asyncio.timeout(10):
        while await of.state(ticket_id) != state:
            await asyncio.sleep(0.05)


async def test_who_enters_and_dies_is_found_by_another(redis_url: str, dead: Replica):
    """Nobody looked at these tickets; the agenda brings them up."""
    tickets = [await dead.find(who, 2) for who in (ANN, BEN)]
    async with replica(redis_url) as other:
        for ticket in tickets:
            await _until(other, ticket.ticket_id, "matched")


async def test_a_claim_whose_replica_dies_is_seated_by_another(redis_url: str, dead: Replica):
    """At the very table that the dead one would have set up, or had set up already."""
    tickets = [await dead.find(who, 2) for who in (ANN, BEN)]
    match = await _match(dead, *tickets)
    assert await _claim(dead, match)
    assert [await dead.state(ticket.ticket_id) for ticket in tickets] == ["seating", "seating"]
    async with replica(redis_url) as first, replica(redis_url) as second:
        for ticket in tickets:
            await _until(first, ticket.ticket_id, "matched")
        await second.seats.claim(match)  # The dead one was only slow.
        now = [await first.api._now(ticket.ticket_id) for ticket in tickets]
    await assert_seated_once(dead.connection, [(ANN.player_id, now[0]), (BEN.player_id, now[1])])
    assert not await dead.connection.command("EXISTS", match_keys.MATCHES)


async def test_a_claim_takes_all_tickets_or_none(dead: Replica):
    """One that is gone leaves the others in line, at their places."""
    tickets = [await dead.find(who, 3) for who in (ANN, BEN, CEM)]
    match = await _match(dead, *tickets)
    await dead.api.cancel_ticket(pb.CancelTicketRequest(request_id="c", ticket_id=tickets[1].ticket_id), BEN)
    assert await dead.seats.claim(match) == (tickets[1].ticket_id,)
    assert [await dead.state(ticket.ticket_id) for ticket in tickets] == ["waiting", "cancelled", "waiting"]
    assert [(await dead.api._now(tickets[n].ticket_id)).position for n in (0, 2)] == [1, 2]
    assert not await stored_tables(dead.connection)


async def test_a_match_that_cannot_be_seated_gives_the_tickets_back(
    redis_url: str, dead: Replica, monkeypatch: pytest.MonkeyPatch
):
    """With their places; its table can never be set up any more, however late somebody tries."""
    tickets = [await dead.find(who, 2) for who in (ANN, BEN)]
    match = await _match(dead, *tickets)
    entered = [row.entered_ms for row in [await dead.store.status(t.ticket_id) for t in tickets] if row]

    def raising(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as faulty:
        faulty.setitem(GAMES, "cheez_tricks", dataclasses.replace(GAMES["cheez_tricks"], setup=raising))  # type: ignore[arg-type]
        assert await dead.seats.claim(match) == ()
    assert [await dead.state(ticket.ticket_id) for ticket in tickets] == ["waiting", "waiting"]
    assert entered == [row.entered_ms for row in [await dead.store.status(t.ticket_id) for t in tickets] if row]
    late = await dead.store.claim(match.match_id, planning.encode(match), match.tickets)
    assert not late.missing
    await dead.seats.claim(match)
    assert not await stored_tables(dead.connection)
    async with replica(redis_url) as other:
        for ticket in tickets:
            await _until(other, ticket.ticket_id, "matched")
        now = [await other.api._now(ticket.ticket_id) for ticket in tickets]
    await assert_seated_once(dead.connection, [(ANN.player_id, now[0]), (BEN.player_id, now[1])])


async def test_who_gives_up_while_being_seated_is_not_matched_again(dead: Replica):
    """If the match comes to nothing the ticket is cancelled, and only that one; if not, it was too late."""
    tickets = [await dead.find(who, 2) for who in (ANN, BEN)]
    match = await _match(dead, *tickets)
    assert await _claim(dead, match)
    told = await dead.api.cancel_ticket(pb.CancelTicketRequest(request_id="c", ticket_id=tickets[0].ticket_id), ANN)
    assert told.ticket.state == pb.TICKET_STATE_SEATING
    rows = [decode(body) for body, _ in (await dead.store.claim("m1", b"", match.tickets)).tickets]
    await dead.seats._give_back(match, rows)
    assert [await dead.state(ticket.ticket_id) for ticket in tickets] == ["cancelled", "waiting"]
    assert (await dead.find(ANN, 2, number=2)).state == pb.TICKET_STATE_WAITING


async def test_an_outage_ends_no_ticket(dead: Replica):
    """Nobody could watch while nothing ran: that time does not count, neither for the ticket's life nor its place."""
    await dead.store.take(1)
    ticket = await dead.find(ANN, 2, unwatched_seconds=1)
    away_ms = 100_000
    await dead.connection.command("HINCRBY", match_keys.SWEEP, "swept_at", -away_ms)
    for field in ("entered", "expires"):
        await dead.connection.command("HINCRBY", match_keys.ticket(ticket.ticket_id), field, -away_ms)
    await dead.connection.command("ZINCRBY", match_keys.AGENDA, -away_ms, ticket.ticket_id)
    await dead.matcher._take()
    after = await dead.api._now(ticket.ticket_id)
    assert after.state == pb.TICKET_STATE_WAITING and after.waited_seconds <= 1
    assert abs(after.expires_at.seconds - ticket.expires_at.seconds) <= 1


async def test_nothing_is_left_when_all_is_over(redis_url: str, dead: Replica):
    """Of tickets that are matched, cancelled or expired only what lives for a while stays."""
    async with replica(redis_url) as it:
        one, two = await asyncio.gather(*(it.find(who, 2, wait_ms=5000) for who in (ANN, BEN)))
        assert one.table_id == two.table_id
        await it.find(CEM, 2)
        await it.api.cancel_ticket(pb.CancelTicketRequest(request_id="c"), CEM)
        await it.find(CEM, 2, number=2, unwatched_seconds=1, party_size=2)
        await asyncio.sleep(2.5)
    names = sorted(name.decode() for name in await dead.connection.command("KEYS", "{mm}*"))
    lasting = [name for name in names if await dead.connection.command("PTTL", name) < 0]
    assert lasting == [match_keys.PACES, match_keys.SWEEP]


async def test_a_party_that_grows_while_it_is_given_up_leaves_nobody_behind(dead: Replica):
    """What was read of it before is not enough to end it: who joined since may look anew, like everyone else."""
    party = await dead.find(ANN, 3, party_size=3)
    before = await dead.store.status(party.ticket_id)
    assert before is not None
    await dead.api.join_ticket(pb.JoinTicketRequest(request_id="j", party_code=party.party_code), BEN)
    assert await dead.store.finish(written(decode(before.body)), before.body, "cancelled") == "changed"
    await dead.api.cancel_ticket(pb.CancelTicketRequest(request_id="c", ticket_id=party.ticket_id), ANN)
    for who in (ANN, BEN):
        assert (await dead.find(who, 3, number=2)).state == pb.TICKET_STATE_WAITING
