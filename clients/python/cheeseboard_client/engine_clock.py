"""The engine's time on this machine, for countdowns: deadlines are the engine's, clocks differ."""

import time
from collections import deque
from datetime import UTC, datetime


class EngineClock:
    """Learns from the server times of frames how far the engine's clock is ahead."""

    def __init__(self) -> None:
        self._ahead: deque[float] = deque(maxlen=32)

    def observe(self, server_time: datetime) -> None:
        """Take in a server time (UTC) at the moment it arrives."""
        self._ahead.append(_epoch(server_time) - time.time())

    def now(self) -> float:
        """Return the engine's time in seconds since the epoch; this machine's before the first observation."""
        # A frame can only be late, so the largest difference is the one nearest to the truth.
        return time.time() + max(self._ahead, default=0.0)

    def seconds_until(self, deadline: datetime) -> float:
        """Return the seconds left until a deadline (UTC) of the engine; negative when it is over."""
        return _epoch(deadline) - self.now()


def _epoch(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
