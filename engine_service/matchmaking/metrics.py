"""What operators see of matchmaking. Lines are shown by name: game, seats, a digest of options and keys."""

from prometheus_client import Counter, Gauge, Histogram

from engine_service.store.match_store import WaitingLine
from service_runtime.metrics import REGISTRY

MOST_LINES = 50
"""Lines shown; what waits in others is not."""

WAITING = Gauge("cheeseboard_match_waiting", "Tickets in line; every replica shows all.", ["line"], registry=REGISTRY)
OLDEST = Gauge(
    "cheeseboard_match_oldest_seconds", "What the first in line has waited; every replica shows all.", ["line"],
    registry=REGISTRY,
)  # fmt: skip
TICKETS = Counter("cheeseboard_match_tickets", "Tickets made, and what became of them.", ["outcome"], registry=REGISTRY)
MADE, MATCHED, CANCELLED, EXPIRED, GIVEN_BACK = map(
    TICKETS.labels, ("made", "matched", "cancelled", "expired", "given back")
)
SECONDS = Histogram(
    "cheeseboard_match_seconds", "From the first moment in line to the table, by ticket.", ["game"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20, 30, 45, 60, 120, 300), registry=REGISTRY,
)  # fmt: skip
SPREAD = Histogram(
    "cheeseboard_match_spread", "How far the ratings of a match lie apart (mu).", ["game"],
    buckets=(0.5, 1, 2, 4, 8, 16, 32), registry=REGISTRY,
)  # fmt: skip
BOTS = Counter("cheeseboard_match_bots", "Seats that bots took in matches.", ["game"], registry=REGISTRY)


def show(lines: list[WaitingLine]) -> None:
    """Show the lines in which somebody waits, and no others."""
    WAITING.clear()
    OLDEST.clear()
    for line in lines:
        WAITING.labels(line.line).set(line.tickets)
        OLDEST.labels(line.line).set(line.oldest_ms / 1000)
