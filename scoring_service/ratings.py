"""Ratings of players, one set of keys a game, all under `{rank:<game>}`; a game changes them once.

`:ratings` player → "mu sigma", `:leaderboard` players by mu - 3 sigma, `:names`, `:games`, `:wins` player → …,
`:applied` games by when they were applied.
"""

from dataclasses import dataclass

from service_runtime.logs import logger
from service_runtime.rating_keys import rank_key
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import load_script
from service_runtime.redis_wire import Argument

from . import metrics
from .rating_model import Rating, rate

log = logger("ratings")

_RATE = load_script(__package__, "scripts/rate_game.lua")


@dataclass(frozen=True)
class RatedGame:
    """A finished game that counts."""

    game: str
    id: str
    players: tuple[tuple[str, str], ...]
    """By seat: id and the name shown."""
    places: tuple[int, ...]
    ended_at_ms: int


def as_text(rating: Rating) -> str:
    """Return a rating as the ratings hash holds it; reading it gives the same floats."""
    return f"{rating.mu!r} {rating.sigma!r}"


def as_rating(text: bytes | None) -> Rating:
    """Return the rating of a field of the ratings hash; a player without one has the prior."""
    if not text:
        return Rating()
    mu, sigma = text.split()
    return Rating(float(mu), float(sigma))


@dataclass(frozen=True)
class Ratings:
    """The ratings in Redis."""

    connection: RedisConnection
    late_after_ms: int
    """A game that ended longer ago was voided by the engine meanwhile, and is not rated."""

    async def apply(self, played: RatedGame) -> bool:
        """Rate a game; return whether it is rated, now or before. Raises StoreUnavailable."""
        outcome = "changed"
        while outcome == "changed":
            outcome = await self._apply_once(played)
        metrics.GAMES_RATED.labels(played.game, outcome).inc()
        if outcome == "late":
            log.warning("game ended too long ago to be rated", rated_game=played.id)
        return outcome != "late"

    async def _apply_once(self, played: RatedGame) -> str:
        """Compute from the ratings as they are; the script refuses when another game changed one meanwhile."""
        ids = [player for player, _ in played.players]
        found = await self.connection.command("HMGET", rank_key(played.game, "ratings"), *ids, repeatable=True)
        after = rate([as_rating(text) for text in found], played.places)
        keys = [rank_key(played.game, part) for part in ("ratings", "leaderboard", "names", "games", "wins", "applied")]
        # Remembered for longer than it may come again: later it is refused as late.
        args: list[Argument] = [played.id, played.ended_at_ms, self.late_after_ms, 2 * self.late_after_ms]
        for (player, name), before, rating, place in zip(played.players, found, after, played.places, strict=True):
            args += [player, name, before or b"", as_text(rating), repr(rating.shown), int(place == 1)]
        reply: bytes = await self.connection.script(_RATE, keys, args)
        return reply.decode()
