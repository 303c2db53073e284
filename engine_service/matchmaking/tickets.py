"""A ticket, what it is stored as, and the lines it stands in."""

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from engine_service.matchmaking.matching import Seeker
from engine_service.rules.registry import GAMES
from engine_service.store.match_store import WrittenTicket
from engine_service.tables.table import TableOptions

MOST_LINES = 64
"""Lines that one ticket may stand in."""
_RATING_OFFSET, _MOST_RATING = 1_000_000, 99_999_999


class Accepted(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that would be welcome."""

    game: str
    options: bytes
    """The table's, without seats; the same bytes for the same options."""
    seats: int
    """The most."""
    min_seats: int
    bot: str
    """The kind that fills up."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody with a ticket."""

    player_id: str
    name: str
    strengths: tuple[float, ...] = ()
    """Its rating in each of the games accepted."""


class Ticket(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a ticket's players want. It changes only while a party gathers."""

    ticket_id: str
    request: bytes
    """A digest of the request that made it."""
    accepts: tuple[Accepted, ...]
    keys: tuple[tuple[str, tuple[str, ...]], ...]
    """What must agree, by name, with the values that are welcome."""
    players: tuple[Player, ...]
    party_size: int
    ttl_ms: int
    bots_after_ms: int | None = None
    party_code: str = ""

    @property
    def complete(self) -> bool:
        """Whether the whole party is there."""
        return len(self.players) == self.party_size


class Place(msgspec.Struct, frozen=True):
    """Where a ticket stands in line."""

    line: str
    seats: int
    accepted: Accepted
    rating: float
    most: bool


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a ticket that was matched."""

    table_id: str
    code: str
    seats: tuple[int, ...]
    """By player."""
    bots: int


def encode(ticket: Ticket) -> bytes:
    """Return the body of a ticket."""
    return _encoder.encode(ticket)


def decode(body: bytes) -> Ticket:
    """Return the ticket of a body."""
    return _decoder.decode(body)


def encode_outcome(outcome: Outcome) -> bytes:
    """Return an outcome as it is stored."""
    return _encoder.encode(outcome)


def decode_outcome(value: bytes) -> Outcome:
    """Return the outcome that was stored."""
    return _outcome_decoder.decode(value)


def encode_options(options: TableOptions[Any]) -> bytes:
    """Return table options as lines tell them apart: without seats, and never listed."""
    return _encoder.encode(msgspec.structs.replace(options, seats=0, listed=False))


def options_of(accepted: Accepted, seats: int) -> TableOptions[Any]:
    """Return what a table with so many seats is set up with."""
    options: TableOptions[Any] = _options_decoder(accepted.game).decode(accepted.options)
    return msgspec.structs.replace(options, seats=seats)


def places_of(ticket: Ticket) -> Iterator[Place]:
    """Yield where a ticket stands: with the most seats for all games that it accepts, then with ever fewer."""
    values = [tuple((name, value) for value in welcome) for name, welcome in ticket.keys]
    shared = list(itertools.product(*values))
    fewer = max(accepted.seats - accepted.min_seats for accepted in ticket.accepts)
    for less in range(fewer + 1):
        for index, accepted in enumerate(ticket.accepts):
            seats = accepted.seats - less
            if seats < max(accepted.min_seats, ticket.party_size):
                continue
            rating = sum(player.strengths[index] for player in ticket.players) / len(ticket.players)
            for agreed in shared:
                yield Place(_line(accepted, seats, agreed), seats, accepted, rating, most=not less)


def lines_of(ticket: Ticket) -> int:
    """Return in how many lines a ticket stands at most."""
    shared = math.prod(len(welcome) for _, welcome in ticket.keys)
    return shared * sum(accepted.seats - accepted.min_seats + 1 for accepted in ticket.accepts)


def standing_places(ticket: Ticket) -> tuple[Place, ...]:
    """Return where a ticket stands in line: nowhere while its party gathers."""
    return tuple(places_of(ticket)) if ticket.complete else ()


def written(ticket: Ticket, places: Sequence[Place] = ()) -> WrittenTicket:
    """Return a ticket as the store takes it, with its places where these matter."""
    return WrittenTicket(
        id=ticket.ticket_id,
        body=encode(ticket),
        players=tuple(player.player_id for player in ticket.players),
        places=_rows(ticket, places),
        line=places[0].line if places else "",
        ttl_ms=ticket.ttl_ms,
        bots_after_ms=ticket.bots_after_ms,
        party_code=ticket.party_code,
    )


def seeker_at(ticket: Ticket, place: Place, entered_ms: int) -> Seeker:
    """Return a ticket as it stands in one line."""
    bots_at_ms = None if ticket.bots_after_ms is None else entered_ms + ticket.bots_after_ms
    return Seeker(ticket.ticket_id, ticket.party_size, place.rating, entered_ms, place.most, bots_at_ms)


def name_of(member: bytes) -> tuple[bytes, bytes]:
    """Return line and ticket of a member of the store's lines (common.lua)."""
    return member.partition(b"/")[0], member.rpartition(b"/")[2]


def standing(member: bytes) -> tuple[str, Seeker]:
    """Return line and seeker of a member of the store's lines."""
    line, *_, players, rating, entered, bots_at, most, ticket_id = member.decode().split("/")
    mu = (int(rating) - _RATING_OFFSET) / 1000
    return line, Seeker(ticket_id, int(players), mu, int(entered), most == "1", int(bots_at) or None)


def _rows(ticket: Ticket, places: Iterable[Place]) -> str:
    """Return places in the store's terms: line/seats/size/rating/most."""
    return "\n".join(
        f"{at.line}/{at.seats}/{ticket.party_size:02d}/{_rating_text(at.rating)}/{int(at.most)}" for at in places
    )


def _line(accepted: Accepted, seats: int, agreed: tuple[tuple[str, str], ...]) -> str:
    what = _encoder.encode((accepted.options, agreed))
    return f"{accepted.game}.{seats}.{hashlib.blake2b(what, digest_size=8).hexdigest()}"


def _rating_text(rating: float) -> str:
    return f"{min(max(round(rating * 1000) + _RATING_OFFSET, 0), _MOST_RATING):08d}"


@cache
def _options_decoder(game: str) -> msgspec.msgpack.Decoder[Any]:
    options = GAMES[game].options_type
    return msgspec.msgpack.Decoder(TableOptions[options])  # type: ignore[valid-type]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Ticket)
_outcome_decoder = msgspec.msgpack.Decoder(Outcome)
