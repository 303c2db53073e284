"""Reading ratings: how one player stands, and the list of the best, a page at a time."""

import math
from dataclasses import dataclass

import msgspec

from service_runtime.rating_keys import rank_key
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import load_script

from .rating_model import Rating
from .ratings import as_rating

_PAGE = load_script(__package__, "scripts/leaderboard_page.lua")
_STANDING = load_script(__package__, "scripts/standing.lua")


class Position(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page ended: the last row's place in the list from 0, what it was sorted by, and its player."""

    game: str
    place: int
    rating: float
    player_id: str


@dataclass(frozen=True)
class Row:
    """A row of a leaderboard; equal ratings share the rank."""

    rank: int
    player_id: str
    name: str
    rating: float
    games: int
    wins: int


@dataclass(frozen=True)
class Page:
    """Rows, best first; `end` is None after the last of all."""

    rows: tuple[Row, ...]
    end: Position | None


@dataclass(frozen=True)
class Standing:
    """A player in one game."""

    name: str
    rating: Rating
    games: int
    wins: int
    rank: int


async def page(connection: RedisConnection, game: str, size: int, after: Position | None) -> Page:
    """Return at most `size` rows after a position, in one moment. Raises StoreUnavailable."""
    keys = [rank_key(game, part) for part in ("leaderboard", "names", "games", "wins")]
    where = [str(after.place + 1), repr(after.rating), after.player_id] if after else ["-1", "0", ""]
    first, rank, total, *cells = await connection.script(_PAGE, keys, [size, *where])
    rows: list[Row] = []
    for index in range(0, len(cells), 5):
        player, shown, name, games, wins = cells[index : index + 5]
        if rows and rows[-1].rating != float(shown):
            rank = first + len(rows) + 1
        rows.append(Row(rank, player.decode(), name.decode(), float(shown), int(games), int(wins)))
    more = bool(rows) and first + len(rows) < total
    end = Position(game, first + len(rows) - 1, rows[-1].rating, rows[-1].player_id) if more else None
    return Page(tuple(rows), end)


async def standing(connection: RedisConnection, game: str, player_id: str) -> Standing | None:
    """Return how a player stands; None without rated games. Raises StoreUnavailable."""
    keys = [rank_key(game, part) for part in ("ratings", "leaderboard", "names", "games", "wins")]
    found = await connection.script(_STANDING, keys, [player_id])
    if not found:
        return None
    rating, name, games, wins, rank = found
    return Standing(name.decode(), as_rating(rating), int(games), int(wins), rank)


def to_token(position: Position) -> str:
    """Return a position as an opaque text of letters, digits, - and _."""
    return msgspec.msgpack.encode(position).hex()


def from_token(token: str, game: str) -> Position:
    """Return the position of a token. Raises ValueError for anything that `to_token` did not give for this game."""
    position = msgspec.msgpack.decode(bytes.fromhex(token), type=Position)
    if position.game != game or position.place < 0 or not math.isfinite(position.rating):
        raise ValueError("not a position on this leaderboard")
    return position
