"""The report as one page that needs nothing else: no script, no network, light and dark."""

from collections.abc import Callable, Iterator, Sequence
from html import escape

from cheeseboard_loadtest.charts import Line, lines, percentiles, stacked
from cheeseboard_loadtest.figures import FIGURES
from cheeseboard_loadtest.outcome import Outcome
from cheeseboard_loadtest.tally import LATENCIES, State
from cheeseboard_loadtest.timeline import STATES, Row
from cheeseboard_loadtest.usage import MACHINE
from cheeseboard_loadtest.wording import SHOWN, head, number

MOST_REASONS = 5
"""So many reasons of errors have a colour of their own."""
MOST_BINS = 60

STYLE = """
:root { color-scheme: light dark; --paper: #fcfcfb; --ink: #1c1c1a; --soft: #5d5d58; --rule: #dcdcd6; --good: #17754a;
  --bad: #b3261e; --c0: #2a6fbb; --c1: #c4572b; --c2: #1f8a70; --c3: #9c3fa0; --c4: #a67c00; --c5: #5b6470; }
@media (prefers-color-scheme: dark) { :root { --paper: #181817; --ink: #ecece6; --soft: #a5a59d; --rule: #393936;
  --good: #58c08d; --bad: #f2857c; --c0: #6fb0f5; --c1: #f09a6b; --c2: #52c7a8; --c3: #d68bd9; --c4: #dcb64b;
  --c5: #aab3bf; } }
body { margin: 2rem auto; max-width: 84rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } p { margin: .3rem 0; }
small, .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.5rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
figure { margin: 0; } svg { width: 100%; height: auto; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; border-bottom: 1px solid var(--rule); white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
figure ul { display: flex; flex-wrap: wrap; gap: .1rem 1rem; list-style: none; margin: .2rem 0; padding: 0; }
figure li { color: var(--soft); font-size: .85rem; } svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
figure i { display: inline-block; width: 1.1rem; margin-right: .35rem; vertical-align: middle;
  border-top: 3px solid var(--c); }
.grid { stroke: var(--rule); } .line { fill: none; stroke: var(--c); stroke-width: 1.6; stroke-linejoin: round;
  stroke-linecap: round; }
.area { fill: var(--c); fill-opacity: .75; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); }
"""


def page(outcome: Outcome) -> str:
    """Return the page as HTML."""
    title = f"Load test: {escape(outcome.profile)}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>{STYLE}</style>'
        f"<h1>{title}</h1>{''.join(_about(outcome))}"
        f"<h2>Objectives</h2>{_objectives(outcome)}"
        f'<h2>How it went</h2><div class="charts">{"".join(_charts(outcome))}</div>'
        f"<h2>Latencies</h2>{_latencies(outcome)}"
        f"<h2>Games</h2>{_games(outcome)}<h2>Errors</h2>{_errors(outcome)}"
        f"<h2>All figures</h2>{_figures(outcome)}</html>"
    )


def _about(outcome: Outcome) -> Iterator[str]:
    verdict = '<b class="good">All objectives met</b>' if outcome.met else '<b class="bad">Objectives missed</b>'
    yield f"<p>{verdict} · {outcome.seconds:.0f} s on {escape(outcome.target)} · {escape(outcome.began)}</p>"
    yield f'<p class="soft">{escape(outcome.machine)}</p>'
    if outcome.stopped:
        yield f'<p class="bad">It ended early: {escape(outcome.stopped)}.</p>'
    yield from (f'<p class="bad">Mind: {escape(remark)}</p>' for remark in outcome.remarks)


def _charts(outcome: Outcome) -> Iterator[str]:
    rows = outcome.timeline
    yield stacked("Players", "at each moment", [Line(state, _over(rows, _state(state))) for state in STATES])
    yield lines(
        "Arrivals and moves",
        "per second",
        [Line("arrivals", _rate(rows, lambda row: row.arrived)), Line("moves", _rate(rows, lambda row: row.moves))],
    )
    for name, unit, times in (("match wait", "seconds", 1.0), ("move", "ms", 1000.0), ("lag", "ms", 1000.0)):
        halves = enumerate(("median", "99 %"))
        drawn = [Line(half, _over(rows, _latency(name, at, times))) for at, half in halves]
        yield lines("Tester's lag" if name == "lag" else name.capitalize(), f"{unit}, by second", drawn)
    yield percentiles(
        "Latencies by percentile",
        "ms, logarithmic",
        [
            Line(name, [(p, value * 1000) for p, value in each.by_percentile.items()])
            for name, each in outcome.latencies.items()
        ],
    )
    yield stacked("Errors", "per second", _errors_over(outcome))
    processes = sorted({name for row in rows for name in row.loads} - {MACHINE})
    yield lines("CPU", "cores", [Line(name, _over(rows, _cores(name))) for name in processes])
    yield lines("Memory", "MiB", [Line(name, _over(rows, _memory(name))) for name in processes])
    yield lines("CPU of the whole machine", "cores", [Line("everything on it", _over(rows, _cores(MACHINE)))])


