"""How a run went, moment by moment."""

from collections import Counter
from dataclasses import dataclass

from cheeseboard_loadtest.tally import Kind, State, Tally
from cheeseboard_loadtest.usage import Load

STATES: tuple[State, ...] = ("waiting", "playing", "away")


@dataclass(frozen=True)
class Row:
    """One moment: states as they were, counts since the moment before, latencies in seconds of those since then."""

    at: float
    """Seconds from the beginning."""
    states: dict[State, int]
    arrived: int
    moves: int
    errors: dict[str, int]
    """By kind and reason."""
    latencies: dict[str, tuple[float | None, float | None]]
    """Median and 99th percentile by kind."""
    loads: dict[str, Load]
    """By process."""


class Timeline:
    """The rows so far."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._arrived = self._moves = 0
        self._errors: Counter[tuple[Kind, str]] = Counter()
        self.rows: list[Row] = []

    def add(self, at: float, loads: dict[str, Load]) -> None:
        """Write down a moment."""
        tally = self._tally
        arrived, moves = tally.counts["arrived"], tally.counts["moves"]
        errors = tally.errors - self._errors
        self.rows.append(
            Row(
                at,
                {state: tally.states[state] for state in STATES},
                arrived - self._arrived,
                moves - self._moves,
                {f"{kind} {reason}": count for (kind, reason), count in errors.items()},
                {name: latency.lately() for name, latency in tally.latencies.items()},
                loads,
            )
        )
        self._arrived, self._moves, self._errors = arrived, moves, tally.errors.copy()
