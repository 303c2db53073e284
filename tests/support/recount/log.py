"""The events of a recorded game, taken one after the other; what is wrong with one is said with its number."""

from collections.abc import Iterable, Iterator
from typing import Any

from cheeseboard.engine.v1 import tables_pb2 as tables


class Log:
    """The game's events in order; what concerns only the table (who is away, who wants a rematch) is passed over."""

    def __init__(self, events: Iterable[tables.TableEvent], game: str = "cheez_tricks") -> None:
        self._all = list(events)
        assert self._all, "the record is empty"
        for number, event in enumerate(self._all, self._all[0].sequence):
            assert event.sequence == number, f"event {event.sequence} stands where {number} is due"
            assert event.WhichOneof("event") != "game_voided", f"event {event.sequence}: the game was voided"
        self._game = [event for event in self._all if event.WhichOneof("event") == game]
        self._name = game
        self._next = 0

    def peek(self) -> str:
        """The kind of the next event; "" after the last."""
        if self._next == len(self._game):
            return ""
        return str(self._of(self._next).WhichOneof("event") or "nothing")

    def take(self, kind: str) -> Any:
        """Return the next event, which must be of this kind."""
        assert self.peek() == kind, f"{self._where(self._next)}: {kind} is due, {self.peek() or 'the end'} came"
        self._next += 1
        return getattr(self._of(self._next - 1), kind)

    def check(self, holds: bool, otherwise: str) -> None:
        """Blame the event taken last unless something holds."""
        assert holds, f"{self._where(self._next - 1)}: {otherwise}"

    def finish(self) -> None:
        """Nothing of the game may come after its end."""
        assert not self.peek(), f"{self._where(self._next)}: {self.peek()} after the end of the game"

    def deals(self) -> Iterator[Any]:
        """Every revealed deal, wherever it stands."""
        for index in range(len(self._game)):
            if self._of(index).WhichOneof("event") == "deal_revealed":
                yield self._of(index).deal_revealed

    def _of(self, index: int) -> Any:
        return getattr(self._game[index], self._name)

    def _where(self, index: int) -> str:
        return f"event {self._game[index].sequence}" if index < len(self._game) else "after the last event"
