"""Nobody waits for the next sign of life to be shown what happened, or that a stream has ended."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from typing import NoReturn

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard
from engine_service.store.table_store import TableStore
from engine_service.tables.commands import Tables
from engine_service.tables.policy import Policy
from engine_service.tables.watch import Frame, Hub
from service_runtime.redis_connection import RedisConnection
from tests.support.faulty_line import FaultyLine, faulty_line
from tests.support.players import guests, seated
from tests.support.stack import Stack

SOON_SECONDS = 10
"""A sign of life may come earlier, at first; but these replicas give none."""


class Watching:
    """A watch in this process, and what it was shown."""

    def __init__(self, hub: Hub, table_id: str) -> None:
        self.frames: list[Frame] = []
        self._task = asyncio.create_task(self._watch(hub, table_id))

    async def _watch(self, hub: Hub, table_id: str) -> None:
        async with aclosing(hub.watch(table_id, "", None, include_view=False, expires_at=None)) as frames:
            async for frame in frames:
                self.frames.append(frame)

    async def until(self, shown: Callable[[], bool]) -> None:
        """Return when something has been shown."""
        async with asyncio.timeout(SOON_SECONDS):
            while not shown():
                await asyncio.sleep(0.01)

    async def ended(self) -> None:
        """Return when it has ended by itself."""
        async with asyncio.timeout(SOON_SECONDS):
            await self._task

    async def stop(self) -> None:
        """End it."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


@asynccontextmanager
async def watched(redis_url: str, table_id: str) -> AsyncIterator[tuple[Tables, Hub, Watching]]:
    """A replica without heartbeats, where a table is watched."""
    connection = await RedisConnection.open(redis_url, budget_seconds=0.1)
    store = TableStore(connection, "test")
    tables = Tables(store, Policy())
    hub = Hub(tables, store, connection.listener())
    watching = Watching(hub, table_id)
    try:
        yield tables, hub, watching
    finally:
        await watching.stop()
        await connection.close()


async def _turn_taken(people: list[Cheeseboard], table_id: str) -> int:
    """Have whoever is asked do a move at another replica; return where the table then is."""
    for person in people:
        view = (await person.view(table_id)).view
        if view.prompt.offers:
            return (await person.move(table_id, view.prompt.offers[0])).sequence
    raise AssertionError("nobody is asked")


@pytest.mark.parametrize("when", ["subscribing", "reading"])
async def test_a_stream_that_begins_while_its_replica_stops_ends_like_all_others(stack: Stack, when: str):
    """Else its moves are read no more and nobody says so, until the replica is gone."""
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        async with watched(stack.redis_url, table_id) as (_, hub, watching):
            async with asyncio.timeout(SOON_SECONDS):
                while when == "reading" and table_id not in hub._channels:
                    await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not watching.frames
            await hub.drain()
            await watching.ended()
            assert watching.frames[-1].goodbye.reason == tables_pb2.STREAM_END_DRAINING


async def test_what_happens_while_a_table_is_set_up_once_more_is_shown(stack: Stack):
    """A request that is repeated, or a match that two replicas seat, finds the table as it is, and somebody watches."""
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        async with watched(stack.redis_url, table_id) as (tables, _, watching):
            await watching.until(lambda: bool(watching.frames))
            table = (await tables.load(table_id)).table
            setting_up = asyncio.create_task(_again_and_again(lambda: tables.create(table, _refuse)))
            for _ in range(5):
                sequence = await _turn_taken(people, table_id)
            await watching.until(lambda: watching.frames[-1].sequence == sequence)
            setting_up.cancel()


async def test_what_could_not_be_read_is_shown_when_it_can(stack: Stack):
    """The wake-up came, and nothing but it: Redis was away for one of the replica's two connections."""
    async with guests(stack, 2) as people, _line_to_store(stack) as line:
        table_id = await seated(people)
        async with watched(f"redis://{line.address}", table_id) as (*_, watching):
            await watching.until(lambda: bool(watching.frames))
            line.refuses = True
            line.connections[0].cut()  # That of its commands; the other one listens.
            sequence = await _turn_taken(people, table_id)
            await asyncio.sleep(0.5)  # Longer than a command waits for Redis.
            assert watching.frames[-1].sequence < sequence
            line.refuses = False
            await watching.until(lambda: watching.frames[-1].sequence == sequence)


@asynccontextmanager
async def _line_to_store(stack: Stack) -> AsyncIterator[FaultyLine]:
    async with faulty_line(stack.redis_url.removeprefix("redis://").partition("/")[0]) as line:
        yield line


async def _again_and_again(do: Callable[[], Awaitable[object]]) -> None:
    while True:
        await do()


def _refuse(stored: object) -> NoReturn:
    raise AssertionError("the table is there")
