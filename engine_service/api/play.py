"""Play: the same submit and watch functions and messages over one stream, for native clients.

Every move goes through the pipeline as if it had come alone: the same limits, errors, log line and figures.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable

from cheeseboard.engine.v1 import tables_pb2 as pb
from service_runtime.errors import Refused, code_of
from service_runtime.identity import Caller
from service_runtime.methods import Method
from service_runtime.pipeline import Pipeline

MOST_AT_ONCE = 64
"""Moves under way and answers unread, on one stream; a client that sends more waits."""


class Play:
    """TableService.Play."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._methods: dict[str, Method] = {}

    def carries(self, methods: Iterable[Method]) -> None:
        """Say which methods its messages are calls of."""
        self._methods = {method.name: method for method in methods}

    async def play(self, requests: AsyncIterator[pb.PlayRequest], caller: Caller) -> AsyncIterator[pb.PlayResponse]:
        """Yield answers and frames until the client has sent all and nothing is watched or under way."""
        session = _Session(self._pipeline, self._methods, caller)
        reading = asyncio.create_task(session.read(requests))
        try:
            while (response := await session.answers.get()) is not None:
                yield response
            await reading
        finally:
            reading.cancel()
            session.close()


class _Session:
    """One open stream."""

    def __init__(self, pipeline: Pipeline, methods: dict[str, Method], caller: Caller) -> None:
        self.answers: asyncio.Queue[pb.PlayResponse | None] = asyncio.Queue(MOST_AT_ONCE)
        self._pipeline = pipeline
        self._methods = methods
        self._caller = caller
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._moves: set[asyncio.Task[None]] = set()

    async def read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Begin what the client asks for; end the stream when it has no more to ask and everything is answered."""
        try:
            async for request in requests:
                match request.WhichOneof("request"):
                    case "watch":
                        self._begin_watch(request.watch)
                    case "move":
                        await self._begin_move(request.move)
            while pending := {*self._moves, *self._watches.values()}:
                await asyncio.wait(pending)
        finally:
            await self.answers.put(None)

    def close(self) -> None:
        """Drop everything that is under way; a move that was begun is still finished."""
        for task in (*self._watches.values(), *self._moves):
            task.cancel()

    def _begin_watch(self, request: pb.WatchTableRequest) -> None:
        before = self._watches.pop(request.table_id, None)
        if before is not None:
            before.cancel()
        task = asyncio.create_task(self._watch(request))
        self._watches[request.table_id] = task
        task.add_done_callback(lambda done: self._forget(request.table_id, done))

    def _forget(self, table_id: str, done: asyncio.Task[None]) -> None:
        if self._watches.get(table_id) is done:
            del self._watches[table_id]

    async def _begin_move(self, request: pb.SubmitMoveRequest) -> None:
        await self._room.acquire()
        task = asyncio.create_task(self._move(request))
        self._moves.add(task)
        task.add_done_callback(self._moves.discard)

    async def _watch(self, request: pb.WatchTableRequest) -> None:
        try:
            frames = self._pipeline.stream_within(self._methods["WatchTable"], request, self._caller)
            async for frame in frames:
                await self._put(pb.WatchAnswer(table_id=request.table_id, frame=frame))
        except Refused as refused:
            await self._put(pb.WatchAnswer(table_id=request.table_id, refused=_refusal(refused)))

    async def _move(self, request: pb.SubmitMoveRequest) -> None:
        answer = pb.MoveAnswer(request_id=request.request_id)
        try:
            done = await self._pipeline.unary_within(self._methods["SubmitMove"], request, self._caller)
            answer.accepted.CopyFrom(done)
        except Refused as refused:
            answer.refused.CopyFrom(_refusal(refused))
        finally:
            self._room.release()
        await self.answers.put(pb.PlayResponse(move=answer))

    async def _put(self, answer: pb.WatchAnswer) -> None:
        await self.answers.put(pb.PlayResponse(watch=answer))


def _refusal(refused: Refused) -> pb.Refusal:
    violations = [pb.Fact(name=field, value=why) for field, why in refused.violations]
    facts = [pb.Fact(name=name, value=value) for name, value in refused.facts.items()]
    out = pb.Refusal(
        code=code_of(refused).value[0],
        reason=refused.reason,
        message=refused.message,
        facts=facts,
        violations=violations,
    )
    if refused.retry_seconds is not None:
        out.retry_delay.FromMilliseconds(round(refused.retry_seconds * 1000))
    return out
