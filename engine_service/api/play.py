"""Play: the same submit and watch functions and messages over one stream, for native clients.

Every move goes through the pipeline as if it had come alone: the same limits, errors, log line and figures.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import cast

from cheeseboard.engine.v1 import tables_pb2 as pb
from engine_service.tables.requests import REMEMBERED
from service_runtime.errors import Refused, code_of
from service_runtime.identity import Caller
from service_runtime.methods import Method
from service_runtime.pipeline import Pipeline

MOVES_AT_ONCE = REMEMBERED
"""Moves under way on one stream: each can be repeated and is answered as before. A client that sends more waits."""
LONGEST_OUTBOX = 64
"""Answers unread on one stream; what would be one more waits."""


class Play:
    """TableService.Play."""

    def __init__(self) -> None:
        self._methods: dict[str, Method] = {}
        self._sessions: set[_Session] = set()

    def carries(self, methods: Iterable[Method], pipeline: Pipeline) -> None:
        """Say which methods its messages are calls of, and what these go through."""
        self._methods = {method.name: method for method in methods}
        self._pipeline = pipeline

    def drain(self) -> None:
        """Take no more requests; every stream ends when what it has begun is answered."""
        for session in self._sessions:
            session.take_no_more()

    async def play(self, requests: AsyncIterator[pb.PlayRequest], caller: Caller) -> AsyncIterator[pb.PlayResponse]:
        """Yield answers and frames until the client has sent all and nothing is watched or under way."""
        session = _Session(self._pipeline, self._methods, caller, requests)
        self._sessions.add(session)
        try:
            while ready := await session.outbox.take():
                yield ready
            session.raise_what_ended_it()
        finally:
            self._sessions.discard(session)
            session.close()


class _Session:
    """One open stream."""

    def __init__(
        self,
        pipeline: Pipeline,
        methods: dict[str, Method],
        caller: Caller,
        requests: AsyncIterator[pb.PlayRequest],
    ) -> None:
        self.outbox = _Outbox()
        self._pipeline = pipeline
        self._methods = methods
        self._caller = caller
        self._room = asyncio.Event()
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._moves: set[asyncio.Task[None]] = set()
        self._reading = asyncio.create_task(self._read(requests))
        self._ending = asyncio.create_task(self._end())

    def take_no_more(self) -> None:
        """Read no further request."""
        self._reading.cancel()

    def raise_what_ended_it(self) -> None:
        """Raise what was wrong with the last request that was read, if anything was."""
        if not self._reading.cancelled():
            self._reading.result()

    def close(self) -> None:
        """Drop everything that is under way; a move that reached the store is done all the same."""
        for task in (self._reading, self._ending, *self._watches.values(), *self._moves):
            task.cancel()

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Begin what the client asks for."""
        async for request in requests:
            match request.WhichOneof("request"):
                case "watch":
                    self._begin_watch(request.watch)
                case "move":
                    await self._begin_move(request.move)
                case _:
                    raise Refused("BAD_REQUEST", violations=(("request", "must be a watch or a move"),))

    async def _end(self) -> None:
        """End the answers when no request is to come and everything is answered."""
        await asyncio.wait([self._reading])
        if not self._reading.cancelled() and self._reading.exception() is not None:
            for watch in self._watches.values():
                watch.cancel()
        while pending := {*self._moves, *self._watches.values()}:
            await asyncio.wait(pending)
        self.outbox.end()

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
        while len(self._moves) >= MOVES_AT_ONCE:
            self._room.clear()
            await self._room.wait()
        self._moves.add(asyncio.create_task(self._move(request)))

    async def _watch(self, request: pb.WatchTableRequest) -> None:
        try:
            watch = self._methods["WatchTable"]
            async with self._pipeline.stream_within(watch, request, self._caller) as frames:
                async for frame in frames:
                    answer = (await self.outbox.blank()).watch
                    answer.table_id = request.table_id
                    answer.frame.CopyFrom(frame)
        except Refused as refused:
            answer = (await self.outbox.blank()).watch
            answer.table_id = request.table_id
            answer.refused.CopyFrom(_refusal(refused))

    async def _move(self, request: pb.SubmitMoveRequest) -> None:
        try:
            done = await self._moved(request)
            (await self.outbox.blank()).move.CopyFrom(done)
        finally:
            self._moves.discard(cast("asyncio.Task[None]", asyncio.current_task()))
            self._room.set()

    async def _moved(self, request: pb.SubmitMoveRequest) -> pb.MoveAnswer:
        try:
            done = await self._pipeline.unary_within(self._methods["SubmitMove"], request, self._caller)
        except Refused as refused:
            return pb.MoveAnswer(request_id=request.request_id, refused=_refusal(refused))
        return pb.MoveAnswer(request_id=request.request_id, accepted=done)


class _Outbox:
    """Answers on their way out. They leave together; whoever finds it full waits."""

    def __init__(self) -> None:
        self._ready = pb.PlayResponse()
        self._ended = False
        self._news = asyncio.Event()
        self._room = asyncio.Event()

    async def blank(self) -> pb.PlayAnswer:
        """Return a new one, which leaves from where it is: its caller fills it before anything else is awaited."""
        while len(self._ready.answers) >= LONGEST_OUTBOX:
            self._room.clear()
            await self._room.wait()
        self._news.set()
        return self._ready.answers.add()

    async def take(self) -> pb.PlayResponse | None:
        """Return all that is there, waiting for something; None when nothing will come."""
        while not self._ready.answers:
            if self._ended:
                return None
            self._news.clear()
            await self._news.wait()
        taken, self._ready = self._ready, pb.PlayResponse()
        self._room.set()
        return taken

    def end(self) -> None:
        """Say that none will come."""
        self._ended = True
        self._news.set()


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
