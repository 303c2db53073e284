"""The deck of cats: the built-in 50 in their order, and what a table draws from."""

import json
from collections.abc import Sequence
from importlib import resources

from google.protobuf import json_format

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_client.deals.shuffle import shuffled

CATS_A_ROUND = 3


def read_cat_deck(text: str) -> list[proto.Cat]:
    """Return the cats of a deck file: a JSON list of `Cat` messages in protobuf's JSON form.

    Raises ValueError for anything else.
    """
    entries = json.loads(text)
    if not isinstance(entries, list):
        raise ValueError("a deck of cats is a list")
    try:
        return [json_format.ParseDict(entry, proto.Cat()) for entry in entries]
    except json_format.ParseError as error:
        raise ValueError(str(error)) from error


def built_in_cat_deck() -> list[proto.Cat]:
    """Return the deck that is played with when a table brings none."""
    return read_cat_deck(resources.files("cheeseboard_client.deals").joinpath("cat_deck.json").read_text("utf-8"))


def is_used(cat: proto.Cat, seats: int, level: "proto.Level.ValueType") -> bool:
    """Return whether a table of this many seats plays with a cat at this level."""
    return (not cat.player_counts or seats in cat.player_counts) and (level == proto.LEVEL_WILD_CAT or _tame(cat))


def _tame(cat: proto.Cat) -> bool:
    """Return whether House Cat tables play with it: no orange cats, nor the most 9s and 10s."""
    most = cat.grey.most
    too_high = cat.WhichOneof("kind") == "grey" and most.WhichOneof("of") == "value" and most.value in (9, 10)
    return cat.WhichOneof("kind") != "orange" and not too_high


class CatPile:
    """The cats of a game that were not on the table yet, in the order of the deck."""

    def __init__(self, deck: Sequence[proto.Cat], seats: int, level: "proto.Level.ValueType") -> None:
        self._used = [cat for cat in deck if is_used(cat, seats, level)]
        self._left = list(self._used)
        self.known = True
        """False when rounds were missed, so that nobody can say what is left."""

    def drawn(self, seed: bytes) -> list[proto.Cat]:
        """Return the three cats that a seed draws next."""
        return shuffled(self._pile(), seed, "cats")[:CATS_A_ROUND]

    def take(self, cats: Sequence[proto.Cat]) -> None:
        """Take the cats that were drawn off the pile."""
        self._left = [cat for cat in self._pile() if cat not in cats]

    def _pile(self) -> list[proto.Cat]:
        # With fewer than three left, all discards are shuffled in.
        return self._left if len(self._left) >= CATS_A_ROUND else self._used
