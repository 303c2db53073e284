"""The log of a table: its newest commits one by one, older ones folded into compressed chunks.

Both are streams of which an entry's id is the number of its last event.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from engine_service.store.head import Head

COMMIT_WIDTH = 8
"""Bytes of a commit's id."""


class Logged(msgspec.Struct, frozen=True, gc=False):
    """A commit: the number of its last event, its id, and its entry."""

    last: int
    commit: bytes
    entry: bytes


def logged(newest: Iterable[Any]) -> tuple[Logged, ...]:
    """Return commits as Redis gives them."""
    return tuple([Logged(int(name.split(b"-")[0]), fields[1], fields[3]) for name, fields in newest])


def folded(commits: Sequence[Logged]) -> tuple[bytes, bytes]:
    """Return a chunk: the ids of commits, which nothing compresses, and the rest of them, compressed."""
    rest = [commit.last for commit in commits], [commit.entry for commit in commits]
    return b"".join([commit.commit for commit in commits]), zlib.compress(_encoder.encode(rest))


def unfolded(chunks: Iterable[Any], newest: Iterable[Any] = ()) -> tuple[Logged, ...]:
    """Return the commits of chunks as Redis gives them, and the newest after them, each once."""
    commits = [commit for _, fields in chunks for commit in _commits(fields[1], fields[3])]
    last = commits[-1].last if commits else 0
    return (*commits, *(commit for commit in logged(newest) if commit.last > last))


def onward(commits: Sequence[Logged], since: Head) -> tuple[str, tuple[Logged, ...]]:
    """Return the fate of a head as read.lua does, by a log that is whole, and the commits after it."""
    for number, commit in enumerate(commits):
        if (commit.last, commit.commit) == (since.sequence, since.commit):
            return "on", tuple(commits[number + 1 :])
    return ("trimmed" if since.sequence < commits[0].last else "lost"), ()


def _commits(ids: bytes, rest: bytes) -> Iterator[Logged]:
    numbers, entries = _decoder.decode(zlib.decompress(rest))
    for at, (last, entry) in enumerate(zip(numbers, entries, strict=True)):
        yield Logged(last, ids[at * COMMIT_WIDTH : (at + 1) * COMMIT_WIDTH], entry)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[list[int], list[bytes]])
