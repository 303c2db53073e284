"""What the scoring service is told of a game, and what it answers. Who won is not computed here."""

from msgspec import Struct

from engine_service.rules.game import Seat


class RoundFacts(Struct, frozen=True, gc=False):
    """What the hands held when the game ended, by seat."""

    cheese: tuple[int, ...]
    cats: tuple[int, ...]
    goal: int
    last_drop: bool
    """Whether the draw pile ran out; else somebody reached the goal."""


class ScoreDetail(Struct, frozen=True, gc=False):
    """How the result came to be."""

    winners: tuple[Seat, ...]
    """Nobody: everyone loses."""
