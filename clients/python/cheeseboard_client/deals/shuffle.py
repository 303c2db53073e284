"""The shuffle that the engine publishes, version 1, written anew from its specification.

- The keystream of a seed and a label is SHA-256("cheeseboard.shuffle.v1/" ‖ label ‖ 0x00 ‖ seed ‖ i) for i = 0, 1, 2 …,
  i as 8 bytes big-endian, read as 32-bit big-endian words.
- A number below n is the next word that is less than the largest multiple of n within 2³², modulo n.
- A shuffle goes from the last item to the second: item i changes places with item (number below i+1).
- A commitment is SHA-256("cheeseboard.commit.v1/" ‖ seed).
"""

import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")


class Keystream:
    """Numbers from a seed of 32 bytes and a label, always the same ones."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._prefix = b"cheeseboard.shuffle.v1/" + label.encode("ascii") + b"\x00" + seed
        self._blocks = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return the next number from 0 to bound-1."""
        largest_multiple = 2**32 // bound * bound
        while (word := self._word()) >= largest_multiple:
            pass
        return word % bound

    def _word(self) -> int:
        if not self._words:
            block = sha256(self._prefix + struct.pack(">Q", self._blocks)).digest()
            self._words = list(reversed(struct.unpack(">8I", block)))
            self._blocks += 1
        return self._words.pop()


def shuffled(items: Sequence[Item], seed: bytes, label: str) -> list[Item]:
    """Return the items in the order that seed and label give."""
    stream, order = Keystream(seed, label), list(items)
    for last in reversed(range(1, len(order))):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def picked(count: int, seed: bytes, label: str) -> int:
    """Return the number from 0 to count-1 that seed and label give."""
    return Keystream(seed, label).below(count)


def commitment(seed: bytes) -> bytes:
    """Return the 32 bytes that bind a seed before it is shown."""
    return sha256(b"cheeseboard.commit.v1/" + seed).digest()
