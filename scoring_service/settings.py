"""Settings of the scoring service, beside those that every service has."""

from pydantic import Field

from service_runtime.settings import Address, RuntimeSettings


class ScoringSettings(RuntimeSettings):
    """`CHEESEBOARD_…`, as every service's."""

    scoring_listen: Address = "127.0.0.1:50052"
    record_days: int = Field(default=30, ge=1)
    """For how long scoreboards are kept after their latest round."""
    void_seconds: int = Field(default=24 * 3600, ge=1)
    """How long a table waits for scores before its game is void. The engine reads the same variable and does it; here
    it keeps such games from being rated, so both services must be told the same."""
