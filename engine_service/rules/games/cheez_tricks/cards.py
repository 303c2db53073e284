"""The cheese cards, and how many of them each number of players plays with. [CT 1]

A card is a number from 0 to 39: ten times its suit, plus its value less one. Numbers sort by suit, then value.
"""

Card = int
Suit = int

SWISS, ROQUEFORT, PARMESAN, BRIE = SUITS = (0, 1, 2, 3)
SUIT_NAMES = ("Swiss", "Roquefort", "Parmesan", "Brie")

SUIT_OF = tuple(card // 10 for card in range(40))
VALUE_OF = tuple(card % 10 + 1 for card in range(40))

PLAYER_COUNTS = (2, 3, 4, 5)
HIGHEST_VALUE = {2: 7, 3: 9, 4: 10, 5: 10}
HAND_SIZE = {2: 10, 3: 12, 4: 10, 5: 8}
"""Cards dealt to each seat, and so the number of tricks of a round."""
ROUNDS = {2: 4, 3: 3, 4: 4, 5: 5}

CARDS_IN_PLAY = {
    seats: tuple(card for card in range(40) if VALUE_OF[card] <= highest) for seats, highest in HIGHEST_VALUE.items()
}
"""By number of seats, in the order in which they are shuffled."""


def card_of(suit: Suit, value: int) -> Card:
    """Return the card of a suit with a value from 1 to 10."""
    return suit * 10 + value - 1


def card_name(card: Card) -> str:
    """Return what a person calls a card, as in "Parmesan 7"; a number that is no card stays a number."""
    return f"{SUIT_NAMES[SUIT_OF[card]]} {VALUE_OF[card]}" if 0 <= card < len(SUIT_OF) else str(card)
