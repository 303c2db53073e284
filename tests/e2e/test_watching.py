"""Streams: where they begin, that they go on, and why they end."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing

import grpc
import pytest

from cheeseboard.engine.v1 import tables_pb2, tables_pb2_grpc
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Alive, Cheeseboard, Frame, Snapshot, Step
from cheeseboard_client.errors import TableNotFound, WindowClosed
from engine_service.store.table_store import TableStore
from engine_service.tables.commands import Tables
from engine_service.tables.policy import Policy
from engine_service.tables.watch import Channel, Hub
from engine_service.tables.watcher import LONGEST_QUEUE, Watcher
from service_runtime.redis_connection import RedisConnection
from tests.support.players import guests, play_all, play_out, seated
from tests.support.stack import Stack
from tests.support.tokens import token


async def test_a_view_is_where_a_watch_goes_on(stack: Stack):
    """From the resume point of a view follow exactly the events after it, whichever replica is asked."""
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        begun = await people[0].snapshot(table_id)
        await play_all(people, table_id)
        for address in stack.engine_addresses:
            async with Cheeseboard.connect(address, token=people[0].token) as device:
                step = await anext(device.watch(table_id, resume_point=begun.resume_point))
                assert isinstance(step, Step)
                assert step.events[0].sequence == begun.view.sequence + 1
                assert step.events[-1].cheez_tricks.HasField("game_ended")


async def test_every_viewer_gets_the_same_numbers(stack: Stack):
    """Two seats and a spectator, on different replicas, are told every event, each as it may see it."""
    async with guests(stack, 3) as (*people, spectator):
        table_id = await seated(people)
        watches = [asyncio.create_task(_numbers(person, table_id)) for person in (*people, spectator)]
        await play_all(people, table_id)
        told = await asyncio.gather(*watches)
        assert told[0] == told[1] == told[2]


async def test_at_wild_cat_an_old_resume_point_gets_a_snapshot_while_tricks_lie_turned(stack: Stack):
    """What lies hidden cannot be had by resuming; after the round is scored, it can."""
    async with guests(stack, 2) as people:
        table_id = await seated(people, options=ct.Options(level=ct.LEVEL_WILD_CAT))
        begun = await people[0].snapshot(table_id)
        for _ in range(5):
            await _one_card(people, table_id)
        assert isinstance(await anext(people[0].watch(table_id, resume_point=begun.resume_point)), Snapshot)
        recent = (await people[0].snapshot(table_id)).resume_point
        await _one_card(people, table_id)
        assert isinstance(await anext(people[0].watch(table_id, resume_point=recent)), Step)
        await play_all(people, table_id)
        assert isinstance(await anext(people[0].watch(table_id, resume_point=begun.resume_point)), Step)


async def test_presence_is_part_of_every_view(stack: Stack):
    """Whoever comes later knows who has a stream open."""
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        async with aclosing(people[1].watch(table_id)) as frames:
            await anext(frames)
            assert await _connected(people[0], table_id) == [False, True]
        async with asyncio.timeout(5):
            while await _connected(people[0], table_id) != [False, False]:
                await asyncio.sleep(0.05)


async def test_whoever_ends_one_of_two_streams_is_still_there(stack: Stack):
    """Over which replicas they are does not matter."""
    async with guests(stack, 2) as people, AsyncExitStack() as devices:
        table_id = await seated(people)
        one, other, elsewhere = [
            await devices.enter_async_context(Cheeseboard.connect(stack.engine_addresses[replica], token=person.token))
            for person, replica in ((people[0], 0), (people[1], 0), (people[1], 1))
        ]
        staying = await devices.enter_async_context(aclosing(elsewhere.watch(table_id)))
        await anext(staying)
        ending = await devices.enter_async_context(aclosing(other.watch(table_id)))
        await anext(ending)
        frames = await devices.enter_async_context(aclosing(one.watch(table_id, include_view=True)))
        await anext(frames)
        await ending.aclose()
        await asyncio.sleep(0.3)  # Time for the engine to notice.
        await _one_card([one, other], table_id)
        assert await _told_connected(frames) == [True, True]


async def test_a_step_tells_who_is_there_by_then(stack: Stack):
    """Not who was there when its replica read the table last."""
    async with guests(stack, 2) as people, AsyncExitStack() as devices:
        table_id = await seated(people)
        one, other = [
            await devices.enter_async_context(Cheeseboard.connect(stack.engine_addresses[0], token=person.token))
            for person in people
        ]
        first = await devices.enter_async_context(aclosing(one.watch(table_id, include_view=True)))
        await anext(first)
        await _one_card([one, other], table_id)
        assert await _told_connected(first) == [True, False]
        second = await devices.enter_async_context(aclosing(other.watch(table_id, include_view=True)))
        await anext(second)
        await _one_card([one, other], table_id)
        assert await _told_connected(first) == await _told_connected(second) == [True, True]
        await second.aclose()
        async with asyncio.timeout(5):
            while await _connected(one, table_id) != [True, False]:
                await asyncio.sleep(0.05)
        await _one_card([one, other], table_id)
        assert await _told_connected(first) == [True, False]


async def test_a_stream_ends_when_its_token_does(stack: Stack):
    """With the resume point, so that a new token goes on from there."""
    expires = 2
    async with grpc.aio.insecure_channel(stack.engine_addresses[0]) as channel, guests(stack, 1) as (host,):
        table_id = await seated([host], bots=1)
        metadata = (("authorization", f"Bearer {token('Visitor', seconds=expires)}"),)
        request = tables_pb2.WatchTableRequest(table_id=table_id)
        began = time.monotonic()
        frames = [f async for f in tables_pb2_grpc.TableServiceStub(channel).WatchTable(request, metadata=metadata)]
        assert time.monotonic() - began < expires + 2
        assert frames[-1].goodbye.reason == tables_pb2.STREAM_END_TOKEN_EXPIRED
        assert frames[-1].resume_point == frames[-2].resume_point


async def test_a_reader_that_is_too_slow_is_cut_off_with_what_it_was_sent():
    """The queue is bounded; the goodbye names the last frame that was taken."""
    watcher = Watcher("somebody", include_view=False)
    watcher.push(_numbered(1))
    assert await watcher.next() == _numbered(1)
    for number in range(2, LONGEST_QUEUE + 3):
        watcher.push(_numbered(number))
    assert await watcher.next() is None
    goodbye = watcher.goodbye()
    assert goodbye.goodbye.reason == tables_pb2.STREAM_END_TOO_SLOW
    assert (goodbye.sequence, goodbye.resume_point) == (1, "r1")


async def test_a_game_is_played_over_one_stream(stack: Stack):
    """Play carries the frames and the answers of two tables at once, and refuses a move as a single call would."""
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        other = asyncio.create_task(play_out(people[1], table_id))
        async with people[0].play(table_id, include_view=True) as session:
            async for frame in session:
                if isinstance(frame, Alive) or getattr(frame, "view", None) is None:
                    continue
                if frame.view.status == tables_pb2.TABLE_STATUS_FINISHED:  # type: ignore[union-attr]
                    break
                if offers := list(frame.view.prompt.offers):  # type: ignore[union-attr]
                    answer = await session.move(offers[0])
                    assert answer.sequence > frame.sequence  # type: ignore[union-attr]
                    with pytest.raises(WindowClosed):
                        await session.move(offers[0])
        await other


async def test_watching_what_is_not_there_over_play_is_refused_and_the_stream_goes_on(stack: Stack):
    """A refusal on the stream is an answer, not its end."""
    async with guests(stack, 1) as (person,):
        with pytest.raises(TableNotFound):
            async with person.play("00" + "a" * 18) as session:
                await anext(session)
        table_id = await seated([person], bots=1)
        async with grpc.aio.insecure_channel(stack.engine_addresses[0]) as channel:
            metadata = (("authorization", f"Bearer {person.token}"),)
            call = tables_pb2_grpc.TableServiceStub(channel).Play(metadata=metadata)
            for watched in ("00" + "a" * 18, table_id):
                await call.write(tables_pb2.PlayRequest(watch=tables_pb2.WatchTableRequest(table_id=watched)))
            answers: dict[str, str | None] = {}
            while len(answers) < 2:
                for answer in (await call.read()).answers:
                    answers[answer.watch.table_id] = answer.watch.WhichOneof("answer")
            assert answers == {"00" + "a" * 18: "refused", table_id: "frame"}
            call.cancel()


async def test_a_message_that_asks_for_nothing_ends_the_stream_and_says_why(stack: Stack):
    """Also while a table is watched over it."""
    async with guests(stack, 1) as (person,):
        table_id = await seated([person], bots=1)
        async with grpc.aio.insecure_channel(stack.engine_addresses[0]) as channel:
            metadata = (("authorization", f"Bearer {person.token}"),)
            call = tables_pb2_grpc.TableServiceStub(channel).Play(metadata=metadata)
            await call.write(tables_pb2.PlayRequest(watch=tables_pb2.WatchTableRequest(table_id=table_id)))
            await call.read()
            await call.write(tables_pb2.PlayRequest())
            async with asyncio.timeout(5):
                with pytest.raises(grpc.aio.AioRpcError) as ended:
                    while await call.read() is not grpc.aio.EOF:
                        pass
            assert ended.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def _numbered(number: int) -> tables_pb2.WatchTableResponse:
    return tables_pb2.WatchTableResponse(sequence=number, resume_point=f"r{number}")


async def _numbers(person: Cheeseboard, table_id: str) -> list[int]:
    told: list[int] = []
    async with aclosing(person.watch(table_id)) as frames:
        async for frame in frames:
            if isinstance(frame, Snapshot):
                assert not told
            if isinstance(frame, Step):
                told += [event.sequence for event in frame.events]
                if any(event.cheez_tricks.HasField("game_ended") for event in frame.events):
                    return told[-100:]
    raise AssertionError("a watch does not end by itself")


async def _one_card(people: list[Cheeseboard], table_id: str) -> None:
    for person in people:
        view = await person.view(table_id)
        if view.prompt.offers:
            await person.move(table_id, view.prompt.offers[0])
            return


async def _told_connected(frames: AsyncGenerator[Frame, None]) -> list[bool]:
    step = await anext(frames)
    assert isinstance(step, Step) and step.view is not None
    return [seat.connected for seat in step.view.seats]


async def _connected(person: Cheeseboard, table_id: str) -> list[bool]:
    return [seat.connected for seat in (await person.view(table_id)).seats]


async def test_a_failover_that_lost_nothing_resets_nobody(stack: Stack):
    """Not even when a watcher came in a moment ago, at a later head than the others of its replica were shown."""
    connection = await RedisConnection.open(stack.redis_url)
    store = TableStore(connection, "test")
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        channel = Channel(Hub(Tables(store, Policy()), store, connection.listener()), table_id)
        early, late = Watcher("", include_view=False), Watcher("", include_view=False)
        await channel.admit(early, None)
        await _one_card(people, table_id)
        await channel.admit(late, None)
        assert late.sequence > early.sequence
        channel.doubt()
        async with asyncio.timeout(5):
            while early.sequence < late.sequence:
                await asyncio.sleep(0.01)
        for watcher in (early, late):
            watcher.end(tables_pb2.STREAM_END_MAX_AGE)
            while (frame := await watcher.next()) is not None:
                assert not frame.snapshot.reset
    await connection.close()
