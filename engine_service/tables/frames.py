"""What streams carry: the table as a whole, a step of it, a sign of life."""

from functools import cached_property
from typing import Any

from cheeseboard.engine.v1 import tables_pb2 as pb
from engine_service.tables.codec import Entry
from engine_service.tables.policy import Policy
from engine_service.tables.stored import Stored
from engine_service.tables.views import Told, Views, prompt, step_out, table_view, timestamp, told
from engine_service.tables.watcher import Frame, Watcher


def snapshot(stored: Stored, watcher: Watcher, policy: Policy, reset: bool) -> Frame:
    """Return the table as a watcher may see it; `reset` says that something it was shown is gone."""
    view = table_view(stored, watcher.viewer, policy)
    return _frame(stored, snapshot=pb.Snapshot(view=view, reset=reset))


def heartbeat(stored: Stored, policy: Policy) -> Frame:
    """Return the sign that nothing happened."""
    delayed = prompt(stored, None, policy).scoring_delayed
    beat = pb.Heartbeat(connected_seats=sorted(stored.connected), scoring_delayed=delayed)
    return _frame(stored, heartbeat=beat)


class Steps:
    """The frames of what happened, each made once for all who are told the same, and the view in them but for each
    seat's own."""

    def __init__(self, stored: Stored, entries: tuple[Entry, ...], policy: Policy) -> None:
        self._stored = stored
        self._entries = entries
        self._policy = policy
        self._by_likeness: dict[tuple[int | None, bool, int], Frame] = {}
        self._by_content: list[tuple[Told, Frame]] = []

    @cached_property
    def _views(self) -> Views:
        return Views(self._stored)

    def frame(self, watcher: Watcher) -> Frame:
        """Return a watcher's."""
        likeness = (watcher.viewer, watcher.include_view, watcher.sequence)
        frame = self._by_likeness.get(likeness)
        if frame is None:
            self._by_likeness[likeness] = frame = self._made(watcher)
        return frame

    def _made(self, watcher: Watcher) -> Frame:
        bare = self._bare(told(self._stored, self._entries, watcher.viewer, after=watcher.sequence))
        if not watcher.include_view:
            return bare
        frame = Frame()
        frame.CopyFrom(bare)
        self._views.show(watcher.viewer, frame.step.prompt, to=frame.step.view)
        return frame

    def _bare(self, content: Told) -> Frame:
        for other, frame in self._by_content:
            if other == content:
                return frame
        frame = _frame(self._stored)
        frame.step.CopyFrom(step_out(self._stored, content, self._policy))
        self._by_content.append((content, frame))
        return frame


def _frame(stored: Stored, **content: Any) -> Frame:
    head = stored.head
    at = timestamp(stored.server_ms)
    return Frame(resume_point=head.resume_point, sequence=head.sequence, server_time=at, **content)
