"""`python -m tests.bench [figure…]`: measures, prints a table, writes build/bench.json. Ends by itself in minutes."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from service_runtime.redis_connection import RedisConnection
from tests.bench import figures, matching, measure, rules, windows
from tests.bench.playing import load_on
from tests.support.stack import QUICK, running_stack

RESULT = Path("build/bench.json")
LIMITS: dict[str, tuple[str, float]] = {
    "unary_vs_stock": ("at least", 0.8),
    "stream_vs_unary": ("at least", 2.0),
    "flat_tables": ("at most", 1.2),
    "flat_history": ("at most", 1.2),
    "bytes_per_running_table": ("at most", 12_288),
    "delivered_moves_per_s": ("goal", 3000),
    "p50_ms": ("goal", 1.0),
    "p99_ms": ("goal", 3.0),
    "seated_players_per_s_16": ("goal", 1000),
    "seated_players_per_s_64": ("goal", 1000),
    "match_p99_ms": ("at most", 250.0),
    "ticket_cpu_flat": ("at most", 1.5),
    "rules_decisions_per_s": ("goal", 250_000),
    "rules_decisions_with_views_per_s": ("goal", 160_000),
}
UNLIMITED = dict.fromkeys(
    (
        "CHEESEBOARD_CALLS_PER_SECOND",
        "CHEESEBOARD_MOVES_PER_SECOND",
        "CHEESEBOARD_TABLES_PER_PLAYER",
        "CHEESEBOARD_STREAMS_PER_SUBJECT",
    ),
    "1000000",
)

APART = {"rules", "matching"}
"""What needs another product than the rest, or none."""


async def of_engine(wanted: set[str]) -> dict[str, float]:
    """Measure an engine on a core of its own, with authentication, checks, log lines and metrics on."""
    parts: dict[str, Callable[[figures.Bench], Awaitable[dict[str, float]]]] = {
        "calls": figures.calls,
        "delivery": figures.delivery,
        "flat_tables": figures.flat_tables,
        "flat_history": figures.flat_history,
        "windows": windows.reactions,
    }
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, running_stack(Path(folder), settings={**QUICK, **UNLIMITED}) as stack:
        measure.pin(stack.engines[0].pid, measure.SERVER_CORE)
        for pid in (stack.valkey.pid, stack.scorings[0].pid, os.getpid()):
            measure.pin(pid, measure.LOAD_CORE)
        redis = await RedisConnection.open(stack.valkey.url)
        async with load_on(stack.engines[0].address) as load:
            for name, part in parts.items():
                if name in wanted:
                    found |= await part(figures.Bench(stack, load, redis))
                    await figures.settle()
        await redis.close()
    return found


def report(found: dict[str, float]) -> None:
    """Print the figures with what they should be, and write them down."""
    for name, value in found.items():
        kind, limit = LIMITS.get(name, ("", 0.0))
        print(f"{name:45} {value:14,.3f}   {f'{kind} {limit:,}' if kind else ''}")
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n")


def main() -> None:
    """Measure all that is asked for, by default everything."""
    wanted = set(sys.argv[1:]) or {"rules", "calls", "delivery", "flat_tables", "flat_history", "windows", "matching"}
    found = asyncio.run(rules.figures()) if "rules" in wanted else {}
    found |= asyncio.run(of_engine(wanted - APART)) if wanted - APART else {}
    found |= asyncio.run(matching.figures(UNLIMITED)) if "matching" in wanted else {}
    report(found)


if __name__ == "__main__":
    main()
