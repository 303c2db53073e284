"""Who sits where in a match: drawn from its id, so that neither rating nor waiting gives a seat. Pure."""

import hashlib
from collections.abc import Sequence
from itertools import chain

from engine_service.rules.game import Seat

Sides = Sequence[Sequence[Seat]]
"""All seats of a table, by who plays together."""


def drawn_seats(match_id: str, sizes: Sequence[int], sides: Sides) -> list[tuple[Seat, ...]]:
    """Return the seats of each party, given by its size. Partners come from one party as far as seats allow."""
    free = sorted(chain.from_iterable(sides), key=lambda seat: hashlib.sha256(f"{match_id}/{seat}".encode()).digest())
    drawn: dict[int, tuple[Seat, ...]] = {}
    for party in sorted(range(len(sizes)), key=lambda party: -sizes[party]):
        drawn[party] = tuple(_together(free, sides) if sizes[party] > 1 else free)[: sizes[party]]
        free = [seat for seat in free if seat not in drawn[party]]
    return [drawn[party] for party in range(len(sizes))]


def _together(free: Sequence[Seat], sides: Sides) -> list[Seat]:
    """Return free seats side by side, the side with the most of them first; between equal ones the lot decides."""
    left = [[seat for seat in free if seat in side] for side in sides]
    left = sorted(filter(None, left), key=lambda side: (-len(side), free.index(side[0])))
    return list(chain.from_iterable(left))
