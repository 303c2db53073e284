"""What the scoring service counts, beside what every service does."""

from prometheus_client import Counter, Gauge

from service_runtime.metrics import REGISTRY

ROUNDS_SCORED = Counter("cheeseboard_rounds_scored", "Rounds put onto a scoreboard.", ["game"], registry=REGISTRY)
GAMES_RATED = Counter(
    "cheeseboard_games_rated",
    "Games that came to be rated (rated, already, late).",
    ["game", "outcome"],
    registry=REGISTRY,
)
ROUNDS_WAITING = Gauge("cheeseboard_rounds_waiting", "Rounds not scored yet.", registry=REGISTRY)
ROUNDS_LAG_SECONDS = Gauge("cheeseboard_rounds_lag_seconds", "Age of the oldest of them.", registry=REGISTRY)
ROUNDS_PARKED = Gauge("cheeseboard_rounds_parked", "Rounds given up until an operator replays them.", registry=REGISTRY)
