"""Captures: which seats a cat catches, and when. [CT 6]

A cat looks only at tricks that are complete; nothing here sees a hand.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from engine_service.rules.game import Seat

from .cards import SUIT_OF, VALUE_OF, Card
from .cats import (
    BlackCat,
    Counted,
    CountedSuit,
    CountedValue,
    GreyCat,
    Kind,
    OrangeCat,
    SiameseCat,
    TuxedoCat,
    WhiteCat,
)
from .state import State


def caught_by_trick(kind: Kind, number: int, cards: Sequence[Card], won: int) -> bool:
    """Return whether a cat catches the winner of a trick at once: trick `number`, with these cards, which makes its
    winner's tricks `won`. [CT 6.1-6.3]"""
    if isinstance(kind, BlackCat):
        return kind.trick == number
    if isinstance(kind, WhiteCat):
        return kind.tricks == won
    return isinstance(kind, SiameseCat) and kind.card in cards


def caught_by_round(kind: Kind, state: State) -> tuple[Seat, ...]:
    """Return whom a cat catches after the last trick, clockwise from the starter. [CT 6.4-6.12]

    Nobody, for a cat whose time was during the round.
    """
    if isinstance(kind, TuxedoCat):
        caught = {seat for seat, won in enumerate(state.won) if won == kind.tricks}
    elif isinstance(kind, GreyCat):
        caught = _most(owned(kind.most, state))
    elif isinstance(kind, OrangeCat):
        caught = _least(owned(kind.least, state))
    else:
        caught = set()
    return clockwise(caught, state.starter, state.seats)


def _most(counts: Sequence[int]) -> set[Seat]:
    highest = max(counts)
    # One must own one to own the most. [CT 6.9]
    return {seat for seat, count in enumerate(counts) if count == highest > 0}


def _least(counts: Sequence[int]) -> set[Seat]:
    lowest = min(counts)
    return {seat for seat, count in enumerate(counts) if count == lowest}


def owned(counted: Counted, state: State) -> tuple[int, ...]:
    """Return how much of what a grey or orange cat counts each seat has won this round, by seat."""
    if not isinstance(counted, CountedValue | CountedSuit):
        return state.won
    counts, wanted = [0] * state.seats, counted_cards(counted)
    for trick in state.tricks:
        counts[trick.winner] += len(wanted.intersection(trick.cards))
    return tuple(counts)


@cache
def counted_cards(counted: Counted) -> frozenset[Card]:
    """Return the cards of the value or suit that is counted; none where tricks are."""
    if isinstance(counted, CountedValue):
        return frozenset(card for card, value in enumerate(VALUE_OF) if value == counted.value)
    if isinstance(counted, CountedSuit):
        return frozenset(card for card, suit in enumerate(SUIT_OF) if suit == counted.suit)
    return frozenset()


def clockwise(seats: Iterable[Seat], first: Seat, count: int) -> tuple[Seat, ...]:
    """Return seats in the order in which they sit, clockwise from `first`."""
    return tuple(sorted(seats, key=lambda seat: (seat - first) % count))
