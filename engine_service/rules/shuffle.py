"""Chance that anyone can check: a keystream from a seed, and what is drawn from it.

Version 1, for every language:

- keystream(seed, label) is the concatenation over i = 0, 1, 2 … of SHA-256(DOMAIN ‖ label ‖ 0x00 ‖ seed ‖ i), with
  DOMAIN = "cheeseboard.shuffle.v1/" in ASCII, label in ASCII, seed of 32 bytes, i as 8 bytes big-endian;
- it is read as unsigned 32-bit big-endian words;
- a number below n is the next word w with w < 2³² - (2³² mod n), modulo n; words above are skipped;
- a shuffle is Fisher–Yates from the top: for i = len-1 … 1 swap item i with item (number below i+1).
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_DOMAIN = b"cheeseboard.shuffle.v1/"
_DERIVE = b"cheeseboard.derive.v1/"
_COMMIT = b"cheeseboard.commit.v1/"
_WORDS = 1 << 32
_BLOCK = struct.Struct(">8I")


def words(seed: bytes, label: str) -> Iterator[int]:
    """Yield the keystream of a seed as 32-bit words, without end."""
    prefix = _DOMAIN + label.encode("ascii") + b"\0" + seed
    block = 0
    while True:
        yield from _BLOCK.unpack(hashlib.sha256(prefix + block.to_bytes(8, "big")).digest())
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """Return a number from 0 to bound-1, each equally likely."""
    limit = _WORDS - _WORDS % bound
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % bound


def shuffled(items: Sequence[Item], seed: bytes, label: str) -> tuple[Item, ...]:
    """Return the items in the order that this seed and label give."""
    stream, order = words(seed, label), list(items)
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def picked(count: int, seed: bytes, label: str) -> int:
    """Return the one number from 0 to count-1 that this seed and label give."""
    return below(words(seed, label), count)


def derived(key: bytes, label: str) -> bytes:
    """Return the seed of 32 bytes that a secret key yields for a label; it tells nothing about the key."""
    return hashlib.sha256(_DERIVE + label.encode("ascii") + b"\0" + key).digest()


def commitment(seed: bytes) -> bytes:
    """Return what may be published before the seed: 32 bytes that bind it and tell nothing about it."""
    return hashlib.sha256(_COMMIT + seed).digest()
