"""The figures that objectives are about, each a function of the tally. They and the report's are the same."""

from collections.abc import Callable
from dataclasses import dataclass

from cheeseboard_loadtest.tally import Kind, Tally


@dataclass(frozen=True)
class Figure:
    """One number; None when there is nothing to tell it from."""

    meaning: str
    of: Callable[[Tally], float | None]


def _share(part: str, whole: str) -> Callable[[Tally], float | None]:
    def share(tally: Tally) -> float | None:
        return tally.counts[part] / tally.counts[whole] if tally.counts[whole] else None

    return share


def _count(name: str) -> Callable[[Tally], float | None]:
    return lambda tally: float(tally.counts[name])


def _percentile(latency: str, percentile: float, times: float) -> Callable[[Tally], float | None]:
    def value(tally: Tally) -> float | None:
        seconds = tally.latencies[latency].percentile(percentile)
        return None if seconds is None else seconds * times

    return value


def _errors(kind: Kind) -> Callable[[Tally], float | None]:
    return lambda tally: float(tally.errors_of(kind))


def _percentiles() -> dict[str, Figure]:
    named = {
        "match_wait": ("match wait", "seconds", 1.0),
        "seating": ("seating", "ms", 1000.0),
        "move": ("move", "ms", 1000.0),
        "return": ("return", "ms", 1000.0),
        "tester_lag": ("lag", "ms", 1000.0),
    }
    return {
        f"{name}_p{percentile}_{unit}": Figure(f"{latency}, {percentile} %", _percentile(latency, percentile, times))
        for name, (latency, unit, times) in named.items()
        for percentile in (50, 99)
    }


FIGURES: dict[str, Figure] = {
    "arrived_players": Figure("players who came", _count("arrived")),
    "seated_share": Figure("of those who came, who got a seat in a game", _share("seated", "arrived")),
    "finished_share": Figure("of those seated, who saw the end of their game", _share("finished", "seated")),
    "tables": Figure("tables that were found", lambda tally: float(len(tally.tables))),
    "finished_tables": Figure(
        "of these, with a game that was played to its end",
        lambda tally: float(sum(t.finished_at is not None and not t.voided for t in tally.tables.values())),
    ),
    "voided_tables": Figure(
        "of these, with a game that was called off", lambda tally: float(sum(t.voided for t in tally.tables.values()))
    ),
    "moves": Figure("moves that were accepted", _count("moves")),
    "left": Figure("times that somebody went in the middle of a game", _count("left")),
    "came_back": Figure("times that somebody came back", _count("came_back")),
    "provoked_errors": Figure("refusals that were asked for", _errors("provoked")),
    "overtaken_moves": Figure("moves that others, or the clock, came before", _errors("overtaken")),
    "interruptions": Figure("connections that were lost and mended", _errors("interrupted")),
    "unexpected_errors": Figure("all other errors", _errors("unexpected")),
    **_percentiles(),
}


def figures(tally: Tally) -> dict[str, float | None]:
    """Return all figures by name."""
    return {name: figure.of(tally) for name, figure in FIGURES.items()}
