"""From looks at tickets to matches to be claimed. Pure: nothing here knows the store."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from engine_service.matchmaking.matching import Group, Seeker, full_match, match_with_bots, spread
from engine_service.matchmaking.tickets import Place, Ticket, places_of, seeker_at, standing


class Look(msgspec.Struct, frozen=True):
    """A ticket that may complete a match, and with whom it may play, by line, at one moment."""

    ticket: Ticket
    entered_ms: int
    now_ms: int
    others: dict[str, dict[str, Seeker]]

    @property
    def order(self) -> tuple[int, str]:
        """Who came first is looked at first."""
        return self.entered_ms, self.ticket.ticket_id


class Match(msgspec.Struct, frozen=True, array_like=True):
    """Tickets that play together, to be claimed."""

    match_id: str
    line: str
    seats: int
    tickets: tuple[str, ...]
    bots: int
    spread: float


def look_at(ticket: Ticket, entered_ms: int, now_ms: int, members: Iterable[bytes]) -> Look:
    """Return a look of what the store found."""
    others: dict[str, dict[str, Seeker]] = {}
    for member in members:
        line, seeker = standing(member)
        others.setdefault(line, {})[seeker.ticket_id] = seeker
    return Look(ticket, entered_ms, now_ms, others)


def match_for(look: Look, taken: Collection[str], match_id: str) -> Match | None:
    """Return the best match with this ticket, without those that are taken: a full one, or else one with bots."""
    places = list(places_of(look.ticket))
    for place in places:
        group = full_match(*_at(look, place, taken), place.seats, look.now_ms)
        if group is not None:
            return _match(match_id, place, group)
    for place in places:
        group = match_with_bots(*_at(look, place, taken), place.seats, look.now_ms)
        if group is not None:
            return _match(match_id, place, group)
    return None


def _at(look: Look, place: Place, taken: Collection[str]) -> tuple[Seeker, Sequence[Seeker]]:
    anchor = seeker_at(look.ticket, place, look.entered_ms)
    found = look.others.get(place.line, {}).values()
    others = [other for other in found if other.ticket_id not in taken and other.ticket_id != anchor.ticket_id]
    return anchor, others


def _match(match_id: str, place: Place, group: Group) -> Match:
    bots = place.seats - sum(seeker.players for seeker in group)
    return Match(match_id, place.line, place.seats, tuple(s.ticket_id for s in group), bots, spread(group))
