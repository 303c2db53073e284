"""`make simulate`: who waits how long, and how well they are matched, by arrivals and spread of ratings.

The very functions that match in the engine run here over made-up arrivals and a made-up clock. The table goes into
engine_service/matchmaking/README.md, which a test compares.
"""

import heapq
import random
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine_service.matchmaking.matching import Seeker
from engine_service.matchmaking.planning import Look, match_for
from engine_service.matchmaking.schedule import NET_MS, STEPS_MS
from engine_service.matchmaking.tickets import Accepted, Player, Ticket, places_of, seeker_at
from engine_service.store.match_store import NEAR, OLD
from tests.bench.measure import percentile

PAGE = Path("engine_service/matchmaking/README.md")
BEGIN, END = "<!-- simulation -->\n", "<!-- end of simulation -->\n"
ARRIVALS = (0.05, 0.2, 1.0, 5.0, 20.0)
"""Tickets a second in one queue."""
SPREADS = (0.0, 4.0, 8.0)
"""Standard deviation of ratings."""
TICKETS = 1000
LAST = 20
"""The waits of so many are left out: nobody comes after them."""
PATIENCE_MS = 600_000
"""For so long those that are left at the end are looked at."""
PAIRS = 0.2
"""This share of tickets is a party of two."""
GAME = Accepted("cheez_tricks", b"", seats=4, min_seats=2, bot="careful")


@dataclass
class Line:
    """Who stands in line, found as the store finds them."""

    ranks: dict[int, list[tuple[float, int, str, Seeker]]] = field(default_factory=lambda: defaultdict(list))
    ages: dict[int, list[tuple[int, str, Seeker]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, seeker: Seeker) -> None:
        """Let a ticket get in line."""
        insort(self.ranks[seeker.players], (seeker.rating, seeker.entered_ms, seeker.ticket_id, seeker))
        insort(self.ages[seeker.players], (*seeker.place, seeker))

    def remove(self, seeker: Seeker) -> None:
        """Take a ticket out."""
        self.ranks[seeker.players].remove((seeker.rating, seeker.entered_ms, seeker.ticket_id, seeker))
        self.ages[seeker.players].remove((*seeker.place, seeker))

    def candidates(self, seeker: Seeker, seats: int) -> dict[str, Seeker]:
        """Return of each size that fits the nearest ratings on both sides, and those that have waited longest."""
        found: list[Seeker] = []
        for size in range(1, seats - seeker.players + 1):
            rank = self.ranks[size]
            at = bisect_left(rank, (seeker.rating,))
            found += [row[-1] for row in rank[max(0, at - NEAR) : at + NEAR]]
            found += [row[-1] for row in self.ages[size][:OLD]]
        return {other.ticket_id: other for other in found if other.ticket_id != seeker.ticket_id}


@dataclass
class Result:
    """What came of one run; waits in seconds, spreads in points of mu."""

    waits: list[float] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    unmatched: int = 0


def simulate(arrivals: float, spread: float, tickets: int = TICKETS, seed: int = 1) -> Result:
    """Let so many tickets arrive at random moments; return how they were matched, and how many never were."""
    result, lines = Result(), defaultdict[str, Line](Line)
    agenda = list(_arriving(arrivals, spread, tickets, random.Random(seed)))
    entered = {ticket.ticket_id: (ticket, at_ms) for at_ms, _, ticket in agenda}
    waiting: set[str] = set()
    counted_ms, until_ms = agenda[-LAST][0], agenda[-1][0] + PATIENCE_MS
    while agenda:
        now_ms, name, ticket = heapq.heappop(agenda)
        _, entered_ms = entered[name]
        places = tuple(places_of(ticket))
        own = {place.line: seeker_at(ticket, place, entered_ms) for place in places}
        if entered_ms == now_ms:
            waiting.add(name)
            for place in places:
                lines[place.line].add(own[place.line])
        elif name not in waiting:
            continue
        others = {place.line: lines[place.line].candidates(own[place.line], place.seats) for place in places}
        match = match_for(Look(ticket, entered_ms, now_ms, places, own, others), (), (), "")
        if match is None:
            waited_ms = now_ms - entered_ms
            next_ms = entered_ms + min((step for step in STEPS_MS if step > waited_ms), default=waited_ms + NET_MS)
            if next_ms < until_ms:
                heapq.heappush(agenda, (next_ms, name, ticket))
            continue
        result.spreads.append(match.spread)
        result.seats.append(match.seats)
        for gone, since_ms in (entered[found] for found in match.tickets):
            waiting.remove(gone.ticket_id)
            if since_ms < counted_ms:
                result.waits.append((now_ms - since_ms) / 1000)
            for place in places_of(gone):
                lines[place.line].remove(seeker_at(gone, place, since_ms))
    result.unmatched = len(waiting)
    return result


def _arriving(arrivals: float, spread: float, tickets: int, dice: random.Random) -> Iterator[tuple[int, str, Ticket]]:
    now = 0.0
    for number in range(tickets):
        now += dice.expovariate(arrivals)
        size, name = 2 if dice.random() < PAIRS else 1, f"t{number:06d}"
        players = tuple(Player(f"{name}.{n}", "", (round(dice.gauss(25, spread), 3),)) for n in range(size))
        yield round(now * 1000), name, Ticket(name, b"", (GAME,), (), players, size, ttl_ms=60_000)


def table() -> str:
    """Return the table for the page."""
    rows = [
        "| tickets/s | ratings' standard deviation | wait: median | 99 % | worst | spread in a match: median | 99 % "
        "| seats on average |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for arrivals in ARRIVALS:
        for spread in SPREADS:
            found = simulate(arrivals, spread)
            waits = [f"{seconds:.1f} s" for seconds in _figures(found.waits, worst=True)]
            spreads = [f"{points:.1f}" for points in _figures(found.spreads)]
            seats = f"{sum(found.seats) / len(found.seats):.2f}"
            rows.append(f"| {' | '.join((f'{arrivals:g}', f'{spread:g}', *waits, *spreads, seats))} |")
    return "\n".join(rows) + "\n"


def _figures(values: list[float], worst: bool = False) -> list[float]:
    return [percentile(values, 0.5), percentile(values, 0.99), *([max(values)] if worst else [])]


def main() -> None:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}{table()}{END}{after}")


if __name__ == "__main__":
    main()
