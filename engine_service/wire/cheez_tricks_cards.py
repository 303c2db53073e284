"""Cards, cheeses and cats of Cheez-Tricks on the wire."""

from collections.abc import Iterable
from functools import lru_cache

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as pb
from engine_service.rules.games.cheez_tricks.cards import SUIT_OF, SUITS, VALUE_OF, Card, Suit, card_of
from engine_service.rules.games.cheez_tricks.cats import (
    BlackCat,
    Cat,
    Counted,
    CountedSuit,
    CountedTricks,
    CountedValue,
    GreyCat,
    Kind,
    OrangeCat,
    SiameseCat,
    TuxedoCat,
    WhiteCat,
)

from .game_wire import Malformed

_SUITS = (pb.SUIT_SWISS, pb.SUIT_ROQUEFORT, pb.SUIT_PARMESAN, pb.SUIT_BRIE)
_VALUES = range(1, 11)
_CARDS = tuple(pb.Card(suit=_SUITS[SUIT_OF[card]], value=VALUE_OF[card]) for card in range(len(SUIT_OF)))
"""One message a card, shared: protobuf copies a message that is put into another."""


def suit_in(suit: int, field: str, reason: str) -> Suit:
    if suit - 1 not in SUITS:
        raise Malformed(field, "is missing or no cheese of this game", reason)
    return suit - 1


def suit_out(suit: Suit | None) -> pb.Suit.ValueType:
    return pb.SUIT_UNSPECIFIED if suit is None else _SUITS[suit]


def card_in(card: pb.Card, field: str, reason: str) -> Card:
    suit = suit_in(card.suit, f"{field}.suit", reason)
    if card.value not in _VALUES:
        raise Malformed(f"{field}.value", f"there is no card of value {card.value}", reason)
    return card_of(suit, card.value)


def card_out(card: Card) -> pb.Card:
    return _CARDS[card]


def cards_out(cards: Iterable[Card]) -> list[pb.Card]:
    return [_CARDS[card] for card in cards]


def cat_in(cat: pb.Cat, field: str) -> Cat:
    return Cat(kind=_kind_in(cat, field), player_counts=tuple(cat.player_counts))


def _kind_in(cat: pb.Cat, field: str) -> Kind:
    match cat.WhichOneof("kind"):
        case "black":
            return BlackCat(cat.black.trick)
        case "white":
            return WhiteCat(cat.white.tricks)
        case "siamese":
            return SiameseCat(card_in(cat.siamese.card, f"{field}.siamese.card", "BAD_OPTION"))
        case "grey":
            return GreyCat(_counted_in(cat.grey.most, f"{field}.grey.most"))
        case "orange":
            return OrangeCat(_counted_in(cat.orange.least, f"{field}.orange.least"))
        case "tuxedo":
            return TuxedoCat(cat.tuxedo.tricks)
        case _:
            raise Malformed(field, "names no kind of cat", "BAD_OPTION")


def _counted_in(counted: pb.Counted, field: str) -> Counted:
    match counted.WhichOneof("of"):
        case "value":
            return CountedValue(counted.value)
        case "suit":
            return CountedSuit(suit_in(counted.suit, f"{field}.suit", "BAD_OPTION"))
        case "tricks":
            return CountedTricks()
        case _:
            raise Malformed(field, "names nothing to count", "BAD_OPTION")


@lru_cache(maxsize=1024)
def cat_out(cat: Cat) -> pb.Cat:
    """Return a cat's message, which is shared like a card's: views are full of the same few cats."""
    counts, kind = cat.player_counts, cat.kind
    match kind:
        case BlackCat(trick=number):
            return pb.Cat(black=pb.BlackCat(trick=number), player_counts=counts)
        case WhiteCat(tricks=number):
            return pb.Cat(white=pb.WhiteCat(tricks=number), player_counts=counts)
        case SiameseCat(card=card):
            return pb.Cat(siamese=pb.SiameseCat(card=card_out(card)), player_counts=counts)
        case GreyCat(most=counted):
            return pb.Cat(grey=pb.GreyCat(most=_counted_out(counted)), player_counts=counts)
        case OrangeCat(least=counted):
            return pb.Cat(orange=pb.OrangeCat(least=_counted_out(counted)), player_counts=counts)
        case TuxedoCat(tricks=number):
            return pb.Cat(tuxedo=pb.TuxedoCat(tricks=number), player_counts=counts)


def _counted_out(counted: Counted) -> pb.Counted:
    match counted:
        case CountedValue(value=value):
            return pb.Counted(value=value)
        case CountedSuit(suit=suit):
            return pb.Counted(suit=suit_out(suit))
        case CountedTricks():
            return pb.Counted(tricks=pb.CountedTricks())
