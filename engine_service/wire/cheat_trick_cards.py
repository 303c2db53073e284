"""Cards, suits and the small parts of Cheat Trick on the wire."""

from collections.abc import Iterable

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as pb
from engine_service.rules.games.cheat_trick.cards import FOOL, KING, PACK, SUIT_OF, SUITS, VALUE_OF, Card, Suit, card_of

from .game_wire import Malformed

_SUITS = (pb.SUIT_CLUBS, pb.SUIT_DIAMONDS, pb.SUIT_HEARTS, pb.SUIT_SPADES)
_CARDS = (
    *(pb.Card(suit=_SUITS[SUIT_OF[card]], value=VALUE_OF[card]) for card in PACK[:FOOL]),
    pb.Card(suit=pb.SUIT_FOOL),
)
"""One message a card, shared: protobuf copies a message that is put into another."""


def suit_in(suit: int, field: str, reason: str) -> Suit:
    if suit - 1 not in SUITS:
        raise Malformed(field, "is missing or no suit of this game", reason)
    return suit - 1


def suit_out(suit: Suit | None) -> pb.Suit.ValueType:
    return pb.SUIT_UNSPECIFIED if suit is None else _SUITS[suit]


def card_in(card: pb.Card, field: str, reason: str) -> Card:
    if card == _CARDS[FOOL]:
        return FOOL
    suit = suit_in(card.suit, f"{field}.suit", reason)
    if not 1 <= card.value <= KING:
        raise Malformed(f"{field}.value", f"there is no card of value {card.value}", reason)
    return card_of(suit, card.value)


def card_out(card: Card | None) -> pb.Card | None:
    return None if card is None else _CARDS[card]


def cards_out(cards: Iterable[Card]) -> list[pb.Card]:
    return [_CARDS[card] for card in cards]
