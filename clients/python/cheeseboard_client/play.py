"""Watching a table and moving at it over one stream, which costs both sides a third of single calls.

The guarantees are those of `watch` and `move`: frames are gapless over all streams, and a move whose answer got lost
is sent again with its own request_id on the next stream.
"""

import asyncio
import time
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

import grpc

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import status
from cheeseboard_client.calls import Service, may_pass, pause_after
from cheeseboard_client.errors import CheeseboardError, Unreachable
from cheeseboard_client.frames import Frame, Gap, Position, StreamEnded
from cheeseboard_client.mending import Mending
from cheeseboard_client.moves import Choice, move_request
from cheeseboard_client.streams import next_message
from cheeseboard_client.stubs import EngineStubs

if TYPE_CHECKING:
    Call = grpc.aio.StreamStreamCall[tables_pb2.PlayRequest, tables_pb2.PlayResponse]
    Answer = asyncio.Future[tables_pb2.SubmitMoveResponse]

UNREAD_FRAMES = 256
"""With more frames unread than this, watching stops until they are read, then resumes; moves go on meanwhile."""


class _Unanswered:
    """A move under way, and how many wait for its answer: the same request may be made again meanwhile."""

    def __init__(self, request: tables_pb2.SubmitMoveRequest) -> None:
        self.request = request
        self.answer: Answer = asyncio.Future()
        self.waiting = 0


