"""Services go down and come back: tables wait and go on, nothing is lost, nothing counts twice, nobody loses time."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Patience, Snapshot, Step
from service_runtime.redis_connection import RedisConnection
from tests.support.players import guests, play_all, play_out, seated
from tests.support.recount import assert_scoreboard, recount
from tests.support.stack import QUICK, Stack, running_stack

DELAYED_SECONDS = 1


@pytest.fixture
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product of the test's own, to take apart."""
    settings = {**QUICK, "CHEESEBOARD_DELAYED_SECONDS": str(DELAYED_SECONDS)}
    with running_stack(tmp_path_factory.mktemp("fragile"), engines=2, settings=settings) as running:
        yield running


async def test_tables_wait_for_scores_and_go_on_whoever_is_down_meanwhile(fragile: Stack):
    """Scoring down when the round ends, engines down when the scores come: the game goes on and is scored right."""
    async with guests(fragile, 2, Patience(total=60)) as people:
        table_id = await seated(people)
        fragile.scorings[0].kill()
        playing = asyncio.create_task(play_all(people, table_id))
        view = await _view_when(people[0], table_id, lambda view: view.prompt.scoring_delayed)
        assert view.cheez_tricks.phase == ct.PHASE_SCORING and not view.prompt.questions
        for engine in fragile.engines:
            engine.kill()
        await asyncio.to_thread(fragile.scorings[0].start)
        await _until_scores_wait(fragile)
        for engine in fragile.engines:
            await asyncio.to_thread(engine.start)
        view = await playing
        record = await people[0].record(table_id)
        counted = recount(record.options, record.events)
        assert_scoreboard(counted, await people[0].scoreboard(table_id))
        assert tuple(view.cheez_tricks.places) == counted.places


async def test_an_outage_costs_nobody_time(fragile: Stack):
    """All engines are down for longer than a player has left: its deadline moves by as much, and nothing was played."""
    async with guests(fragile, 2, Patience(total=60)) as people:
        table_id = await seated(people, move_seconds=4)
        seen = await people[0].snapshot(table_id)
        before = seen.view
        for engine in fragile.engines:
            engine.kill()
        await asyncio.sleep(6)
        for engine in fragile.engines:
            engine.launch()
        for engine in fragile.engines:
            await asyncio.to_thread(engine.wait)
        after = await people[0].snapshot(table_id)
        moved = after.view.prompt.questions[0].deadline.seconds - before.prompt.questions[0].deadline.seconds
        assert after.view.sequence == before.sequence
        assert moved >= 5
        assert after.view.prompt.questions[0].deadline.seconds >= int(after.server_time.timestamp())
        async with aclosing(people[0].watch(table_id, resume_point=seen.resume_point)) as frames:
            first = await anext(frames)
        assert isinstance(first, Snapshot) and not first.reset and not first.missed
        assert first.view.prompt.questions == after.view.prompt.questions


async def test_redis_is_killed_while_players_play(fragile: Stack):
    """Moves fail with a typed UNAVAILABLE, or are held; after the restart on the same data everything goes on."""
    async with guests(fragile, 2, Patience(total=60)) as people:
        table_id = await seated(people)
        playing = asyncio.create_task(play_all(people, table_id))
        for _ in range(3):
            await asyncio.sleep(0.4)
            fragile.valkey.kill()
            await asyncio.sleep(0.4)
            await asyncio.to_thread(fragile.valkey.start)
        await playing
        record = await people[0].record(table_id)
        assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))


async def test_replicas_are_restarted_one_by_one_under_players(fragile: Stack):
    """SIGTERM says goodbye to streams, which go on elsewhere; the process ends by itself, with code 0, in time."""
    async with guests(fragile, 3, Patience(total=60)) as (*people, watcher):
        table_id = await seated(people)
        told: list[int] = []
        watching = asyncio.create_task(_follow(watcher, table_id, told))
        playing = asyncio.create_task(play_all(people, table_id))
        for engine in (*fragile.engines, *fragile.engines):
            await asyncio.sleep(0.3)
            began = time.monotonic()
            assert await asyncio.to_thread(engine.stop) == 0
            assert time.monotonic() - began < 10
            await asyncio.to_thread(engine.start)
        await playing
        await watching
        assert told == list(range(told[0], told[-1] + 1))
        record = await people[0].record(table_id)
        recount(record.options, record.events)


