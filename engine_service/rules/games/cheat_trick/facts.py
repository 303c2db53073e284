"""What the scoring service is told of a round, and what it answers. No points are computed here."""

from msgspec import Struct

from engine_service.rules.game import Seat


class AccusationFact(Struct, frozen=True, gc=False):
    """An accusation and what came of it."""

    accuser: Seat
    seat: Seat
    trick: int
    right: bool
    gave: bool
    """Whether the accused gave the accuser a trick: it was right, and there was one to give."""


class RoundFacts(Struct, frozen=True, gc=False):
    """What happened in a round. Tuples by seat, but for `pass_order` and `splits`."""

    bids: tuple[int, ...]
    pass_order: tuple[Seat, ...]
    tricks: tuple[int, ...]
    """As they were won, before accusations moved any."""
    accusations: tuple[AccusationFact, ...] = ()
    """In the order in which they were made."""
    split_rule: int = 0
    """EXTRAS or ANY at team tables, else 0."""
    splits: tuple[tuple[int, ...], ...] = ()
    """At team tables, by team: what counts for its lower and its higher seat; empty: nothing was said."""


class SeatDetail(Struct, frozen=True, gc=False):
    """How a seat's own points came to be."""

    trick_value: int
    tricks: int
    """Tricks that count for the seat."""
    points: int
    """(tricks - bid) times the value; at team tables the points of the round are the sum of two."""


class ScoreDetail(Struct, frozen=True, gc=False):
    """How a round's points came to be, by seat."""

    seats: tuple[SeatDetail, ...]
