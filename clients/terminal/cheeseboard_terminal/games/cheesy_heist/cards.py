"""Cards in words."""

from collections import Counter
from collections.abc import Iterable

from rich.text import Text

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_terminal.people import listing

NAMES = {
    proto.CARD_CHEESE: "Cheese",
    proto.CARD_DECOY: "Decoy",
    proto.CARD_VAULT: "Vault",
    proto.CARD_THIEF: "Thief",
    proto.CARD_GIFT: "Gift",
    proto.CARD_GRATER: "Grater",
    proto.CARD_MOON: "Moon",
    proto.CARD_SPONGE: "Sponge",
    proto.CARD_SOAP: "Soap",
    proto.CARD_CAT: "Cat",
}
STYLES = {
    proto.CARD_CHEESE: "bold yellow",
    proto.CARD_CAT: "bold red",
    proto.CARD_DECOY: "bold green",
    proto.CARD_VAULT: "bold green",
    proto.CARD_MOON: "cyan",
    proto.CARD_SPONGE: "cyan",
    proto.CARD_SOAP: "cyan",
}


def name(card: int) -> str:
    """Return what a card is called."""
    return NAMES.get(proto.Card.ValueType(card), "a card")


def card_text(card: int) -> Text:
    """Return a card in its colour."""
    return Text(name(card), style=STYLES.get(proto.Card.ValueType(card), ""))


def a_card(card: int) -> Text:
    """Return "a Gift", "a card" for one that is not known."""
    return Text.assemble("a ", card_text(card)) if card else Text("a card")


def counted(cards: Iterable[int]) -> str:
    """Return "2 Cheese, Cat"; "nothing" for none."""
    found = Counter(cards)
    return ", ".join(f"{count} {name(card)}" if count > 1 else name(card) for card, count in sorted(found.items())) or (
        "nothing"
    )


def in_words(cards: Iterable[int]) -> str:
    """Return "a Cheese and a Cat"."""
    return listing([f"a {name(card)}" for card in cards])


def set_name(cards: Iterable[int]) -> str:
    """Return what a set of Mirages is called."""
    kinds = set(cards)
    return f"three {name(kinds.pop())}s" if len(kinds) == 1 else "Moon, Sponge and Soap"
