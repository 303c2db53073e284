"""Measuring: CPU of a process, rounds of rival runs in turn, medians."""

import os
import statistics
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path

ROUNDS = 5

SERVER_CORE, LOAD_CORE = (0, 1) if (os.cpu_count() or 1) > 1 else (0, 0)


def pin(pid: int, core: int) -> None:
    """Keep every thread of a process on one core."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):  # Threads come and go.
            os.sched_setaffinity(int(thread.name), {core})


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used, from the scheduler's own account."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def resident_bytes(pid: int) -> int:
    """Return the memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def in_turn(*runs: Callable[[], Awaitable[float]], rounds: int = ROUNDS) -> list[float]:
    """Run each once a round, one after the other, and return the median of each."""
    results: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, found in zip(runs, results, strict=True):
            found.append(await run())
    return [statistics.median(found) for found in results]


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which this share lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
