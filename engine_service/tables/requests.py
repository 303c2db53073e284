"""Requests that had their effect: a repeat gets the same answer, whenever and wherever it arrives.

The last answers of each player live in the table itself, so they are as durable as what they answer for.
"""

import hashlib
from functools import lru_cache
from typing import Any

import msgspec
from google.protobuf.message import Message

from engine_service.store.head import Head
from engine_service.tables.table import Answered, Table
from service_runtime.errors import Refused

REMEMBERED = 16
"""Answers kept for each player with a seat, and for all others together."""


class Request(msgspec.Struct, frozen=True):
    """A request that writes, by its digests."""

    by: bytes
    request: bytes
    body: bytes

    @classmethod
    def of(cls, player_id: str, request_id: str, message: Message) -> "Request":
        """Return a player's request; messages of two methods differ even when their bytes do not."""
        which = hashlib.sha256(f"{player_id}\0{request_id}".encode()).digest()[:8]
        body = message.DESCRIPTOR.full_name.encode() + message.SerializeToString(deterministic=True)
        return cls(_who(player_id), which, hashlib.sha256(body).digest()[:4])


class Answer(msgspec.Struct, frozen=True):
    """What a request is answered with: where the table stood after it, and its own number."""

    head: Head
    value: int


def earlier_answer(table: Table[Any, Any], request: Request) -> Answer | None:
    """Return the answer this request got before, or None. Refuses an id that was used for something else."""
    for answered in table.answers:
        if answered.request == request.request:
            if answered.body != request.body:
                raise Refused("REQUEST_ID_REUSED", "this request_id was used for something else")
            return Answer(Head(answered.sequence, answered.commit), answered.value)
    return None


def remembering(table: Table[Any, Any], request: Request, answer: Answer) -> Table[Any, Any]:
    """Return the table that will give this answer again: the last ones of each player, and of those without a seat."""
    new = Answered(request.by, request.request, request.body, answer.head.sequence, answer.head.commit, answer.value)
    seated = {_who(sitter.player_id) for sitter in table.seats if sitter is not None}
    if request.by in seated:
        like = [answered for answered in table.answers if answered.by == request.by]
    else:
        like = [answered for answered in table.answers if answered.by not in seated]
    dropped = like[0] if len(like) >= REMEMBERED else None
    kept = tuple([answered for answered in table.answers if answered is not dropped])
    return msgspec.structs.replace(table, answers=(*kept, new))


@lru_cache(maxsize=20_000)
def _who(player_id: str) -> bytes:
    return hashlib.sha256(player_id.encode()).digest()[:4]
