"""Cards of cheese as text: a letter and a number, so that colour is never all that tells them apart."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto

SUIT_NAMES = {
    proto.SUIT_SWISS: "Swiss",
    proto.SUIT_ROQUEFORT: "Roquefort",
    proto.SUIT_PARMESAN: "Parmesan",
    proto.SUIT_BRIE: "Brie",
}
_INK = {
    proto.SUIT_SWISS: ("red", "bold white on red"),
    proto.SUIT_ROQUEFORT: ("green", "bold black on green"),
    proto.SUIT_PARMESAN: ("dark_orange", "bold black on dark_orange"),
    proto.SUIT_BRIE: ("deep_sky_blue1", "bold black on deep_sky_blue1"),
}


def letter(suit: int) -> str:
    """Return the letter of a suit: S, R, P or B."""
    return suit_name(suit)[0]


def suit_name(suit: int) -> str:
    """Return "Swiss" and so on; "?" when no suit is known."""
    return SUIT_NAMES.get(proto.Suit.ValueType(suit), "?")


def short(card: proto.Card) -> str:
    """Return a card as one types it: "S7"."""
    return f"{letter(card.suit)}{card.value}"


def long(card: proto.Card) -> str:
    """Return a card as one says it: "Swiss 7"."""
    return f"{suit_name(card.suit)} {card.value}"


def ink(suit: int) -> str:
    """Return the style of a suit's text."""
    return _INK[proto.Suit.ValueType(suit)][0] if suit in _INK else ""


def suit_text(suit: int) -> Text:
    """Return a suit's name in its colour."""
    return Text(suit_name(suit), style=f"bold {ink(suit)}")


def card_text(card: proto.Card) -> Text:
    """Return a card in running text."""
    return Text(short(card), style=f"bold {ink(card.suit)}")


def card_face(card: proto.Card, playable: bool) -> Text:
    """Return a card of a hand, five cells wide: in brackets when it may be played."""
    name = f"{short(card):^3}"
    if playable:
        return Text(f"[{name}]", style=_INK[card.suit][1] if card.suit in _INK else "bold")
    return Text(f" {name} ", style=f"dim {ink(card.suit)}")


def hand_order(cards: Iterable[proto.Card], trump: int) -> list[proto.Card]:
    """Return a hand by suit and value, trump last."""
    return sorted(cards, key=lambda card: (card.suit == trump, card.suit, card.value))


def same(one: proto.Card, other: proto.Card) -> bool:
    """Return whether two messages name the same card."""
    return (one.suit, one.value) == (other.suit, other.value)


def grouped(cards: Sequence[proto.Card]) -> str:
    """Return cards grouped by suit, as in "S7 S8 R8"."""
    return " ".join(short(card) for card in hand_order(cards, 0))


def suit_named(word: str) -> int | None:
    """Return the suit that a word names by its letter or the beginning of its name; None for anything else."""
    word = word.casefold()
    found = [suit for suit, name in SUIT_NAMES.items() if word and name.casefold().startswith(word)]
    return found[0] if len(found) == 1 else None


def card_named(line: str) -> tuple[int, int] | None:
    """Return (suit, value) of a card as people type it: "s7", "7s", "Swiss 7"; None for anything else."""
    letters = "".join(mark for mark in line if mark.isalpha())
    digits = "".join(mark for mark in line if mark in "0123456789")
    suit = suit_named(letters)
    if suit is None or not 0 < len(digits) < 3 or len(letters) + len(digits) != len(line.replace(" ", "")):
        return None
    return suit, int(digits)
