"""`find_match` over lines that break and engines that stop: the ticket is found again, and so is the seat."""

import asyncio

import pytest

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Match, Snapshot, accepted_game
from cheeseboard_client.errors import AlreadyWaiting, TicketNotFound
from tests.clients.conftest import IMPATIENT
from tests.support.faulty_line import faulty_line
from tests.support.players import guests
from tests.support.stack import Stack


def _three_seats(region: str) -> dict[str, object]:
    return {"accepts": accepted_game(ct.Options(), 3), "keys": {"region": region}}


async def _waits(person: Cheeseboard, region: str) -> "tuple[asyncio.Task[Match], asyncio.Queue[pb.Ticket]]":
    """Let somebody look for a game; return when it is in line, and watched."""
    told: asyncio.Queue[pb.Ticket] = asyncio.Queue()
    finding = asyncio.create_task(person.find_match(**_three_seats(region), told=told.put_nowait))  # type: ignore[arg-type]
    for _ in range(2):
        assert (await told.get()).state == pb.TICKET_STATE_WAITING
    return finding, told


async def test_a_wait_goes_on_over_lost_lines_and_restarted_engines(stack: Stack):
    """The place is kept, the match is told, the seat is watched from its first moment."""
    async with faulty_line(stack.engine_addresses[0]) as line, guests(stack, 2, IMPATIENT) as (second, third):
        addresses = [line.address, stack.engine_addresses[1]]
        async with Cheeseboard.connect(addresses, patience=IMPATIENT) as first:
            await first.sign_in_guest("First")
            finding, told = await _waits(first, "broken")
            line.cut()
            assert await asyncio.to_thread(stack.engines[1].stop) == 0
            await asyncio.to_thread(stack.engines[1].start)
            while not told.empty():
                told.get_nowait()
            assert (await asyncio.wait_for(told.get(), 20)).position == 1
            others = (person.find_match(**_three_seats("broken")) for person in (second, third))  # type: ignore[arg-type]
            matches = [*await asyncio.wait_for(asyncio.gather(*others), 20), await asyncio.wait_for(finding, 20)]
            assert len({match.table_id for match in matches}) == 1
            assert sorted(match.seat for match in matches) == [0, 1, 2]
            for match in matches:
                assert isinstance(match.snapshot, Snapshot) and match.snapshot.view.viewer == match.seat
                async with match:
                    pass


async def test_a_match_that_is_left_at_once_is_given_up(stack: Stack):
    """Whoever stops waiting has no ticket: neither the SDK nor the engine goes on for nobody."""
    async with guests(stack, 1) as (person,):
        finding, _ = await _waits(person, "left")
        with pytest.raises(AlreadyWaiting):
            await person.find_match(**_three_seats("left"))  # type: ignore[arg-type]
        finding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await finding
        assert (await person.cancel_ticket()).state == pb.TICKET_STATE_CANCELLED
        with pytest.raises(TicketNotFound):
            await person.join_ticket("ABCDEF")


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.3])
async def test_whoever_gives_up_at_once_is_not_in_line(stack: Stack, seconds: float):
    """Also before the ticket is known: it is waited for, and then given up."""
    async with guests(stack, 1) as (person,):
        finding = asyncio.create_task(person.find_match(**_three_seats("hasty")))  # type: ignore[arg-type]
        await asyncio.sleep(seconds)
        finding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await finding
        try:
            assert (await person.cancel_ticket()).state == pb.TICKET_STATE_CANCELLED
        except TicketNotFound:
            assert not seconds  # It was not even begun.
