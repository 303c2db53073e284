"""`python -m tests.faults [seed]`: the long form, in a quarter of an hour. Exit code 1 if anything was broken."""

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from tests.faults import scenarios, seekers
from tests.faults.report import Row, print_rows
from tests.support.stack import running_stack

ENGINE_KILLS, SCORING_KILLS, STORE_KILLS = 100, 100, 20
MATCHERS, MATCHER_KILLS, MATCH_STORE_KILLS, SEEKERS = 8, 40, 8, 32
SHOWN = 5
"""Broken promises of a scenario that are told in words."""

Run = Callable[[scenarios.Site, random.Random], Awaitable[Row]]

LONG: tuple[Run, ...] = (
    partial(scenarios.bad_lines, seconds=45),
    partial(scenarios.engines_killed, kills=ENGINE_KILLS),
    partial(scenarios.scorings_killed, kills=SCORING_KILLS),
    partial(scenarios.store_killed, kills=STORE_KILLS),
    partial(scenarios.everything_killed, kills=10),
    partial(scenarios.disk_stalls, times=6),
    partial(scenarios.memory_full, times=10),
    partial(scenarios.rolling_restart, rounds=5),
)


async def run(seed: int) -> list[Row]:
    """Run every scenario on one product, one after the other."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        async with scenarios.site(Path(folder)) as site:
            for scenario in LONG:
                began = time.monotonic()
                rows.append(await scenario(site, random.Random(seed)))
                print(f"{rows[-1].scenario}: {time.monotonic() - began:.0f} s", flush=True)
    return rows


async def run_seekers(seed: int) -> seekers.Sought:
    """Kill a product of many replicas under people who look for games."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_stack(Path(folder), MATCHERS, scorings=0, settings=scenarios.SETTINGS) as stack,
    ):
        return await seekers.everything_killed(stack, SEEKERS, MATCHER_KILLS, MATCH_STORE_KILLS, random.Random(seed))


def main() -> int:
    """Return the exit code."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else int.from_bytes(os.urandom(4), "big")
    print(f"seed {seed}", flush=True)
    rows = asyncio.run(run(seed))
    print_rows(rows)
    sought = asyncio.run(run_seekers(seed))
    print(sought.line())
    broken = [(row.scenario, row.broken) for row in rows if row.broken]
    broken += [("finding games", sought.broken)] if sought.broken else []
    for scenario, what in broken:
        print(f"\n{scenario}, {len(what)} times:", *what[:SHOWN], sep="\n  ")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
