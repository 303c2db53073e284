"""Requests that had their effect: a repeat gets the same answer, whenever and wherever it arrives.

The last answers of each player live in the table itself, so they are as durable as what they answer for.
"""

import hashlib
import struct
from functools import lru_cache
from typing import Any
from zlib import crc32

import msgspec
from google.protobuf.message import Message

from engine_service.store.head import Head
from engine_service.tables.table import Table
from service_runtime.errors import Refused

REMEMBERED = 16
"""Answers kept for each player with a seat, and for all others together."""
OF_LEAVERS = 4
"""Answers that a player leaves behind among those of the others."""

_PACKED = struct.Struct(">8sII8sH")
"""An answer as it is kept: digests of request and body, the head's number and commit, the answer's own number."""
_OTHERS = b""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A request that writes, by its digests."""

    by: bytes
    """4 bytes, of the player."""
    request: bytes
    """8 bytes, of player and request_id."""
    body: int
    """32 bits, of what is asked for."""

    @classmethod
    def of(cls, player_id: str, request_id: str, message: Message) -> "Request":
        """Return a player's request; messages of two methods differ even when their bytes do not."""
        which = hashlib.blake2b(f"{player_id}\0{request_id}".encode(), digest_size=8).digest()
        body = crc32(message.SerializeToString(deterministic=True), crc32(message.DESCRIPTOR.full_name.encode()))
        return cls(_who(player_id), which, body)


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What a request is answered with: where the table stood after it, and its own number."""

    head: Head
    value: int


def earlier_answer(table: Table[Any, Any], request: Request) -> Answer | None:
    """Return the answer this request got before, or None. Refuses an id that was used for something else."""
    for kept in (table.answers.get(request.by, b""), table.answers.get(_OTHERS, b"")):
        if request.request not in kept:
            continue
        for which, body, sequence, commit, value in _PACKED.iter_unpack(kept):
            if which == request.request:
                if body != request.body:
                    raise Refused("REQUEST_ID_REUSED", "this request_id was used for something else")
                return Answer(Head(sequence, commit), value)
    return None


def remembering(table: Table[Any, Any], request: Request, answer: Answer) -> Table[Any, Any]:
    """Return the table that will give this answer again: the last ones of each player, and of those without a seat."""
    seated = [_who(sitter.player_id) for sitter in table.seats if sitter is not None]
    answers, others = {}, table.answers.get(_OTHERS, b"")
    for by, kept in table.answers.items():
        if by in seated:
            answers[by] = kept
        elif by != _OTHERS:  # Who left just now: the newest of what others asked for, and no more than a part of it.
            others += kept[-OF_LEAVERS * _PACKED.size :]
    new = _PACKED.pack(request.request, request.body, answer.head.sequence, answer.head.commit, answer.value)
    if request.by in seated:
        answers[request.by] = _last(answers.get(request.by, b"") + new)
    else:
        others += new
    if others:
        answers[_OTHERS] = _last(others)
    return msgspec.structs.replace(table, answers=answers)


def _last(kept: bytes) -> bytes:
    return kept[-REMEMBERED * _PACKED.size :]


@lru_cache(maxsize=20_000)
def _who(player_id: str) -> bytes:
    return hashlib.blake2b(player_id.encode(), digest_size=4).digest()
