"""The log of a table: its newest commits one by one, older ones folded into compressed chunks. Both are streams of
which an entry's id is the number of its last event.
"""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine_service.store.head import Head


class Logged(msgspec.Struct, frozen=True, gc=False):
    """A commit: the number of its last event, its id, and its entry."""

    last: int
    commit: bytes
    entry: bytes


def logged(newest: Iterable[Any]) -> tuple[Logged, ...]:
    """Return commits as Redis gives them."""
    return tuple([Logged(int(name.split(b"-")[0]), fields[1], fields[3]) for name, fields in newest])


def folded(commits: Sequence[Logged]) -> bytes:
    """Return commits as a chunk."""
    return zlib.compress(_encoder.encode([(c.last, c.commit, c.entry) for c in commits]), 9)


def unfolded(chunks: Iterable[Any], newest: Iterable[Any]) -> tuple[Logged, ...]:
    """Return the commits of chunks, and the newest after them, each once."""
    commits = [Logged(*one) for _, fields in chunks for one in _decoder.decode(zlib.decompress(fields[1]))]
    last = commits[-1].last if commits else 0
    return (*commits, *(commit for commit in logged(newest) if commit.last > last))


def onward(commits: Sequence[Logged], since: Head) -> tuple[str, tuple[Logged, ...]]:
    """Return the fate of a head as read.lua does, by a log that is whole, and the commits after it."""
    for number, commit in enumerate(commits):
        if (commit.last, commit.commit) == (since.sequence, since.commit):
            return "on", tuple(commits[number + 1 :])
    return ("trimmed" if since.sequence < commits[0].last else "lost"), ()


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[tuple[int, bytes, bytes]])
