"""Doing things when they are due, and knowing how late they were done."""

import asyncio

from cheeseboard_loadtest.tally import Tally

BEAT_SECONDS = 0.05


def now() -> float:
    """Return the time by the clock of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


async def until(due: float, tally: Tally) -> None:
    """Return when something is due; how much later that is counts as the tester's own lag."""
    await asyncio.sleep(max(0.0, due - now()))
    tally.latencies["lag"].add(max(0.0, now() - due))


async def beat(tally: Tally) -> None:
    """Measure the tester's lag all the time, also while nothing is due."""
    while True:
        await until(now() + BEAT_SECONDS, tally)
