"""How fast and how much: token buckets by caller and method, and open streams by caller. Memory is bounded."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .errors import Refused

MOST_BUCKETS = 100_000


@dataclass(frozen=True)
class Rate:
    """Lasting calls a second, and how many at once after a rest."""

    per_second: float
    burst: float


class Buckets:
    """A bucket for each key, the least recently used forgotten first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._most = most
        self._levels: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, who: str, method: str, rate: Rate) -> None:
        """Count a call. Raises Refused (RATE_LIMITED, with the time after which one call will pass)."""
        now, key = self._clock(), (who, method)
        level, at = self._levels.pop(key, (rate.burst, now))
        level = min(rate.burst, level + (now - at) * rate.per_second)
        allowed = level >= 1
        self._levels[key] = (level - 1 if allowed else level, now)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)
        if not allowed:
            raise Refused("RATE_LIMITED", "too many calls", retry_seconds=(1 - level) / rate.per_second)

    def __len__(self) -> int:
        return len(self._levels)


class OpenStreams:
    """Streams open now, by who opened them."""

    def __init__(self, most_each: int) -> None:
        self._most_each = most_each
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, who: str) -> Iterator[None]:
        """Hold a place while the stream is open. Raises Refused (TOO_MANY)."""
        if self._open[who] >= self._most_each:
            raise Refused("TOO_MANY", "too many streams at once", facts={"most": self._most_each})
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
