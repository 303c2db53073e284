"""How a run goes, while it goes: redrawn on a terminal, a line now and then elsewhere."""

import time
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.table import Table as Grid

from cheeseboard_loadtest.profile import Profile
from cheeseboard_loadtest.tally import Tally
from cheeseboard_loadtest.timeline import Timeline

LINE_SECONDS = 10.0


class Progress:
    """Shows a run; use it by `with`, and call it whenever there is something new."""

    def __init__(self, profile: Profile, console: Console) -> None:
        self._players = profile.arrivals.count
        self._console = console
        self._live = Live(console=console, refresh_per_second=2, transient=True) if console.is_terminal else None
        self._next_line = time.monotonic() + LINE_SECONDS

    def __enter__(self) -> "Progress":
        """Begin to show."""
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the screen to the report."""
        if self._live:
            self._live.stop()

    def __call__(self, tally: Tally, timeline: Timeline) -> None:
        """Show how it is now."""
        lines = _lines(tally, timeline, self._players)
        if self._live:
            grid = Grid.grid(padding=(0, 2))
            for name, told in lines.items():
                grid.add_row(name, told)
            self._live.update(grid)
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE_SECONDS
            self._console.print("; ".join(f"{name}: {told}" for name, told in lines.items()), soft_wrap=True)


def _lines(tally: Tally, timeline: Timeline, players: int) -> dict[str, str]:
    row = timeline.rows[-1]
    finished = sum(table.finished_at is not None for table in tally.tables.values())
    return {
        "time": f"{row.at:.0f} s",
        "players": f"{tally.counts['arrived']} of {players} came, {tally.counts['seated']} seated, "
        f"{row.states['waiting']} waiting, {row.states['playing']} playing, {row.states['away']} away",
        "tables": f"{len(tally.tables)}, {finished} finished",
        "moves": f"{row.moves}/s, {tally.counts['moves']} in all",
        "p50 / p99": ", ".join(
            f"{name} {_ms(latency.percentile(50))} / {_ms(latency.percentile(99))}"
            for name, latency in sorted(tally.latencies.items())
        ),
        "errors": ", ".join(f"{count} {kind} {reason}" for (kind, reason), count in tally.errors.most_common(6))
        or "none",
        "cores": ", ".join(f"{name} {load.cores:.2f}" for name, load in row.loads.items()),
    }


def _ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:.1f} s" if seconds >= 10 else f"{seconds * 1000:.0f} ms"
