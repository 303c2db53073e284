"""The report as text and JSON, and where its files go."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from cheeseboard_loadtest.figures import FIGURES
from cheeseboard_loadtest.outcome import Objective, Outcome
from cheeseboard_loadtest.page import page
from cheeseboard_loadtest.tally import LATENCIES
from cheeseboard_loadtest.wording import SHOWN, head, number


def write(outcome: Outcome, folder: Path) -> list[Path]:
    """Write report.txt, report.json and report.html; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    json = msgspec.json.format(msgspec.json.encode(outcome)).decode()
    files = {"report.txt": text(outcome), "report.json": json, "report.html": page(outcome)}
    for name, content in files.items():
        (folder / name).write_text(content + "\n", "utf-8")
    return [folder / name for name in files]


def text(outcome: Outcome) -> str:
    """Return the report for a terminal."""
    return "\n".join(_lines(outcome))


def _lines(outcome: Outcome) -> Iterator[str]:
    yield f"Load test {outcome.profile!r} on {outcome.target}, {outcome.began}, {outcome.seconds:.0f} s"
    yield outcome.machine
    if outcome.stopped:
        yield f"It ended early: {outcome.stopped}."
    yield from (f"Mind: {remark}" for remark in outcome.remarks)
    yield from ("", f"{'latency, ms':<14}{'count':>9}" + "".join(f"{head(p):>11}" for p in SHOWN))
    for name, each in outcome.latencies.items():
        values = "".join(f"{each.by_percentile[p] * 1000:>11.1f}" if each.count else f"{'–':>11}" for p in SHOWN)
        yield f"{name:<14}{each.count:>9}{values}   {LATENCIES[name]}"
    yield from ("", f"{'game':<14}{'tables':>9}{'finished':>11}{'players':>11}{'median':>11}")
    for name, game in outcome.games.items():
        median = f"{game.median_seconds:.0f} s" if game.median_seconds is not None else "–"
        yield f"{name:<14}{game.tables:>9}{game.finished:>11}{game.players:>11}{median:>11}"
    yield from ("", f"{'errors':<14}{'count':>9}")
    for error in outcome.errors:
        yield f"{error.kind:<14}{error.count:>9}   {error.reason}"
    yield "" if outcome.errors else "none"
    for name, figure in FIGURES.items():
        yield f"{name:<24}{number(outcome.figures[name]):>12}   {figure.meaning}"
    yield ""
    yield from (f"{'met   ' if each.met else 'MISSED'} {_said(each)}" for each in outcome.objectives)
    yield "All objectives were met." if outcome.met else "Objectives were missed."


def _said(objective: Objective) -> str:
    """Return an objective and what came of it as a sentence's part."""
    side = "at least" if objective.side == "at_least" else "at most"
    return f"{objective.figure} {side} {number(objective.limit)}: {number(objective.value)}"
