"""From looks at tickets to matches to be claimed. Pure: nothing here knows the store."""

from collections.abc import Collection, Iterable

import msgspec

from engine_service.matchmaking.matching import Group, Seeker, full_match, match_with_bots, spread
from engine_service.matchmaking.tickets import Place, Ticket, name_of, seeker_at, standing


class Look(msgspec.Struct, frozen=True):
    """A ticket that may complete a match, and with whom it may play, at one moment."""

    ticket: Ticket
    entered_ms: int
    now_ms: int
    places: tuple[Place, ...]
    own: dict[str, Seeker]
    """The ticket itself, by line."""
    others: dict[str, dict[str, Seeker]]
    """By line and ticket."""

    @property
    def order(self) -> tuple[int, str]:
        """Who came first is looked at first."""
        return self.entered_ms, self.ticket.ticket_id

    def sees(self, tickets: Collection[str]) -> bool:
        """Tell whether any of these tickets is among the others."""
        return any(not found.keys().isdisjoint(tickets) for found in self.others.values())


class Match(msgspec.Struct, frozen=True):
    """Tickets that play together, to be claimed."""

    match_id: str
    line: str
    seats: int
    tickets: tuple[str, ...]
    bots: int
    spread: float


def encode(match: Match) -> bytes:
    """Return a match as it is stored."""
    return _encoder.encode(match)


def decode(value: bytes) -> Match:
    """Return the match that was stored."""
    return _decoder.decode(value)


def look_at(ticket: Ticket, places: tuple[Place, ...], entered_ms: int, now_ms: int, members: Iterable[bytes]) -> Look:
    """Return a look of what the store found."""
    own = {place.line: seeker_at(ticket, place, entered_ms) for place in places}
    others: dict[str, dict[str, Seeker]] = {}
    for member in {name_of(member): member for member in members}.values():
        line, seeker = standing(member)
        if seeker.ticket_id != ticket.ticket_id:
            others.setdefault(line, {})[seeker.ticket_id] = seeker
    return Look(ticket, entered_ms, now_ms, places, own, others)


def match_for(look: Look, taken: Collection[str], loose: Collection[Look], match_id: str) -> Match | None:
    """Return the best match with this ticket: a full one, or else one with bots.

    Tickets that are taken are left out; those of the loose looks are there, too.
    """
    for find in (full_match, match_with_bots):
        for place in look.places:
            group = find(look.own[place.line], _others(look, place, taken, loose), place.seats, look.now_ms)
            if group is not None:
                return _match(match_id, place, group)
    return None


def _others(look: Look, place: Place, taken: Collection[str], loose: Collection[Look]) -> list[Seeker]:
    found = {
        **look.others.get(place.line, {}),
        **{o.ticket.ticket_id: o.own[place.line] for o in loose if place.line in o.own},
    }
    return [seeker for name, seeker in found.items() if name not in taken and name != look.ticket.ticket_id]


def _match(match_id: str, place: Place, group: Group) -> Match:
    bots = place.seats - sum(seeker.players for seeker in group)
    return Match(match_id, place.line, place.seats, tuple(s.ticket_id for s in group), bots, spread(group))


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Match)
