"""What came of a run: one record, from which the report is made as text, JSON and a page."""

import os
import platform
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from cheeseboard_loadtest.figures import figures
from cheeseboard_loadtest.latency import Distribution
from cheeseboard_loadtest.profile import Objectives, Profile
from cheeseboard_loadtest.tally import Table, Tally
from cheeseboard_loadtest.timeline import Row
from cheeseboard_loadtest.usage import MACHINE

LATE_SECONDS = 0.05
BUSY_CORES = 0.9
"""A tester that is later than this, one time in a hundred, or uses more of a core, says so: it measures itself too."""
OTHERS_CORES = 0.3
"""Other programs that use more than this on average are told of."""


@dataclass(frozen=True)
class Objective:
    """One objective and what came of it."""

    figure: str
    side: str
    """at_least or at_most"""
    limit: float
    value: float | None
    met: bool


@dataclass(frozen=True)
class ErrorCount:
    """How often something was refused or lost."""

    kind: str
    reason: str
    count: int


@dataclass(frozen=True)
class GameCount:
    """What was played of a game; durations in seconds, of games that were played to their end."""

    tables: int
    finished: int
    players: int
    median_seconds: float | None


@dataclass(frozen=True)
class Outcome:
    """All of a run."""

    profile: str
    target: str
    began: str
    """ISO 8601, UTC."""
    seconds: float
    stopped: str
    """Why it ended before everybody was done; empty if it did not."""
    machine: str
    figures: dict[str, float | None]
    objectives: list[Objective]
    remarks: list[str]
    """What limits how far the figures can be trusted."""
    errors: list[ErrorCount]
    games: dict[str, GameCount]
    latencies: dict[str, Distribution]
    timeline: list[Row]

    @property
    def met(self) -> bool:
        """Whether all objectives were met."""
        return all(objective.met for objective in self.objectives)


def machine() -> str:
    """Return what this runs on, and how busy that is now."""
    busy = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}{busy}"


def judged(objectives: Objectives, values: dict[str, float | None]) -> list[Objective]:
    """Return what came of each objective; a figure that there is not misses it."""
    found = []
    for name, limit in objectives.at_least.items():
        value = values[name]
        found.append(Objective(name, "at_least", limit, value, value is not None and value >= limit))
    for name, limit in objectives.at_most.items():
        value = values[name]
        found.append(Objective(name, "at_most", limit, value, value is not None and value <= limit))
    return found


def outcome(
    name: str, target: str, profile: Profile, tally: Tally, timeline: list[Row], began: str, on: str, stopped: str
) -> Outcome:
    """Return what came of a run."""
    for table in tally.tables.values():
        for seconds in table.seatings():
            tally.latencies["seating"].add(seconds)
    values = figures(tally)
    errors = [ErrorCount(kind, reason, count) for (kind, reason), count in tally.errors.most_common()]
    return Outcome(
        profile=name,
        target=target,
        began=began,
        seconds=timeline[-1].at if timeline else 0.0,
        stopped=stopped,
        machine=on,
        figures=values,
        objectives=judged(profile.objectives, values),
        remarks=list(_remarks(tally, timeline)),
        errors=errors,
        games=_games(list(tally.tables.values())),
        latencies={name: latency.distribution() for name, latency in sorted(tally.latencies.items())},
        timeline=timeline,
    )


def _games(tables: list[Table]) -> dict[str, GameCount]:
    by_game = defaultdict[str, list[Table]](list)
    for table in tables:
        by_game[table.game].append(table)
    return {game: _game(by_game[game]) for game in sorted(by_game)}


def _game(tables: list[Table]) -> GameCount:
    lengths = sorted(table.finished_at - table.began_at for table in tables if table.finished_at and not table.voided)
    median = lengths[len(lengths) // 2] if lengths else None
    return GameCount(len(tables), len(lengths), sum(len(table.seated) for table in tables), median)


def _remarks(tally: Tally, timeline: list[Row]) -> Iterator[str]:
    lag = tally.latencies["lag"].percentile(99)
    if lag is not None and lag > LATE_SECONDS:
        yield (
            f"The tester itself was late by {lag * 1000:.0f} ms or more one time in a hundred; "
            "that is part of every latency here."
        )
    busy = [row.loads["tester"].cores for row in timeline if "tester" in row.loads]
    most = max(busy, default=0.0)
    if most > BUSY_CORES:
        yield f"The tester used up to {most:.2f} of a core; it can use one at most, and may hold up what it measures."
    others = [_others(row) for row in timeline if {MACHINE, "engine"} <= set(row.loads)]
    if others and (mean := sum(others) / len(others)) > OTHERS_CORES:
        yield f"Other programs on this machine used {mean:.1f} of its {os.cpu_count()} cores on average."


def _others(row: Row) -> float:
    """Return the cores that were used by what is neither under load nor the tester."""
    known = sum(load.cores for name, load in row.loads.items() if name != MACHINE)
    return max(0.0, row.loads[MACHINE].cores - known)
