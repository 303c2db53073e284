"""The common pack of 57 cards, and how it is dealt. [CHT 1, 2]

A card is a number from 0 to 56: fourteen times its suit, plus its value less one; the fool is 56.
"""

from collections.abc import Sequence

Card = int
Suit = int

CLUBS, DIAMONDS, HEARTS, SPADES = SUITS = (0, 1, 2, 3)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RED = (DIAMONDS, HEARTS)

PRINCESS, PRINCE, QUEEN, KING = 11, 12, 13, 14
VALUE_NAMES = {PRINCESS: "princess", PRINCE: "prince", QUEEN: "queen", KING: "king"}

FOOL: Card = 56
PACK = tuple(range(57))
"""In the order in which it is shuffled."""
SUIT_OF = tuple(card // 14 for card in PACK)
"""The fool has a suit of its own, which nobody can follow."""
VALUE_OF = (*(card % 14 + 1 for card in range(FOOL)), 0)

PLAYER_COUNTS = (3, 4)
PACKET_SIZE = {3: 9, 4: 7}
TRICKS = {3: 19, 4: 14}
"""Cards dealt to each seat in all, and so the number of tricks of a round."""
ROUNDS = {3: 3, 4: 4}

_PATERNAL = {value: value for value in range(1, KING + 1)}
_MATERNAL = {value: 11 - value for value in range(1, 11)} | {PRINCE: 11, PRINCESS: 12, KING: 13, QUEEN: 14}


def _ranks(red: dict[int, int]) -> tuple[int, ...]:
    return (*((red if SUIT_OF[card] in RED else _PATERNAL)[VALUE_OF[card]] for card in range(FOOL)), 0)


_RANKS = (_ranks(_PATERNAL), _ranks(_MATERNAL))


def ranks(maternal: bool) -> Sequence[int]:
    """Return the rank of each card, higher is better; red suits may have their own order. [CHT 1.3, 1.4]"""
    return _RANKS[maternal]


def card_of(suit: Suit, value: int) -> Card:
    """Return the card of a suit with a value from 1 to 14."""
    return suit * 14 + value - 1


def card_name(card: Card) -> str:
    """Return what a person calls a card, as in "queen of hearts"; a number that is no card stays a number."""
    if card == FOOL:
        return "fool"
    if card not in PACK:
        return str(card)
    value = VALUE_OF[card]
    return f"{VALUE_NAMES.get(value, value)} of {SUIT_NAMES[SUIT_OF[card]]}"
