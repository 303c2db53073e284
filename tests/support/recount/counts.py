"""From tricks and captures to points, totals and places."""

from collections.abc import Sequence
from dataclasses import dataclass

WORTH = {0: 2, 1: 1, 2: 0, 3: 3}
"""Points a trick, by the number of cats that caught the seat."""


@dataclass(frozen=True)
class RoundCount:
    """One round, counted: by seat, and for `caught` by cat in the order they lay."""

    tricks: tuple[int, ...]
    caught: tuple[frozenset[int], ...]
    points: tuple[int, ...]

    def cats(self, seat: int) -> int:
        """How many cats caught the seat."""
        return sum(seat in seats for seats in self.caught)


@dataclass(frozen=True)
class Recount:
    """What the scoreboard of the game must say."""

    rounds: tuple[RoundCount, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]


def totals_of(rounds: Sequence[RoundCount]) -> tuple[int, ...]:
    """Points of the game so far, by seat; at least one round must have been played."""
    return tuple(sum(points) for points in zip(*(played.points for played in rounds), strict=True))


def chooser(totals: Sequence[int], starter: int) -> int:
    """Who names trump after round 1: fewest points; of those who tie, the farthest clockwise from the starter."""
    tied = [seat for seat, total in enumerate(totals) if total == min(totals)]
    return max(tied, key=lambda seat: (seat - starter) % len(totals))


def places_of(rounds: Sequence[RoundCount]) -> tuple[int, ...]:
    """Most points, then the best single round; who still ties shares the place, and the next ones stay empty."""
    by_seat = list(zip(*(played.points for played in rounds), strict=True))
    merit = [(sum(points), max(points)) for points in by_seat]
    order = sorted(merit, reverse=True)
    return tuple(order.index(mine) + 1 for mine in merit)
