"""What waiting changes: how far ratings may lie apart, when a smaller table will do, when to look again.

The schedule is the same for everyone and stands in engine_service/matchmaking/README.md with what it leads to.
"""

import math
from bisect import bisect_right

WINDOWS: tuple[tuple[float, float], ...] = ((0, 2.0), (5, 4.0), (10, 8.0), (20, 16.0), (30, math.inf))
"""From so many seconds of waiting on, ratings may differ by so much (points of mu)."""
FEWER_AFTER_SECONDS = 15.0
"""From then on a table with fewer seats than the most will do."""
NET_SECONDS = 30.0
"""Once nothing changes any more, a ticket is looked at again after so long, whatever happens."""

_STEPS = tuple(seconds * 1000 for seconds, _ in WINDOWS)


def window(waited_ms: float) -> float:
    """Return how far ratings may lie from the rating of who has waited for so long."""
    return WINDOWS[max(0, bisect_right(_STEPS, waited_ms) - 1)][1]


def takes_fewer(waited_ms: float) -> bool:
    """Tell whether who has waited for so long takes a table with fewer seats than the most."""
    return waited_ms >= FEWER_AFTER_SECONDS * 1000


def next_look_ms(waited_ms: float, bots_after_ms: int | None) -> float:
    """Return how long a ticket will have waited when its chances change the next time."""
    steps = [*_STEPS, FEWER_AFTER_SECONDS * 1000, *([] if bots_after_ms is None else [bots_after_ms])]
    return min((step for step in steps if step > waited_ms), default=waited_ms + NET_SECONDS * 1000)