async def test_open_play_streams_do_not_hold_up_the_drain(fragile: Stack):
    """They are told goodbye and end, with what was begun answered; the session goes on at the other replica."""
    async with guests(fragile, 1, Patience(total=60)) as (person,):
        table_id = await seated([person], bots=1)
        async with person.play(table_id, include_view=True) as session:
            assert isinstance(await anext(session), Snapshot)
            for engine in fragile.engines:
                began = time.monotonic()
                assert await asyncio.to_thread(engine.stop) == 0
                assert time.monotonic() - began < 5
                await asyncio.to_thread(engine.start)
            turn = await person.view(table_id)
            if turn.prompt.offers:
                await session.move(turn.prompt.offers[0])


async def test_a_watcher_whose_branch_was_lost_is_told_to_drop_it(fragile: Stack):
    """What a failover lost: the same numbers come again with other events; the watcher gets a snapshot with reset."""
    async with guests(fragile, 2) as people:
        table_id = await seated(people)
        turn = (await people[0].view(table_id)).prompt.questions[0].seat
        connection = await RedisConnection.open(fragile.valkey.url)
        names = [name.decode() for name in await connection.command("KEYS", f"*:{table_id}")]
        dumps = {name: await connection.command("DUMP", name) for name in names}
        first, other = list((await people[turn].view(table_id)).prompt.offers)[:2]
        seen: list[Snapshot | Step] = []
        watching = asyncio.create_task(_collect(people[1 - turn], table_id, seen))
        await _when(lambda: bool(seen))
        await people[turn].move(table_id, first)
        await _when(lambda: any(isinstance(frame, Step) for frame in seen))
        lost = seen[-1].resume_point
        for name, dump in dumps.items():
            await connection.command("RESTORE", name, 0, dump, "REPLACE")
        await people[turn].move(table_id, other)
        resumed = await anext(people[1 - turn].watch(table_id, resume_point=lost))
        assert isinstance(resumed, Snapshot) and resumed.reset
        (played,) = resumed.view.cheez_tricks.trick.plays
        assert played.card == other.cheez_tricks.play_card.card
        await people[1 - turn].move(table_id, (await people[1 - turn].view(table_id)).prompt.offers[0])
        await _when(lambda: any(isinstance(frame, Snapshot) and frame.reset for frame in seen))
        watching.cancel()
        await connection.close()


async def _view_when(
    person: Cheeseboard, table_id: str, is_it: Callable[[tables_pb2.TableView], bool]
) -> tables_pb2.TableView:
    async with asyncio.timeout(30):
        while not is_it(view := await person.view(table_id)):
            await asyncio.sleep(0.1)
    return view


async def _when(is_it: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not is_it():
            await asyncio.sleep(0.02)


async def _until_scores_wait(stack: Stack) -> None:
    """Return when a score lies in a score stream, waiting for an engine."""
    connection = await RedisConnection.open(stack.valkey.url)
    async with asyncio.timeout(30):
        while not await _waiting(connection):
            await asyncio.sleep(0.05)
    await connection.close()


async def _waiting(connection: RedisConnection) -> int:
    names = await connection.command("KEYS", "*:scores")
    return sum([int(await connection.command("XLEN", name)) for name in names])


async def _follow(person: Cheeseboard, table_id: str, told: list[int]) -> None:
    async with aclosing(person.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            if isinstance(frame, Step):
                told += [event.sequence for event in frame.events]
            view = frame.view if isinstance(frame, Step | Snapshot) else None
            if view is not None and view.status == tables_pb2.TABLE_STATUS_FINISHED:
                return


async def _collect(person: Cheeseboard, table_id: str, seen: list[Snapshot | Step]) -> None:
    async with aclosing(person.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            if isinstance(frame, Step | Snapshot):
                seen.append(frame)


async def test_a_killed_engine_is_not_noticed_by_those_who_play(fragile: Stack):
    """kill -9 of one replica after the other, in the middle of moves."""
    async with guests(fragile, 2, Patience(total=60)) as people:
        table_id = await seated(people, bots=1)
        playing = [asyncio.create_task(play_out(person, table_id, n)) for n, person in enumerate(people)]
        for engine in (*fragile.engines, *fragile.engines):
            await asyncio.sleep(0.3)
            engine.kill()
            await asyncio.to_thread(engine.start)
        await asyncio.gather(*playing)
        record = await people[0].record(table_id)
        assert_scoreboard(recount(record.options, record.events), await people[0].scoreboard(table_id))
