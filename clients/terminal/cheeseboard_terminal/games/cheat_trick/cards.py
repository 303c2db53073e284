"""Cards of the common pack as text: a letter for the suit, so that colour is never all that tells them apart."""

from collections.abc import Iterable

from rich.text import Text

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto

SUIT_NAMES = {
    proto.SUIT_CLUBS: "clubs",
    proto.SUIT_DIAMONDS: "diamonds",
    proto.SUIT_HEARTS: "hearts",
    proto.SUIT_SPADES: "spades",
}
COURT = {11: "princess", 12: "prince", 13: "queen", 14: "king"}
_SHORT = {11: "Ps", 12: "Pc", 13: "Q", 14: "K"}
_NAMED = {"ps": 11, "princess": 11, "pc": 12, "prince": 12, "q": 13, "queen": 13, "k": 14, "king": 14}
_INK = {
    proto.SUIT_CLUBS: ("green", "bold black on green"),
    proto.SUIT_DIAMONDS: ("dark_orange", "bold black on dark_orange"),
    proto.SUIT_HEARTS: ("red", "bold white on red"),
    proto.SUIT_SPADES: ("deep_sky_blue1", "bold black on deep_sky_blue1"),
    proto.SUIT_FOOL: ("magenta", "bold white on magenta"),
}

Named = tuple[int, int]
"""(suit, value)"""


def key_of(card: proto.Card) -> Named:
    """Return what tells a card from others."""
    return card.suit, card.value


def suit_name(suit: int) -> str:
    """Return "hearts" and so on."""
    return SUIT_NAMES.get(proto.Suit.ValueType(suit), "?")


def short(card: proto.Card) -> str:
    """Return a card as one types it: "H10", "HQ", "HPs" for the princess, "HPc" for the prince, "F" for the fool."""
    if card.suit == proto.SUIT_FOOL:
        return "F"
    return f"{suit_name(card.suit)[0].upper()}{_SHORT.get(card.value, card.value)}"


def long(card: proto.Card) -> str:
    """Return a card as one says it: "queen of hearts"."""
    if card.suit == proto.SUIT_FOOL:
        return "fool"
    return f"{COURT.get(card.value, card.value)} of {suit_name(card.suit)}"


def suit_text(suit: int) -> Text:
    """Return a suit's name in its colour."""
    return Text(suit_name(suit), style=f"bold {_INK[proto.Suit.ValueType(suit)][0]}")


def card_text(card: proto.Card) -> Text:
    """Return a card in running text."""
    return Text(short(card), style=f"bold {_INK[card.suit][0]}")


def card_face(card: proto.Card, playable: bool, reneges: bool) -> Text:
    """Return a card of a hand, five cells wide: in brackets when it may be played, in ! when that is a renege."""
    name = f"{short(card):^3}"
    if not playable:
        return Text(f" {name} ", style=f"dim {_INK[card.suit][0]}")
    return Text(f"!{name}!" if reneges else f"[{name}]", style=_INK[card.suit][1])


def rank(card: proto.Card, maternal: bool) -> int:
    """Return a card's rank within its suit, higher is better; the red suits' own if maternal."""
    if maternal and card.suit in (proto.SUIT_DIAMONDS, proto.SUIT_HEARTS):
        return {12: 11, 11: 12, 14: 13, 13: 14}.get(card.value, 11 - card.value)
    return card.value


def hand_order(cards: Iterable[proto.Card], trump: int, maternal: bool) -> list[proto.Card]:
    """Return a hand by suit and rank, trump last but for the fool."""
    return sorted(
        cards, key=lambda card: (card.suit == proto.SUIT_FOOL, card.suit == trump, card.suit, rank(card, maternal))
    )


def suit_named(word: str) -> int | None:
    """Return the suit that a word names by the beginning of its name; None for anything else."""
    found = [suit for suit, name in SUIT_NAMES.items() if word and name.startswith(word.casefold())]
    return found[0] if len(found) == 1 else None


def card_named(line: str) -> Named | None:
    """Return the card that people mean by "h10", "10h", "hq", "hps", "queen of hearts" or "fool"; None for anything
    else."""
    words = line.casefold().replace(" of ", " ").split()
    if words in (["f"], ["fool"]):
        return int(proto.SUIT_FOOL), 0
    word = words[0] if words else ""
    splits = [(word[:1], word[1:]), (word[-1:], word[:-1])] if len(words) == 1 else []
    if len(words) == 2:
        splits = [(words[0], words[1]), (words[1], words[0])]
    for suit_word, value_word in splits:
        suit, value = suit_named(suit_word), _value_named(value_word)
        if suit is not None and value is not None:
            return suit, value
    return None


def _value_named(word: str) -> int | None:
    if word in _NAMED:
        return _NAMED[word]
    return int(word) if word.isascii() and word.isdigit() and len(word) < 3 and 1 <= int(word) <= 10 else None
