"""Requests that had their effect: a repeat gets the same answer, whenever and wherever it arrives.

The last answers of each player live in the table itself, so they are as durable as what they answer for.
"""

import hashlib
from typing import Any

import msgspec

from engine_service.store.head import Head
from engine_service.tables.table import Answered, Table
from service_runtime.errors import Refused

REMEMBERED = 16
"""Answers kept for each player."""


class Request(msgspec.Struct, frozen=True):
    """A request that writes, by its digests."""

    by: bytes
    request: bytes
    body: bytes

    @classmethod
    def of(cls, player_id: str, request_id: str, body: bytes) -> "Request":
        """Return the request of a player; `body` is what it asks for, whatever its bytes are."""
        who = hashlib.sha256(player_id.encode()).digest()[:4]
        which = hashlib.sha256(f"{player_id}\0{request_id}".encode()).digest()[:8]
        return cls(who, which, hashlib.sha256(body).digest()[:4])


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
    """Return the table that will give this answer again."""
    own = [a for a in table.answers if a.by == request.by]
    dropped = own[0] if len(own) >= REMEMBERED else None
    kept = tuple(a for a in table.answers if a is not dropped)
    new = Answered(request.by, request.request, request.body, answer.head.sequence, answer.head.commit, answer.value)
    return msgspec.structs.replace(table, answers=(*kept, new)[-REMEMBERED * (len(table.seats) + 2) :])