class PlaySession:
    """One table, watched and played; see `Cheeseboard.play`. Iterate over it for frames."""

    def __init__(
        self, engine: Service[EngineStubs], table_id: str, resume_point: str = "", include_view: bool = False
    ) -> None:
        self._engine = engine
        self._table_id = table_id
        self._include_view = include_view
        self._position = Position(resume_point)
        self._mending = Mending(engine)
        self._frames: asyncio.Queue[Frame | None] = asyncio.Queue()
        self._lagging = False
        self._unanswered: dict[str, _Unanswered] = {}
        self._call: Call | None = None
        self._writing = asyncio.Lock()
        self._writes: set[asyncio.Task[None]] = set()
        self._failure: CheeseboardError | None = None

    async def __aenter__(self) -> "PlaySession":
        """Begin to watch."""
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop watching. Moves that are not answered yet raise `Unreachable`."""
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running
        self._fail(Unreachable(grpc.StatusCode.CANCELLED, "the session was closed"))

    def __aiter__(self) -> "PlaySession":
        """Return the session: it is its own iterator."""
        return self

    async def __anext__(self) -> Frame:
        """Return the next frame; raise the refusal that ended the session."""
        if self._lagging and self._frames.empty():
            self._lagging = False
            await self._send(self._watch_request())
        frame = None if self._failure and self._frames.empty() else await self._frames.get()
        if frame is None:
            assert self._failure
            raise self._failure
        return frame

    async def move(
        self, choice: Choice, *, window: int | None = None, request_id: str | None = None
    ) -> tables_pb2.SubmitMoveResponse:
        """Do a move and return its answer; see `Cheeseboard.move`."""
        request = move_request(self._table_id, choice, window, request_id)
        patience = self._engine.patience
        give_up_at, attempt = time.monotonic() + patience.total, 0
        while True:
            try:
                return await self._answer(request, min(patience.attempt, give_up_at - time.monotonic()))
            except CheeseboardError as error:
                pause = pause_after(error, attempt, patience)
                if error is self._failure or not may_pass(error) or time.monotonic() + pause >= give_up_at:
                    raise
                attempt += 1
            await asyncio.sleep(pause)

    async def _answer(self, request: tables_pb2.SubmitMoveRequest, seconds: float) -> tables_pb2.SubmitMoveResponse:
        if self._failure:
            raise self._failure
        move = self._unanswered.setdefault(request.request_id, _Unanswered(request))
        move.waiting += 1
        call = self._call
        try:
            async with asyncio.timeout(seconds):
                await self._send(tables_pb2.PlayRequest(move=request))
                return await asyncio.shield(move.answer)
        except TimeoutError:
            if call is not None and call is self._call:  # Another stream may lead to a replica that answers.
                self._cut(call)
            raise Unreachable(grpc.StatusCode.DEADLINE_EXCEEDED, "the move was not answered") from None
        finally:
            move.waiting -= 1
            if not move.waiting and self._unanswered.get(request.request_id) is move:
                del self._unanswered[request.request_id]

    async def _run(self) -> None:
        """Hold one stream after the other until the session is closed or refused."""
        try:
            while True:
                try:
                    await self._stream()
                except (CheeseboardError, StreamEnded, Gap) as ended:
                    if interrupted := await self._mending.after(ended):
                        self._frames.put_nowait(interrupted)
                await self._mending.rest()
        except CheeseboardError as final:
            self._fail(final)

    async def _stream(self) -> None:
        """Take the messages of one stream; raises what ended it."""
        await self._engine.credentials.ensure()
        with self._engine.replicas.stream() as (replica, stubs):
            self._mending.begins(replica)
            self._call = call = stubs.tables.Play(metadata=self._engine.metadata())
            try:
                await self._send(self._watch_request())
                for move in tuple(self._unanswered.values()):
                    await self._send(tables_pb2.PlayRequest(move=move.request))
                while True:
                    message = await next_message(call.read, tables_pb2.PlayResponse, self._engine.patience.silence)
                    self._mending.works()
                    for answer in message.answers:
                        self._take(answer)
            finally:
                self._call = None
                self._cut(call)

    def _cut(self, call: "Call") -> None:
        call.cancel()
        for write in self._writes:  # On a call that was cancelled before it was connected they would wait for ever.
            write.cancel()

    async def _send(self, request: tables_pb2.PlayRequest) -> None:
        # gRPC takes a cancelled write for the end of the stream; whoever gives up a move means the move alone.
        write = asyncio.create_task(self._write(request))
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)
        await asyncio.wait([write])

    async def _write(self, request: tables_pb2.PlayRequest) -> None:
        # On a stream that is gone the reader learns it too, and the next stream sends what is unanswered.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with self._writing:
                if self._call:
                    await self._call.write(request)

    def _watch_request(self) -> tables_pb2.PlayRequest:
        return tables_pb2.PlayRequest(
            watch=tables_pb2.WatchTableRequest(
                table_id=self._table_id, resume_point=self._position.resume_point, include_view=self._include_view
            )
        )

    def _take(self, answer: tables_pb2.PlayAnswer) -> None:
        match answer.WhichOneof("answer"):
            case "move":
                self._take_answer(answer.move)
            case "watch":
                self._take_frame(answer.watch)

    def _take_answer(self, message: tables_pb2.MoveAnswer) -> None:
        move = self._unanswered.pop(message.request_id, None)
        if move is None or move.answer.done():
            return
        if message.WhichOneof("answer") == "accepted":
            move.answer.set_result(message.accepted)
        else:
            move.answer.set_exception(status.from_stream(message.refused))

    def _take_frame(self, message: tables_pb2.WatchAnswer) -> None:
        if message.WhichOneof("answer") == "refused":
            raise status.from_stream(message.refused)
        goodbye = message.frame.WhichOneof("frame") == "goodbye"
        self._lagging = self._lagging or self._frames.qsize() >= UNREAD_FRAMES
        if self._lagging and not goodbye:
            return
        if frame := self._position.take(message.frame):
            self._frames.put_nowait(frame)

    def _fail(self, failure: CheeseboardError) -> None:
        self._failure = self._failure or failure
        self._frames.put_nowait(None)
        for move in self._unanswered.values():
            if not move.answer.done():
                move.answer.set_exception(failure)
                move.answer.exception()  # Nobody may be waiting any more.
