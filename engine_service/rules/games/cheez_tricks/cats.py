"""The cats: six kinds, each with what it wants. [CT 6]"""

from msgspec import Struct

from .cards import Card, Suit


class BlackCat(Struct, frozen=True, tag="black", gc=False):
    """Catches whoever wins one trick of the round."""

    trick: int


class WhiteCat(Struct, frozen=True, tag="white", gc=False):
    """Catches the first seat to win a number of tricks."""

    tricks: int


class SiameseCat(Struct, frozen=True, tag="siamese", gc=False):
    """Catches whoever takes one card."""

    card: Card


class CountedValue(Struct, frozen=True, tag="value", gc=False):
    """Cards of one value are counted."""

    value: int


class CountedSuit(Struct, frozen=True, tag="suit", gc=False):
    """Cards of one cheese are counted."""

    suit: Suit


class CountedTricks(Struct, frozen=True, tag="tricks", gc=False):
    """Tricks are counted."""


Counted = CountedValue | CountedSuit | CountedTricks


class GreyCat(Struct, frozen=True, tag="grey", gc=False):
    """Catches whoever owns the most of something at the end of the round."""

    most: Counted


class OrangeCat(Struct, frozen=True, tag="orange", gc=False):
    """Catches whoever owns the least of something at the end of the round."""

    least: Counted


class TuxedoCat(Struct, frozen=True, tag="tuxedo", gc=False):
    """Catches whoever won exactly a number of tricks at the end of the round."""

    tricks: int


Kind = BlackCat | WhiteCat | SiameseCat | GreyCat | OrangeCat | TuxedoCat


class Cat(Struct, frozen=True, omit_defaults=True, gc=False):
    """A cat card."""

    kind: Kind
    player_counts: tuple[int, ...] = ()
    """The numbers of players it is used at; none given means all."""

    def used_at(self, seats: int) -> bool:
        """Return whether a table of this many seats plays with it."""
        return not self.player_counts or seats in self.player_counts


def counted_by(kind: Kind) -> Counted | None:
    """Return what a grey or orange cat counts; None for every other kind."""
    if isinstance(kind, GreyCat):
        return kind.most
    return kind.least if isinstance(kind, OrangeCat) else None
