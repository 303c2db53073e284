"""What redeals of card games share: hidden cards change places. For tests only, as redeals are."""

from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

from .shuffle import below

Place = TypeVar("Place", bound=Hashable)

_SWAPS_PER_CARD = 4


def mix(cards: dict[Place, int], fits: Callable[[int, Place], bool], stream: Iterator[int]) -> None:
    """Swap pairs of hidden cards at random, in place, where both fit: `fits(card, place)` says what may lie where."""
    places = list(cards)
    for _ in range(_SWAPS_PER_CARD * len(places)):
        one, other = places[below(stream, len(places))], places[below(stream, len(places))]
        if fits(cards[one], other) and fits(cards[other], one):
            cards[one], cards[other] = cards[other], cards[one]
