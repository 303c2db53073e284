"""Where ratings lie: the scoring service writes them, the engine reads them to bring players of like strength together.

`{rank:<game>}:ratings` is a hash, player → "mu sigma". A player who is not in it has the rating of a newcomer.
"""

from collections.abc import Sequence

from .redis_wire import Command

NEWCOMER_MU = 25.0
"""What openskill begins with."""


def rank_key(game: str, part: str) -> str:
    """Return one of the keys of a game's ratings; all lie in one slot."""
    return f"{{rank:{game}}}:{part}"


def asking_ratings(game: str, players: Sequence[str]) -> Command:
    """Return the command that reads the ratings of players."""
    return ("HMGET", rank_key(game, "ratings"), *players)


def strengths_in(reply: Sequence[bytes | None]) -> list[float]:
    """Return the estimate of each player's strength (mu) from the reply."""
    return [float(text.split()[0]) if text else NEWCOMER_MU for text in reply]
