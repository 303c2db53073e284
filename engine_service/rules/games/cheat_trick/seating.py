"""Who sits where: everything runs counter-clockwise, and partners sit across from each other. [CHT 1.5, 9.1]"""

from collections.abc import Iterable

from engine_service.rules.game import Seat, everyone_alone

from .options import Options

TEAMS = ((0, 2), (1, 3))


def after(seat: Seat, seats: int, steps: int = 1) -> Seat:
    """Return the seat so many places counter-clockwise of another."""
    return (seat - steps) % seats


def round_from(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats counter-clockwise from one."""
    return tuple(after(first, seats, steps) for steps in range(seats))


def next_among(seats: Iterable[Seat], before: Seat, count: int) -> Seat:
    """Return the one of these seats that comes next after another; itself if there is no other."""
    return min(seats, key=lambda seat: (before - seat - 1) % count)


def sides(options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats by who plays together. [CHT 9.1]"""
    return TEAMS if options.teams else everyone_alone(options, seats)


def team_of(seat: Seat) -> int:
    """Return the team of a seat at a team table: 0 or 1."""
    return seat % 2


def partner_of(seat: Seat) -> Seat:
    """Return who plays with a seat at a team table."""
    return (seat + 2) % 4
