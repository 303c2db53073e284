"""What has happened in a run so far: counts, latencies, errors, tables."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from cheeseboard_client import CheeseboardError, Match, Refused, Unreachable
from cheeseboard_loadtest.latency import Latency

State = Literal["waiting", "playing", "away"]
Kind = Literal["provoked", "overtaken", "interrupted", "unexpected"]
"""Why something was refused or lost: on purpose; others, or the clock, came first; a connection was lost and mended;
none of these."""

LATENCIES = {
    "match wait": "from a player's arrival to its cards in hand",
    "seating": "from the arrival of the last player of a full table to each one's cards in hand",
    "move": "from the moment a move was due to its answer",
    "return": "from the moment a player was due back to the first sight of the table",
    "lag": "by how much the tester itself was late with what was due",
}


@dataclass
class Table:
    """A table that was found by matchmaking."""

    game: str
    full: bool
    """Whether it has as many seats as were wanted at most, and no bots."""
    began_at: float
    arrived: list[float] = field(default_factory=list)
    seated: list[float] = field(default_factory=list)
    finished_at: float | None = None
    voided: bool = False

    def seatings(self) -> list[float]:
        """Return each player's seconds from the last one's arrival; none for a table that waited on purpose."""
        return [at - max(self.arrived) for at in self.seated] if self.full else []


class Tally:
    """Filled by players, read by the progress view and the report."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """arrived, seated, gave_up, finished: players; moves; left, came_back: times."""
        self.states: Counter[State] = Counter()
        self.errors: Counter[tuple[Kind, str]] = Counter()
        self.tables: dict[str, Table] = {}
        self.latencies: defaultdict[str, Latency] = defaultdict(Latency)

    @contextmanager
    def being(self, state: State) -> Iterator[None]:
        """Count a player in a state as long as the block runs."""
        self.states[state] += 1
        try:
            yield
        finally:
            self.states[state] -= 1

    def error(self, kind: Kind, reason: str) -> None:
        """Count something that was refused or lost."""
        self.errors[kind, reason] += 1

    def seat(self, match: Match, wanted_seats: int, arrived: float, now: float) -> Table:
        """Note that a player was seated; return its table."""
        self.counts["seated"] += 1
        self.latencies["match wait"].add(now - arrived)
        view = match.snapshot.view
        full = not match.ticket.bots and len(view.seats) == wanted_seats
        game = str(view.options.game.WhichOneof("game"))
        table = self.tables.setdefault(match.table_id, Table(game, full, now))
        table.arrived.append(arrived)
        table.seated.append(now)
        return table

    def finish(self, table: Table, now: float) -> None:
        """Note that a player saw the end of its game."""
        self.counts["finished"] += 1
        table.finished_at = table.finished_at or now

    def errors_of(self, kind: Kind) -> int:
        """How many errors of a kind there were."""
        return sum(count for (of, _), count in self.errors.items() if of == kind)


def reason_of(error: CheeseboardError) -> str:
    """Return the short name under which an error is counted."""
    if isinstance(error, Refused):
        return error.reason or error.code.name
    return f"UNREACHABLE ({error.code.name})" if isinstance(error, Unreachable) else type(error).__name__
