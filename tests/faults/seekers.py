"""People who look for games while replicas and Redis are killed, and what must hold of them afterwards.

Nobody sits at two tables for one ticket, every table is full, no ticket is lost or expires while it is watched, and
nobody's time in line ever begins anew.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard_client import Cheeseboard, CheeseboardError, Patience, accepted_game
from cheeseboard_client.matchmaking import FINAL
from service_runtime.redis_connection import RedisConnection
from tests.bench.measure import percentile
from tests.faults import chaos
from tests.faults.scenarios import errors_since
from tests.matchmaking.replicas import assert_seated_once
from tests.support.players import QUICK_GAME
from tests.support.stack import Stack

PATIENCE = Patience(total=60.0, attempt=2.0, first_pause=0.02, longest_pause=0.5)
CLOCKS_SECONDS = 1
"""Seconds are told whole."""


@dataclass
class Sought:
    """What people found, and what was wrong."""

    kills: int = 0
    matched: list[tuple[str, pb.Ticket]] = field(default_factory=list)
    cancelled: int = 0
    waits: list[float] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the figures in a line."""
        waits = self.waits or [0.0]
        median, p99 = percentile(waits, 0.5), percentile(waits, 0.99)
        return (
            f"finding games, all killed: {self.kills} kills, {len(self.matched)} players seated, "
            f"{self.cancelled} tickets cancelled, {len(self.broken)} promises broken; "
            f"waits in s: median {median:.3f}, p99 {p99:.3f}, worst {max(waits):.3f}"
        )


async def seek_while(stack: Stack, people: int, dice: random.Random, work: Callable[[], Awaitable[None]]) -> Sought:
    """Have people look for games while `work` is done to the product; return what came of it."""
    before = {replica.log: replica.log.stat().st_size for replica in stack.engines}
    sought, stopping = Sought(), asyncio.Event()
    async with AsyncExitStack() as exits:
        clients = [
            await exits.enter_async_context(Cheeseboard.connect(stack.engine_addresses, patience=PATIENCE))
            for _ in range(people)
        ]
        ids = [(await client.sign_in_guest(f"Seeker {n}")).player_id for n, client in enumerate(clients)]
        seeking = [
            asyncio.create_task(_seek(client, who, random.Random(dice.random()), sought, stopping))
            for client, who in zip(clients, ids, strict=True)
        ]
        try:
            await work()
        finally:
            stopping.set()
        await asyncio.gather(*seeking)
    await _check(stack, sought)
    sought.broken += [f"logged: {line}" for line in errors_since(before)]
    return sought


async def everything_killed(stack: Stack, people: int, kills: int, store_kills: int, dice: random.Random) -> Sought:
    """Replicas are killed in the middle of matches, and so is Redis."""

    async def work() -> None:
        await asyncio.gather(
            chaos.kill_replicas(stack.engines, kills, dice), chaos.kill_store(stack.valkey, store_kills, dice)
        )

    sought = await seek_while(stack, people, dice, work)
    sought.kills = kills + store_kills
    return sought


async def _seek(client: Cheeseboard, who: str, dice: random.Random, sought: Sought, stopping: asyncio.Event) -> None:
    while not stopping.is_set():
        began = time.monotonic()
        try:
            ticket = await _one(client, dice, sought, stopping)
        except CheeseboardError as trouble:
            sought.broken.append(f"a ticket was given up: {trouble!r}")
            return
        if ticket.state == pb.TICKET_STATE_MATCHED:
            sought.waits.append(time.monotonic() - began)
            sought.matched.append((who, ticket))
        elif ticket.state == pb.TICKET_STATE_CANCELLED:
            sought.cancelled += 1
        else:
            sought.broken.append(f"a ticket that was watched came to {pb.TicketState.Name(ticket.state)}")


async def _one(client: Cheeseboard, dice: random.Random, sought: Sought, stopping: asyncio.Event) -> pb.Ticket:
    """Look for one game, giving up now and then; return the ticket when it is over."""
    seats = dice.choice((2, 3, 4))
    ticket = await client.create_ticket(accepted_game(QUICK_GAME, seats, min_seats=2, move_seconds=0))
    patience = dice.uniform(0, 1.0) if dice.random() < 0.2 else 5.0
    giving_up = asyncio.create_task(_give_up(client, ticket.ticket_id, patience, stopping))
    waited = 0
    try:
        async with aclosing(client.watch_ticket(ticket.ticket_id)) as tickets:
            async for ticket in tickets:
                if ticket.state == pb.TICKET_STATE_WAITING:
                    if ticket.waited_seconds < waited - CLOCKS_SECONDS:
                        sought.broken.append(f"a place was lost: {ticket.waited_seconds} s after {waited} s")
                    waited = ticket.waited_seconds
    finally:
        giving_up.cancel()
        await asyncio.gather(giving_up, return_exceptions=True)
    return ticket


async def _give_up(client: Cheeseboard, ticket_id: str, seconds: float, stopping: asyncio.Event) -> None:
    """Cancel a ticket after a while; when everyone stops nobody may be left to play with."""
    try:
        async with asyncio.timeout(seconds):
            await stopping.wait()
        await asyncio.sleep(1.0)
    except TimeoutError:
        pass
    while (await client.cancel_ticket(ticket_id)).state not in FINAL:
        await asyncio.sleep(0.1)


async def _check(stack: Stack, sought: Sought) -> None:
    connection = await RedisConnection.open(stack.redis_url)
    try:
        await assert_seated_once(connection, sought.matched)
    except AssertionError as wrong:
        sought.broken.append(f"tables and tickets disagree: {wrong}")
    for name in await _left(connection):
        sought.broken.append(f"in limbo: {name}")
    await connection.close()
    if not sought.matched:
        sought.broken.append("nobody found a game")


async def _left(connection: RedisConnection) -> Sequence[str]:
    """Return what is still in line, being seated or to be looked at, of which nothing should be left."""
    names = [f"{{mm}}:{name}" for name in ("agenda", "ranks", "ages", "matches")]
    return [name for name in names if await connection.command("EXISTS", name)]
