"""The engine's settings: what every service has, and how long tables live and bots think."""

from pydantic import Field, model_validator

from engine_service.tables.policy import Policy
from service_runtime.settings import Address, RuntimeSettings


class EngineSettings(RuntimeSettings):
    """Environment variables CHEESEBOARD_…, see README.md. Durations are whole seconds."""

    engine_listen: Address = "127.0.0.1:50051"
    open_seconds: int = Field(default=3600, ge=1)
    abandoned_seconds: int = Field(default=86_400, ge=1)
    finished_seconds: int = Field(default=600, ge=1)
    linger_seconds: int = Field(default=30, ge=0)
    void_seconds: int = Field(default=86_400, ge=1)
    delayed_seconds: int = Field(default=5, ge=0)
    away_after: int = Field(default=2, ge=1)
    bot_min_ms: int = Field(default=600, ge=0)
    bot_max_ms: int = Field(default=1800, ge=0)
    record_days: int = Field(default=30, ge=1)
    tables_per_player: int = Field(default=50, ge=1)
    moves_per_second: float = Field(default=50.0, gt=0)
    """Moves by one player, lasting; twice as many for a moment."""
    match_keys: str = Field(default="region,platform,season", pattern=r"^[a-z0-9_]*(,[a-z0-9_]+)*$")
    """Names of what tickets may ask to agree in, beside the game."""

    @model_validator(mode="after")
    def _thinking_times_in_order(self) -> "EngineSettings":
        if self.bot_max_ms < self.bot_min_ms:
            raise ValueError("CHEESEBOARD_BOT_MAX_MS must not be below CHEESEBOARD_BOT_MIN_MS")
        return self

    def policy(self) -> Policy:
        """Return what table decisions depend on."""
        return Policy(**{name: getattr(self, name) for name in Policy.__struct_fields__})
