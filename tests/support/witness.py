"""Who watches a table and holds the product to its word: nothing is skipped, and nothing shown goes without a word."""

from collections.abc import Iterable
from contextlib import aclosing

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, Snapshot, Step


class Witness:
    """What one watcher was told of a table."""

    def __init__(self, person: Cheeseboard, table_id: str) -> None:
        self._person = person
        self._table_id = table_id
        self.shown: dict[int, tables_pb2.TableEvent] = {}
        """The events it was told and not told to drop."""
        self.snapshots = 0
        self.resets = 0
        self.sequence = 0

    async def watch(self) -> "Witness":
        """Follow the table to the end of its game."""
        async with aclosing(self._person.watch(self._table_id, include_view=True)) as frames:
            async for frame in frames:
                if isinstance(frame, Snapshot | Step) and self._over(frame):
                    return self
        raise AssertionError("a watch does not end by itself")

    def _over(self, frame: Snapshot | Step) -> bool:
        if isinstance(frame, Snapshot):
            self.snapshots += 1
            self.resets += frame.reset
            if frame.reset:
                self.shown.clear()
        else:
            numbers = [event.sequence for event in frame.events]
            assert numbers == list(range(self.sequence + 1, self.sequence + 1 + len(numbers))), "a gap, and no snapshot"
            self.shown |= {event.sequence: event for event in frame.events}
        self.sequence = frame.sequence
        assert frame.view is not None
        return frame.view.status == tables_pb2.TABLE_STATUS_FINISHED

    def assert_true(self, record: Iterable[tables_pb2.TableEvent]) -> None:
        """Hold what it was shown against what became of the game."""
        became = {event.sequence: event for event in record}
        for sequence, event in self.shown.items():
            if sequence >= min(became):
                assert event == became[sequence], f"event {sequence} was shown, and is another one now"