def _over(rows: Sequence[Row], value: Callable[[Row], float | None]) -> list[tuple[float, float | None]]:
    return [(row.at, value(row)) for row in rows]


def _rate(rows: Sequence[Row], value: Callable[[Row], float]) -> list[tuple[float, float | None]]:
    before = [0.0, *(row.at for row in rows)]
    return [(row.at, value(row) / (row.at - then)) for then, row in zip(before, rows, strict=False) if row.at > then]


def _state(state: State) -> Callable[[Row], float | None]:
    return lambda row: row.states[state]


def _errors_over(outcome: Outcome) -> list[Line]:
    named = [f"{error.kind} {error.reason}" for error in outcome.errors]
    shown = named[:MOST_REASONS]
    drawn = [Line(name, _binned(outcome.timeline, {name})) for name in shown]
    others = Line("others", _binned(outcome.timeline, {*named[MOST_REASONS:]}))
    return [*drawn, others] if len(named) > MOST_REASONS else drawn


def _binned(rows: Sequence[Row], names: set[str]) -> list[tuple[float, float | None]]:
    """Return rare things as rates over a few rows together."""
    together = max(1, len(rows) // MOST_BINS)
    bins = [rows[at : at + together] for at in range(0, len(rows), together)]
    starts = [0.0, *(of[-1].at for of in bins)]
    sums = [sum(count for row in of for name, count in row.errors.items() if name in names) for of in bins]
    return [(of[-1].at, total / (of[-1].at - start)) for of, total, start in zip(bins, sums, starts, strict=False)]


def _latency(name: str, half: int, times: float) -> Callable[[Row], float | None]:
    def value(row: Row) -> float | None:
        seconds = row.latencies.get(name, (None, None))[half]
        return None if seconds is None else seconds * times

    return value


def _cores(name: str) -> Callable[[Row], float | None]:
    return lambda row: row.loads[name].cores if name in row.loads else None


def _memory(name: str) -> Callable[[Row], float | None]:
    return lambda row: row.loads[name].memory_bytes / 2**20 if name in row.loads else None


def _objectives(outcome: Outcome) -> str:
    rows = [
        [
            '<span class="good">met</span>' if each.met else '<span class="bad">missed</span>',
            each.figure,
            each.side.replace("_", " "),
            number(each.limit),
            number(each.value),
        ]
        for each in outcome.objectives
    ]
    return _table(["", "figure", "", "limit", "was"], rows, {3, 4})


def _latencies(outcome: Outcome) -> str:
    rows = [
        [
            name,
            f"{each.count:,}",
            *(f"{each.by_percentile[p] * 1000:,.1f}" if each.count else "–" for p in SHOWN),
            LATENCIES[name],
        ]
        for name, each in outcome.latencies.items()
    ]
    return _table(["ms", "count", *(head(p) for p in SHOWN), "what it is"], rows, set(range(1, 7)))


def _games(outcome: Outcome) -> str:
    rows = [
        [
            name,
            f"{game.tables:,}",
            f"{game.finished:,}",
            f"{game.players:,}",
            f"{game.median_seconds:.0f}" if game.median_seconds is not None else "–",
        ]
        for name, game in outcome.games.items()
    ]
    return _table(["game", "tables", "played to the end", "players", "median length, s"], rows, {1, 2, 3, 4})


def _errors(outcome: Outcome) -> str:
    rows = [[error.kind, escape(error.reason), f"{error.count:,}"] for error in outcome.errors]
    return _table(["kind", "reason", "count"], rows, {2}) if rows else "<p>None.</p>"


def _figures(outcome: Outcome) -> str:
    rows = [[name, number(outcome.figures[name]), figure.meaning] for name, figure in FIGURES.items()]
    return _table(["figure", "value", "what it is"], rows, {1})


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> str:
    def cells(kind: str, row: Sequence[str]) -> str:
        return "".join(f"<{kind}{' class=n' if at in numbers else ''}>{cell}</{kind}>" for at, cell in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{cells("th", heads)}</tr>{body}</table></div>'
