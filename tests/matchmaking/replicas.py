"""Replicas of matchmaking in one process, each on a connection of its own; and what came of it, read from Redis."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard_client import accepted_game
from engine_service.api.matchmaking import Matchmaking
from engine_service.matchmaking.matcher import Matcher
from engine_service.matchmaking.news import News
from engine_service.matchmaking.seats import Seats
from engine_service.store.directory import Directory
from engine_service.store.head import WIDTH
from engine_service.store.match_store import MatchStore
from engine_service.store.table_store import TableStore
from engine_service.tables.codec import decode_table
from engine_service.tables.commands import Tables
from engine_service.tables.policy import Policy
from engine_service.tables.table import Table
from service_runtime.identity import Caller, player_id
from service_runtime.redis_connection import RedisConnection
from tests.support.players import QUICK_GAME

PARTITIONS = 64


@dataclass
class Replica:
    """The parts of an engine that matchmaking is made of."""

    connection: RedisConnection
    store: MatchStore
    seats: Seats
    matcher: Matcher
    api: Matchmaking

    async def find(self, who: Caller, seats: int, wait_ms: int = 0, number: int = 0, **more: Any) -> pb.Ticket:
        """Look for a game as a player; the ticket as it is then."""
        request = pb.CreateTicketRequest(
            request_id=f"find-{number}",
            accepts=[accepted_game(QUICK_GAME, seats, min_seats=more.pop("min_seats", 0), move_seconds=0)],
            wait_milliseconds=wait_ms,
            **more,
        )
        return (await self.api.create_ticket(request, who)).ticket

    async def state(self, ticket_id: str) -> str:
        """Return how a ticket stands."""
        row = await self.store.status(ticket_id)
        assert row is not None
        return row.state


def caller(name: str) -> Caller:
    """Return a player as the pipeline would tell of it."""
    return Caller(f"test|{name}", player_id(f"test|{name}"), name, False, 2e9)


@asynccontextmanager
async def replica(url: str, running: bool = True) -> AsyncIterator[Replica]:
    """A replica; one that does not run only does what it is told."""
    connection = await RedisConnection.open(url)
    news = News(connection.listener())
    tables = Tables(TableStore(connection, "test"), Policy())
    directory, store = Directory(connection, PARTITIONS), MatchStore(connection)
    seats = Seats(store, tables, directory, news)
    matcher = Matcher(store, seats)
    tasks = [asyncio.create_task(part.run()) for part in ((news, matcher) if running else (news,))]
    try:
        yield Replica(
            connection, store, seats, matcher, Matchmaking(store, matcher, news, tables, directory, ["region"])
        )
    finally:
        await matcher.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await connection.close()


@asynccontextmanager
async def replicas(url: str, count: int) -> AsyncIterator[list[Replica]]:
    """So many of them, side by side."""
    async with AsyncExitStack() as exits:
        yield [await exits.enter_async_context(replica(url)) for _ in range(count)]


async def stored_tables(connection: RedisConnection) -> dict[str, Table[Any, Any]]:
    """Return every table that there is."""
    names = list(await connection.command("KEYS", "*:table:*"))
    values = [await connection.command("GET", name) for name in names]
    tables = [decode_table(value[WIDTH:]) for value in values]
    return {table.table_id: table for table in tables}


async def assert_seated_once(connection: RedisConnection, matched: list[tuple[str, pb.Ticket]]) -> None:
    """Hold that every table is full and has the players that its tickets say, and that nobody sits anywhere else.

    `matched` has a row (player id, ticket) for each player and ticket that was matched.
    """
    tables = await stored_tables(connection)
    told = Counter(
        (ticket.table_id, player.seat, player.player_id)
        for who, ticket in matched
        for player in ticket.players
        if player.player_id == who
    )
    sits = Counter(
        (table.table_id, seat, sitter.player_id)
        for table in tables.values()
        for seat, sitter in enumerate(table.seats)
        if sitter is not None and not sitter.bot
    )
    assert all(None not in table.seats and table.status == "running" for table in tables.values())
    assert told == sits and set(told.values()) <= {1}
