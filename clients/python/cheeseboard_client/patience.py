"""How long to try, and how long to wait between tries."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """All in seconds."""

    total: float = 20.0
    """For one call with all its tries; after it, `Unreachable` or the last refusal is raised."""
    attempt: float = 6.0
    """For one try."""
    first_pause: float = 0.1
    longest_pause: float = 4.0
    silence: float = 40.0
    """A stream without any frame for this long is taken for lost; the engine sends a sign of life every 15 seconds."""

    def pause(self, attempt: int) -> float:
        """Return the seconds to wait after try number `attempt` (from 0): doubled each time, capped, with jitter."""
        full = min(self.longest_pause, self.first_pause * 2.0 ** min(attempt, 16))
        return full * random.uniform(0.5, 1.0)
