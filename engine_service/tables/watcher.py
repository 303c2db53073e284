"""One stream of a watched table: frames wait in a bounded queue for a reader, who may be slow, stuck or gone."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from cheeseboard.engine.v1 import tables_pb2 as pb
from service_runtime.errors import Refused

LONGEST_QUEUE = 64
GOODBYE_SECONDS = 10.0

Frame = pb.WatchTableResponse


class Watcher:
    """One stream: who looks, what was sent, what waits to be sent.

    It belongs to a player; which seat that is, if any, is asked of the table at every frame.
    """

    def __init__(self, player_id: str, include_view: bool) -> None:
        self.player_id = player_id
        self.viewer: int | None = None
        """The seat of the frame before."""
        self.include_view = include_view
        self.sequence = 0
        self.resume_point = ""
        self._frames: deque[Frame] = deque()
        self._news = asyncio.Event()
        self._end: pb.StreamEnd.ValueType | Refused | None = None
        self._last = Frame()
        self._reader: asyncio.Task[object] | None = None

    def push(self, frame: Frame) -> None:
        """Queue a frame; a full queue ends the stream instead."""
        if self._end is not None:
            return
        if len(self._frames) >= LONGEST_QUEUE:
            self._frames.clear()
            self.end(pb.STREAM_END_TOO_SLOW)
            self._cut_off_soon()
            return
        self.sequence, self.resume_point = frame.sequence, frame.resume_point
        self._frames.append(frame)
        self._news.set()

    def _cut_off_soon(self) -> None:
        """Cancel a reader that does not even take its goodbye: it is stuck in a write that nobody reads."""
        if self._reader is not None:
            asyncio.get_running_loop().call_later(GOODBYE_SECONDS, self._reader.cancel)

    def end(self, why: "pb.StreamEnd.ValueType | Refused") -> None:
        """End the stream when what is queued has been sent."""
        self._end = self._end or why
        self._news.set()

    async def next(self) -> Frame | None:
        """Return the next frame, or None when the stream ends."""
        while not self._frames:
            if self._end is not None:
                return None
            self._news.clear()
            await self._news.wait()
        self._last = self._frames.popleft()
        return self._last

    def goodbye(self) -> Frame:
        """Return the last frame, with the resume point of what was sent. Raises the refusal that ended the stream."""
        if isinstance(self._end, Refused):
            raise self._end
        assert self._end is not None
        return Frame(
            resume_point=self._last.resume_point,
            sequence=self._last.sequence,
            server_time=self._last.server_time,
            goodbye=pb.Goodbye(reason=self._end),
        )

    @contextmanager
    def reading(self, seconds: float, then: "pb.StreamEnd.ValueType") -> Iterator[None]:
        """Be read by this task, for so long."""
        self._reader = asyncio.current_task()
        timer = asyncio.get_running_loop().call_later(max(0.0, seconds), self.end, then)
        try:
            yield
        finally:
            timer.cancel()
