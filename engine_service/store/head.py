"""The head of a table: the number of its last event, and the random id of the commit that wrote it.

The number alone is no guard: after a failover another branch may have reached the same one.
"""

import base64
import binascii
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
        return base64.urlsafe_b64encode(self.pack()).rstrip(b"=").decode()

    @classmethod
    def of_resume_point(cls, text: str) -> "Head":
        """Return the head behind a resume point, or raise ValueError."""
        try:
            value = base64.b64decode(text + "==", altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise ValueError("not a resume point") from error
        if len(value) != WIDTH:
            raise ValueError("not a resume point")
        return cls.unpack(value)
