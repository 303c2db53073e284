"""The table of figures: a row a scenario, and what was broken."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.bench.measure import percentile
from tests.faults.checker import KINDS
from tests.faults.games import Tally

HEADS = ("kills", "games", "moves", "cancelled", *KINDS, "resets", "failed", "by engine", "errors")
WAITS = ("median", "p99", "worst", "late")


@dataclass
class Row:
    """A scenario under load: what was done to the product, and what came of it."""

    scenario: str
    kills: int
    tally: Tally
    errors: list[str] = field(default_factory=list)
    """Lines that services logged as errors."""
    late: float = 0.0
    """By how many seconds the people's own process came late at worst: nobody could have moved meanwhile."""

    @property
    def cells(self) -> list[int]:
        """The figures, in the order of HEADS."""
        account = self.tally.account
        done = [self.kills, self.tally.games, account.moves, account.cancelled]
        broken = [self.tally.count(kind) for kind in KINDS]
        return [*done, *broken, self.tally.resets, account.failed, self.tally.by_engine, len(self.errors)]

    @property
    def waits(self) -> list[float]:
        """How long callers waited, and how late they were themselves, in seconds, in the order of WAITS."""
        waits = self.tally.account.waits or [0.0]
        return [percentile(waits, 0.5), percentile(waits, 0.99), max(waits), self.late]

    @property
    def broken(self) -> list[str]:
        """What must not be, in words; nothing of it may be there."""
        wrong = [f"{fault.kind}: {fault.what}" for fault in self.tally.faults]
        wrong += [f"a move was given up: {trouble}" for trouble in self.tally.account.troubles]
        wrong += [f"logged: {line}" for line in self.errors]
        if self.tally.by_engine:
            acted = f"the engine acted {self.tally.by_engine} times for somebody who plays"
            wrong.append(f"{acted}; people were late by {self.late:.1f} s at worst, and waited {self.waits[2]:.1f} s")
        if not self.tally.games:
            wrong.append("not a game was played")
        return wrong


WIDE = 24


def print_rows(rows: Sequence[Row], heads: bool = True) -> None:
    """Print the table of scenarios; waits are in seconds."""
    if heads:
        print(" " * WIDE, *(f"{head:>9}" for head in (*HEADS, *WAITS)))
    for row in rows:
        print(row.scenario.ljust(WIDE), *(f"{n:>9,}" for n in row.cells), *(f"{s:>9.3f}" for s in row.waits))
