"""What a hand is good for: how many tricks it may be expected to take."""

from collections.abc import Sequence

from ..cards import FOOL, SUIT_OF, SUITS, Card, Suit, ranks

_HIGHEST = 14
_BY_RANK = (0.75, 0.5, 0.3, 0.15)
"""What the highest, second, third and fourth card of a suit that is not trump are good for."""
_TRUMP_BY_RANK = (1.0, 0.9, 0.8, 0.7)
_SMALL_TRUMP = 0.45
_LONG = 4
"""More trumps than this are good for a trick each."""


def expected_tricks(hand: Sequence[Card], trump: Suit | None, maternal: bool) -> float:
    """Return about how many tricks a hand takes."""
    rank_of = ranks(maternal)
    trumps = [card for card in hand if SUIT_OF[card] == trump]
    others = [card for card in hand if card != FOOL and SUIT_OF[card] != trump]
    by_trumps = sum(_at(_TRUMP_BY_RANK, rank_of[card], _SMALL_TRUMP) for card in trumps)
    long = 0.5 * max(0, len(trumps) - _LONG)
    without_trump = 1.0 if trump is not None else 1.25
    return by_trumps + long + without_trump * sum(_at(_BY_RANK, rank_of[card], 0.03) for card in others)


def _at(worth: Sequence[float], rank: int, below: float) -> float:
    place = _HIGHEST - rank
    return worth[place] if place < len(worth) else below


def promise(packet: Sequence[Card], maternal: bool) -> float:
    """Return about how many tricks a first packet promises, before trump is known: any suit may become it."""
    return sum(expected_tricks(packet, suit, maternal) for suit in SUITS) / len(SUITS)
