"""`python -m tests.faults [--seed N] [words…]`: the long form. Exit code 1 if anything was broken.

Words choose scenarios by name; without any all are run, in half an hour.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from tests.faults import crowds, scenarios, seekers
from tests.faults.crowds import Crowd
from tests.faults.report import Row, print_rows
from tests.support.stack import running_stack

ENGINE_KILLS, SCORING_KILLS, STORE_KILLS, FAILOVERS = 100, 100, 20, 15
MATCHERS, MATCHER_KILLS, MATCH_STORE_KILLS, SEEKERS = 8, 40, 8, 32
SHOWN = 5
"""Broken promises of a scenario that are told in words."""

ON_A_SITE: dict[str, Callable[[scenarios.Site, random.Random], Awaitable[Row]]] = {
    "bad lines": partial(scenarios.bad_lines, seconds=45),
    "engines killed": partial(scenarios.engines_killed, kills=ENGINE_KILLS),
    "scoring killed": partial(scenarios.scorings_killed, kills=SCORING_KILLS),
    "Redis killed": partial(scenarios.store_killed, kills=STORE_KILLS),
    "everything killed": partial(scenarios.everything_killed, kills=10),
    "disk stalls": partial(scenarios.disk_stalls, times=6),
    "memory full": partial(scenarios.memory_full, times=10),
    "rolling restarts": partial(scenarios.rolling_restart, rounds=5),
}
"""On one product, one after the other."""

ON_ITS_OWN: dict[str, Callable[[Path, random.Random], Awaitable[Row]]] = {
    "cluster failovers": partial(scenarios.cluster_failovers, times=FAILOVERS),
}


CROWD_SECONDS = 12.0
CROWDS = (
    Crowd("nobody", 0, most_mb=20),
    Crowd("deaf", 32, most_mb=30),
    Crowd("idle", 1000, most_mb=80),
    Crowd("abandon", 5000, most_mb=80),
    Crowd("moves", 3000, most_mb=20),
    Crowd("moves_at_once", 10_000, most_mb=50),
    Crowd("play", 10_000, most_mb=20),
    Crowd("garbage", 1000, most_mb=20),
)


async def run(seed: int, chosen: Callable[[str], bool], folder: Path) -> list[Row]:
    """Run the scenarios that are chosen by name, one after the other."""
    rows: list[Row] = []

    async def one(scenario: Awaitable[Row]) -> None:
        began = time.monotonic()
        rows.append(await scenario)
        print_rows(rows[-1:], heads=len(rows) == 1)
        print(f"  {time.monotonic() - began:.0f} s", flush=True)

    async with AsyncExitStack() as exits:
        names = [name for name in ON_A_SITE if chosen(name)]
        if names:
            site = await exits.enter_async_context(scenarios.site(folder))
        for name in names:
            await one(ON_A_SITE[name](site, random.Random(seed)))
    for name in filter(chosen, ON_ITS_OWN):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            await one(ON_ITS_OWN[name](Path(own), random.Random(seed)))
    return rows


async def run_crowds(seed: int, chosen: Callable[[str], bool], folder: Path) -> list[Crowd]:
    """Have the crowds come that are chosen by name, one after the other, to a product of their own."""
    came = [crowd for crowd in CROWDS if chosen(f"crowd {crowd.kind}")]
    if came:
        async with crowds.site(folder / "crowds") as stack:
            for crowd in came:
                began = time.monotonic()
                await crowds.run(stack, crowd, random.Random(seed), CROWD_SECONDS)
                crowds.print_crowds([crowd], heads=crowd is came[0])
                print(f"  {time.monotonic() - began:.0f} s", flush=True)
    return came


async def run_seekers(seed: int, folder: Path) -> seekers.Sought:
    """Kill a product of many replicas under people who look for games."""
    with running_stack(folder / "seekers", MATCHERS, scorings=0, settings=scenarios.SETTINGS) as stack:
        return await seekers.everything_killed(stack, SEEKERS, MATCHER_KILLS, MATCH_STORE_KILLS, random.Random(seed))


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("words", nargs="*", help="only what has one of these words in its name: cluster, crowd")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        chosen = partial(_chosen, asked.words)
        rows = asyncio.run(run(asked.seed, chosen, Path(folder)))
        sought = asyncio.run(run_seekers(asked.seed, Path(folder))) if chosen("finding games") else None
        came = asyncio.run(run_crowds(asked.seed, chosen, Path(folder)))
    broken = [(row.scenario, row.broken) for row in rows if row.broken]
    broken += [(crowd.kind, wrong) for crowd in came if (wrong := [*crowd.broken, *crowd.slow])]
    if sought is not None:
        print(sought.line())
        broken += [("finding games", sought.broken)] if sought.broken else []
    for scenario, what in broken:
        print(f"\n{scenario}, {len(what)} times:", *what[:SHOWN], sep="\n  ")
    return 1 if broken else 0


def _chosen(words: list[str], name: str) -> bool:
    return not words or any(word in name for word in words)


if __name__ == "__main__":
    sys.exit(main())
