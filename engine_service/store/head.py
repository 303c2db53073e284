"""The head of a table: the number of its last event, and the random id of the commit that wrote it.

The number alone is no guard: after a failover another branch may have reached the same one.
"""

import random
import secrets

import msgspec

_commits = random.Random(secrets.randbits(256))
"""Commits must differ, not be secret: no call of the system for each."""

WIDTH = 16
"""Bytes of a packed head; a table's stored value begins with it."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a table stands."""

    sequence: int
    commit: bytes
    """8 bytes."""

    @classmethod
    def after(cls, sequence: int) -> "Head":
        """Return a new head that ends with this event."""
        return cls(sequence, _commits.randbytes(8))

    @classmethod
    def unpack(cls, value: bytes) -> "Head":
        """Return the head that a stored value begins with."""
        return cls(int.from_bytes(value[:8], "big"), value[8:WIDTH])

    def pack(self) -> bytes:
        """Return its 16 bytes."""
        return self.sequence.to_bytes(8, "big") + self.commit

    @property
    def resume_point(self) -> str:
        """What clients carry: opaque to them."""
        return self.pack().hex()

    @classmethod
    def of_resume_point(cls, text: str) -> "Head":
        """Return the head behind a resume point, or raise ValueError."""
        head = cls.unpack(bytes.fromhex(text))
        if head.resume_point != text:
            raise ValueError("not a resume point")
        return head
