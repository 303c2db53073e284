"""Who plays whom. Pure: everything known of the tickets in a line, and the time, come in as arguments.

A line is where tickets wait that agree in everything but rating: one game with its options, one value for each key, one
number of seats. In a match the ticket that waited longest leads: everyone's rating lies within *its* window, and *its*
patience says whether a table with fewer seats than the most will do. So whoever waits long enough leads, and nobody is
passed over for ever.
"""

from collections.abc import Iterable, Sequence

import msgspec

from engine_service.matchmaking.schedule import takes_fewer, window


class Seeker(msgspec.Struct, frozen=True):
    """A ticket as it stands in one line."""

    ticket_id: str
    players: int
    rating: float
    """Of a party: the mean."""
    entered_ms: int
    most: bool
    """Whether the seats of this line are the most that it wants."""
    bots_at_ms: int | None = None
    """From when on bots may fill up, if ever."""

    @property
    def place(self) -> tuple[int, str]:
        """What lines are ordered by: who came first."""
        return self.entered_ms, self.ticket_id


Group = tuple[Seeker, ...]


def full_match(anchor: Seeker, others: Iterable[Seeker], seats: int, now_ms: int) -> Group | None:
    """Return tickets that fill all seats, the anchor among them and their leader first, or None.

    Of several leaders the one that waited longest is taken, with the tickets whose ratings are nearest to its own.
    """
    everyone = sorted((anchor, *others), key=lambda seeker: seeker.place)
    if sum(seeker.players for seeker in everyone) < seats:
        return None
    for at, leader in enumerate(everyone):
        together = (leader,) if leader is anchor else (leader, anchor)
        room = seats - sum(seeker.players for seeker in together)
        if room >= 0 and _leads(leader, now_ms) and _reaches(leader, anchor, now_ms):
            younger = [seeker for seeker in everyone[at + 1 :] if seeker is not anchor]
            group = _filled(together, room, _nearest(leader, younger, now_ms))
            if group is not None:
                return group
        if leader is anchor:
            return None
    return None


def match_with_bots(anchor: Seeker, others: Iterable[Seeker], seats: int, now_ms: int) -> Group | None:
    """Return the anchor and whoever else plays with bots by now, to be filled up with bots, or None if it does not."""
    if not _plays_with_bots(anchor, now_ms) or anchor.players > seats:
        return None
    group, room = [anchor], seats - anchor.players
    for seeker in _nearest(anchor, others, now_ms):
        if seeker.players <= room and _plays_with_bots(seeker, now_ms):
            group.append(seeker)
            room -= seeker.players
    return tuple(group)


def spread(group: Sequence[Seeker]) -> float:
    """Return how far the ratings of a group lie apart."""
    ratings = [seeker.rating for seeker in group]
    return max(ratings) - min(ratings)


def _leads(leader: Seeker, now_ms: int) -> bool:
    return leader.most or takes_fewer(now_ms - leader.entered_ms)


def _reaches(leader: Seeker, other: Seeker, now_ms: int) -> bool:
    return abs(other.rating - leader.rating) <= window(now_ms - leader.entered_ms)


def _plays_with_bots(seeker: Seeker, now_ms: int) -> bool:
    return seeker.bots_at_ms is not None and seeker.bots_at_ms <= now_ms


def _nearest(leader: Seeker, others: Iterable[Seeker], now_ms: int) -> list[Seeker]:
    """Return those within the leader's window, the nearest rating first."""
    near = [other for other in others if _reaches(leader, other, now_ms)]
    near.sort(key=lambda other: (abs(other.rating - leader.rating), other.place))
    return near


def _filled(start: Group, room: int, others: Sequence[Seeker]) -> Group | None:
    """Return the start with others that fill the room exactly, from as near the front as it goes."""
    reached: dict[int, Group] = {0: start}
    for other in others:
        if room in reached:
            break
        for players in sorted(reached, reverse=True):
            total = players + other.players
            if total <= room and total not in reached:
                reached[total] = (*reached[players], other)
    return reached.get(room)
