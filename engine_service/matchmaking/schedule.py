"""What waiting changes: how far ratings may lie apart, when a smaller table will do, when to look again.

The schedule is the same for everyone and stands in engine_service/matchmaking/README.md with what it leads to.
"""

import math
from bisect import bisect_right

WINDOWS: tuple[tuple[float, float], ...] = ((0, 2.0), (5, 4.0), (10, 8.0), (20, 16.0), (30, math.inf))
"""From so many seconds of waiting on, ratings may differ by so much (points of mu)."""
FEWER_AFTER_SECONDS = 15.0
"""From then on a table with fewer seats than the most will do."""

_OPENED_MS = tuple(seconds * 1000 for seconds, _ in WINDOWS)
STEPS_MS = tuple(sorted({*(int(opened) for opened in _OPENED_MS), int(FEWER_AFTER_SECONDS * 1000)}))
"""What a ticket will have waited when its chances change, but for bots."""
NET_MS = 30_000
"""Once nothing changes any more, it is looked at again after so long, whatever happens."""


def window(waited_ms: float) -> float:
    """Return how far ratings may lie from the rating of who has waited for so long."""
    return WINDOWS[max(0, bisect_right(_OPENED_MS, waited_ms) - 1)][1]


def takes_fewer(waited_ms: float) -> bool:
    """Tell whether who has waited for so long takes a table with fewer seats than the most."""
    return waited_ms >= FEWER_AFTER_SECONDS * 1000
