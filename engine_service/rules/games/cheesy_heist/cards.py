"""The cards: ten kinds, and how many there are of each. [CH 1]

A card is the number of its kind, for cards of a kind are all alike; a hand is a sorted tuple. Kinds are numbered from
the dearest to the Cat, so the first cards of a hand are those that an absent player keeps. [CH 9.3]
"""

Card = int
Cards = tuple[Card, ...]

KINDS = tuple(range(10))
CHEESE, DECOY, VAULT, THIEF, GIFT, GRATER, MOON, SPONGE, SOAP, CAT = KINDS
MIRAGES = (MOON, SPONGE, SOAP)

CARD_NAMES = ("Cheese", "Decoy", "Cheese Vault", "Thief", "Gift", "Grater", "Moon", "Sponge", "Soap", "Cat")
COPIES = (16, 5, 5, 6, 5, 5, 7, 7, 7, 12)
"""By kind."""

PACK = tuple(card for card in KINDS for _ in range(COPIES[card]))
"""All 75 cards, in the order in which they are shuffled."""

PLAYER_COUNTS = (2, 3, 4, 5)
HAND_SIZE = 5
"""Cards dealt to each seat."""
MOST_KEPT = 3
"""Cards that a Cheese Vault holds."""


def holds(hand: Cards, cards: Cards) -> bool:
    """Return whether a hand has all of these cards, each as often as it is named."""
    return all(hand.count(card) >= cards.count(card) for card in cards)


def is_mirage_set(cards: Cards) -> bool:
    """Return whether these are three Mirages that are all alike or all different. [CH 3.1]"""
    return len(cards) == 3 and set(cards) <= set(MIRAGES) and len(set(cards)) != 2


def card_name(card: Card) -> str:
    """Return what a person calls a card; a number that is no card stays a number."""
    return CARD_NAMES[card] if card in KINDS else str(card)
