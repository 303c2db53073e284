"""What processes use: CPU seconds and memory, from Prometheus metrics, from /proc, or one's own; and all together."""

import asyncio
import os
import resource
import sys
import time
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TIMEOUT_SECONDS = 2.0
MACHINE = "whole machine"
"""The name under which everything together stands beside the processes."""


@dataclass(frozen=True)
class Used:
    """What a process has used since it began, and holds now."""

    cpu_seconds: float
    memory_bytes: float


@dataclass(frozen=True)
class Load:
    """What a process used lately: 1.0 is one core."""

    cores: float
    memory_bytes: float


Source = Callable[[], Awaitable[Used | None]]
"""Says what a process uses; None when it is not there."""


def of_metrics(url: str) -> Source:
    """Return the source that a service's /metrics is."""

    def read() -> Used | None:
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer:
                lines = answer.read().decode().splitlines()
        except OSError:
            return None
        found = dict(line.split(" ", 1) for line in lines if line.startswith("process_"))
        try:
            return Used(float(found["process_cpu_seconds_total"]), float(found["process_resident_memory_bytes"]))
        except (KeyError, ValueError):
            return None

    return lambda: asyncio.to_thread(read)


def of_child(parent: int, word: str) -> Source:
    """Return the source for the child of a process whose command has a word in it, where there is a /proc."""

    async def read() -> Used | None:
        try:
            threads = (PROC / f"{parent}/task").glob("*/children")
            children = [pid for thread in threads for pid in thread.read_text().split()]
            named = [pid for pid in children if word in (PROC / pid / "cmdline").read_text().partition("\0")[0]]
            return _of_process(named[0]) if named else None
        except OSError:
            return None

    return read


async def of_self() -> Used | None:
    """Return what this process uses; of memory, the most that it ever held."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Used(time.process_time(), most * (1 if sys.platform == "darwin" else 1024))


async def of_machine() -> Used | None:
    """Return what everything on this machine uses together, where there is a /proc."""
    try:
        ticks = [int(field) for field in (PROC / "stat").read_text().split("\n", 1)[0].split()[1:9]]
        memory = dict(line.split(":") for line in (PROC / "meminfo").read_text().splitlines())
    except OSError:
        return None
    held = [int(memory[name].split()[0]) for name in ("MemTotal", "MemAvailable")]
    idle = ticks[3] + ticks[4]
    return Used((sum(ticks) - idle) / os.sysconf("SC_CLK_TCK"), (held[0] - held[1]) * 1024)


def _of_process(pid: str) -> Used:
    fields = (PROC / pid / "stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return Used(ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"))


class Meter:
    """Asks the sources, and tells what was used between two times."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = {**sources, "tester": of_self, MACHINE: of_machine}
        self._before: dict[str, tuple[float, Used]] = {}

    async def read(self) -> dict[str, Load]:
        """Return the load since the last time, by process; of those that were there both times."""
        names = list(self._sources)
        answers = await asyncio.gather(*(self._sources[name]() for name in names))
        at, found = time.monotonic(), dict[str, Load]()
        for name, used in zip(names, answers, strict=True):
            if used is None:
                self._before.pop(name, None)
                continue
            then, before = self._before.get(name, (at, used))
            if then < at and before.cpu_seconds <= used.cpu_seconds:  # A process started anew has used less.
                found[name] = Load((used.cpu_seconds - before.cpu_seconds) / (at - then), used.memory_bytes)
            self._before[name] = at, used
        return found
