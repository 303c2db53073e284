"""What watching a table yields, and the bookkeeping that makes it gapless.

A frame says what happened or how the connection fares. The end of a stream is never a frame: nothing follows from it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from cheeseboard.engine.v1 import tables_pb2


@dataclass(frozen=True)
class Snapshot:
    """The table as a whole: at the beginning, and when events could not be resumed."""

    view: tables_pb2.TableView
    sequence: int
    resume_point: str
    server_time: datetime
    reset: bool
    """Something that was shown before was lost in a failure of the store: drop what you had."""
    missed: bool
    """There were events between the last frame and this view that will not be told one by one."""


@dataclass(frozen=True)
class Step:
    """Events that became durable together, contiguous with all before."""

    events: tuple[tables_pb2.TableEvent, ...]
    prompt: tables_pb2.Prompt
    """Who is asked what after them."""
    view: tables_pb2.TableView | None
    """The table after them, if `include_view` was asked for."""
    sequence: int
    resume_point: str
    server_time: datetime


@dataclass(frozen=True)
class Alive:
    """Nothing happened, all is well."""

    connected_seats: frozenset[int]
    """Seats whose players have a stream open."""
    sequence: int
    resume_point: str
    server_time: datetime


@dataclass(frozen=True)
class Interrupted:
    """The connection is lost and being mended. Nothing is known to have happened at the table."""

    cause: str
    """For a developer's eyes."""
    attempt: int
    """How many tries have failed in a row."""


Frame = Snapshot | Step | Alive | Interrupted


class Gap(Exception):
    """A frame does not follow on what came before; the stream must be taken up anew."""


class StreamEnded(Exception):
    """The engine said that it ends the stream; nothing is wrong."""

    def __init__(self, reason: "tables_pb2.StreamEnd.ValueType") -> None:
        super().__init__(tables_pb2.StreamEnd.Name(reason))
        self.reason = reason


class Position:
    """How far a watcher has come, over all its streams."""

    def __init__(self, resume_point: str = "") -> None:
        self.resume_point = resume_point
        """What the next stream begins with; empty for a snapshot."""
        self.sequence: int | None = None
        """The number of the last event told; None before the first frame."""

    def take(self, response: tables_pb2.WatchTableResponse) -> Frame | None:
        """Return the frame of a response, or None when it holds nothing new.

        Raises `Gap` or `StreamEnded`, after both of which the next stream begins at `resume_point`.
        """
        match response.WhichOneof("frame"):
            case "snapshot":
                return self._snapshot(response)
            case "step":
                return self._step(response)
            case "heartbeat":
                return self._alive(response)
            case "goodbye":
                self.resume_point = response.resume_point or self.resume_point
                raise StreamEnded(response.goodbye.reason)
        return None  # A frame of a newer release.

    def _snapshot(self, response: tables_pb2.WatchTableResponse) -> Snapshot:
        view = response.snapshot.view
        missed = self.sequence is not None and view.sequence != self.sequence
        self._moved_to(view.sequence, response)
        time = response.server_time.ToDatetime(UTC)
        return Snapshot(view, view.sequence, self.resume_point, time, response.snapshot.reset, missed)

    def _step(self, response: tables_pb2.WatchTableResponse) -> Step | None:
        events = self._new(response.step)
        if not events:
            return None
        self._moved_to(events[-1].sequence, response)
        view = response.step.view if response.step.HasField("view") else None
        time = response.server_time.ToDatetime(UTC)
        return Step(events, response.step.prompt, view, events[-1].sequence, self.resume_point, time)

    def _new(self, step: tables_pb2.Step) -> tuple[tables_pb2.TableEvent, ...]:
        known = self.sequence
        events = [event for event in step.events if known is None or event.sequence > known]
        expected = known + 1 if known is not None else events[0].sequence if events else 0
        if [event.sequence for event in events] != list(range(expected, expected + len(events))):
            self.resume_point = ""
            raise Gap(f"events do not follow on {known}")
        return tuple(events)

    def _alive(self, response: tables_pb2.WatchTableResponse) -> Alive:
        if self.sequence is not None and response.sequence != self.sequence:
            raise Gap(f"the table is at {response.sequence}, told was {self.sequence}")
        self.resume_point = response.resume_point or self.resume_point
        seats = frozenset(response.heartbeat.connected_seats)
        return Alive(seats, response.sequence, self.resume_point, response.server_time.ToDatetime(UTC))

    def _moved_to(self, sequence: int, response: tables_pb2.WatchTableResponse) -> None:
        self.sequence = sequence
        self.resume_point = response.resume_point or self.resume_point
