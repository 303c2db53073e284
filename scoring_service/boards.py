"""Scoreboards as Redis holds them: a hash a game, in the partition of its table.

Fields: `rounds` (how many are scored), `round:<n>` (RoundScore), `seat:<n>` (ScoredSeat), `game`, `places` ("1,1,3";
empty before the end), `rated`, `public`, `finished` ("1" or "0").
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cheeseboard.scoring.v1 import scoring_pb2
from service_runtime.partitions import partition_of, tag
from service_runtime.redis_connection import RedisConnection


def board_key(partition: int, table_id: str, game_number: int) -> str:
    """Return the key of the board of one game."""
    return f"{tag(partition)}:board:{table_id}:{game_number}"


def latest_key(partition: int, table_id: str) -> str:
    """Return the key that holds the number of the table's latest game with a board."""
    return f"{tag(partition)}:board:{table_id}:latest"


@dataclass(frozen=True)
class Board:
    """The scoreboard of one game; without rounds it is not there yet."""

    seats: tuple[scoring_pb2.ScoredSeat, ...] = ()
    rounds: tuple[scoring_pb2.RoundScore, ...] = ()
    game: str = ""
    places: tuple[int, ...] = ()
    rated: bool = False
    public: bool = False

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the game so far, by seat."""
        return tuple(self.rounds[-1].totals) if self.rounds else (0,) * len(self.seats)

    @staticmethod
    def read(fields: Mapping[bytes, bytes]) -> "Board":
        """Return the board that these fields of a hash are; no fields are an empty board."""
        seats = sum(name.startswith(b"seat:") for name in fields)
        rounds = int(fields.get(b"rounds", b"0"))
        return Board(
            seats=tuple(scoring_pb2.ScoredSeat.FromString(fields[b"seat:%d" % n]) for n in range(seats)),
            rounds=tuple(scoring_pb2.RoundScore.FromString(fields[b"round:%d" % n]) for n in range(1, rounds + 1)),
            game=fields.get(b"game", b"").decode(),
            places=tuple(int(place) for place in fields.get(b"places", b"").split(b",") if place),
            rated=fields.get(b"rated") == b"1",
            public=fields.get(b"public") == b"1",
        )


class Boards:
    """The boards in Redis. Every method raises StoreUnavailable."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def load(self, key: str) -> Board:
        """Return the board of a key, as it is in this moment."""
        reply = iter(await self._connection.command("HGETALL", key, repeatable=True))
        return Board.read(dict(zip(reply, reply, strict=True)))

    async def find(self, table_id: str, game_number: int) -> tuple[int, Board]:
        """Return the number of a game and its board; game 0 is the table's latest one.

        Where there is none the board is empty. Raises ValueError for what cannot be the id of a table.
        """
        partition = partition_of(table_id)
        if not game_number:
            latest = await self._connection.command("GET", latest_key(partition, table_id), repeatable=True)
            game_number = int(latest or 0)
        return game_number, await self.load(board_key(partition, table_id, game_number))
