"""Entries of the streams between the services, and the names of what belongs to a stream.

A stream has one part a partition, `{p17}:rounds`; an entry is one field, `m`, with the payload; one group reads it.
"""

from dataclasses import dataclass

from .partitions import tag

PAYLOAD_FIELD = b"m"
TRIES = 5
"""A poisoned entry is parked after this many."""


class Poisoned(Exception):
    """The entry itself cannot be dealt with, today; its text is kept with the parked entry and shown to operators."""


class NotOurs(Exception):
    """Only another replica, of a newer release, can deal with the entry."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a stream."""

    partition: int
    id: str
    payload: bytes
    stream_key: str
    group: str


def stream_key(stream: str, partition: int) -> str:
    """Return the key of one partition's part of a stream."""
    return f"{tag(partition)}:{stream}"


def parked_key(stream: str, partition: int) -> str:
    """Return the key of the stream of entries that were given up."""
    return f"{tag(partition)}:{stream}:parked"


def tries_key(stream: str, partition: int) -> str:
    """Return the key of the hash that counts, by entry, how often it proved poisoned."""
    return f"{tag(partition)}:{stream}:tries"
