"""The deck of cats: the built-in one, read from `cat_deck.json` once, and which cats a table plays with. [CT 5]"""

from collections.abc import Sequence
from importlib import resources
from typing import Any

import msgspec

from .cards import SUIT_NAMES, card_of
from .cats import Cat, CountedValue, GreyCat, OrangeCat
from .options import HOUSE_CAT, Options

NOT_FOR_HOUSE_CATS = (GreyCat(CountedValue(9)), GreyCat(CountedValue(10)))


def _numbered(value: Any) -> Any:
    """Return a part of the data file with names of cards and cheeses ("Swiss 7", "Brie") in place of their numbers."""
    if isinstance(value, dict):
        return {key: _named(key, part) for key, part in value.items()}
    return [_numbered(part) for part in value] if isinstance(value, list) else value


def _named(key: str, value: Any) -> Any:
    if key == "suit":
        return SUIT_NAMES.index(value)
    if key == "card":
        cheese, number = value.split()
        return card_of(SUIT_NAMES.index(cheese), int(number))
    return _numbered(value)


def read_deck(text: bytes) -> tuple[Cat, ...]:
    """Return the cats of a deck in the format of `cat_deck.json`."""
    return msgspec.convert(_numbered(msgspec.json.decode(text)), tuple[Cat, ...])


BUILT_IN: tuple[Cat, ...] = read_deck(resources.files(__package__).joinpath("cat_deck.json").read_bytes())
"""Part of the rules' version, its order too: games that run name its cats by their places."""


def deck_of(options: Options) -> tuple[Cat, ...]:
    """Return the deck a table plays with: its own, or the built-in one."""
    return options.cat_deck or BUILT_IN


def fitting(deck: Sequence[Cat], seats: int, level: int) -> tuple[int, ...]:
    """Return the places in a deck, in order, of the cats that are used at this player count and level. [CT 5.2, 5.3]"""
    return tuple([i for i, cat in enumerate(deck) if cat.used_at(seats) and _suits_level(cat, level)])


def _suits_level(cat: Cat, level: int) -> bool:
    return level != HOUSE_CAT or not (isinstance(cat.kind, OrangeCat) or cat.kind in NOT_FOR_HOUSE_CATS)
