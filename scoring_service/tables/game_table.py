"""The contract between a game's scoring table and the service that asks it.

A table is pure: the facts of a round become points, the rounds of a game become places. Points exist nowhere else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeVar

from cheeseboard.scoring.v1 import scoring_pb2

Facts = TypeVar("Facts")


class FactsMalformed(Exception):
    """The facts cannot be those of a round. `field` is the path inside the game's facts, `why` a sentence."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field
        self.why = why


def refuse(field: str, why: str) -> NoReturn:
    """Raise FactsMalformed, for conditions that read better without a `raise`."""
    raise FactsMalformed(field, why)


@dataclass(frozen=True)
class Scored:
    """The points of one round, by seat, and how they came to be."""

    points: tuple[int, ...]
    detail: scoring_pb2.ScoreDetail


@dataclass(frozen=True)
class PlayedRound(Generic[Facts]):
    """A round that was scored: what happened and what it was worth, by seat."""

    facts: Facts
    points: tuple[int, ...]


@dataclass(frozen=True)
class GameTable(Generic[Facts]):
    """How one game is scored."""

    name: str
    """As in the oneof cases of the protos."""
    seats: Callable[[Facts], int]
    """How many seats the facts speak of."""
    score: Callable[[Facts], Scored]
    """The facts of a round → its points, or raises FactsMalformed."""
    rank: Callable[[Sequence[PlayedRound[Facts]]], tuple[int, ...]]
    """All rounds of a game in order → the place of each seat, from 1; equal places are shared (1, 1, 3)."""


def places_by(merits: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return each seat's place, from 1, when the greater merit is better; equal ones share it (1, 1, 3)."""
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)
