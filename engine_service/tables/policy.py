"""How long tables live and bots think: the operator's choices that table decisions depend on."""

import msgspec


class Policy(msgspec.Struct, frozen=True):
    """All in seconds, but for the thinking times of bots."""

    open_seconds: int = 3600
    """A table nobody touches while it waits for players is closed after this."""
    abandoned_seconds: int = 86_400
    """A running game without a clock that no player touches is ended without a result after this."""
    finished_seconds: int = 600
    """How long a rematch may be asked for."""
    linger_seconds: int = 30
    """How long a closed table can still be looked at before its keys go."""
    void_seconds: int = 86_400
    """A game whose scores do not come is ended without a result after this."""
    delayed_seconds: int = 5
    """Scores that take longer than this are reported as delayed."""
    away_after: int = 2
    """Questions in a row that run out of time before the engine plays for a seat at once."""
    bot_min_ms: int = 600
    bot_max_ms: int = 1800
    record_days: int = 30
    tables_per_player: int = 50
