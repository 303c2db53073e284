"""What the scoring service is told of a round, and what it answers. No points are computed here."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cats import Cat


class Capture(Struct, frozen=True, gc=False):
    """A cat and whom it caught."""

    cat: Cat
    seats: tuple[Seat, ...]


class RoundFacts(Struct, frozen=True, gc=False):
    """What happened in a round."""

    tricks: tuple[int, ...]
    """Tricks won, by seat."""
    captures: tuple[Capture, ...]
    """The cats in the order they lay on the table."""


class ScoreDetail(Struct, frozen=True, gc=False):
    """How a round's points came to be."""

    points_per_trick: tuple[int, ...]
    """What each trick of a seat was worth, by seat."""
