"""Where ratings lie: the scoring service writes them, the engine reads them to bring players of like strength together.

`{rank:<game>}:ratings` is a hash, player → "mu sigma". A player who is not in it has the rating of a newcomer.
"""

from collections.abc import Sequence

from .redis_connection import RedisConnection

NEWCOMER_MU = 25.0
"""What openskill begins with."""


def rank_key(game: str, part: str) -> str:
    """Return one of the keys of a game's ratings; all lie in one slot."""
    return f"{{rank:{game}}}:{part}"


async def strengths(connection: RedisConnection, games: Sequence[str], players: Sequence[str]) -> list[list[float]]:
    """Return the estimate of each player's strength (mu), by game and player. Raises StoreUnavailable."""
    commands = [("HMGET", rank_key(game, "ratings"), *players) for game in games]
    replies = await connection.pipeline(commands, repeatable=True)
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return [[_mu(text) for text in reply] for reply in replies]


def _mu(text: bytes | None) -> float:
    return float(text.split()[0]) if text else NEWCOMER_MU
