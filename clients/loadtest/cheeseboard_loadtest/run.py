"""A run: everybody comes, the tester measures itself and the services, and it ends in time."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from cheeseboard_loadtest.crowd import come
from cheeseboard_loadtest.outcome import Outcome, machine, outcome
from cheeseboard_loadtest.profile import Profile
from cheeseboard_loadtest.tally import Tally
from cheeseboard_loadtest.target import Target
from cheeseboard_loadtest.timeline import Timeline
from cheeseboard_loadtest.timing import beat, now
from cheeseboard_loadtest.usage import Meter

ROW_SECONDS = 1.0

Watch = Callable[[Tally, Timeline], None]
"""Is shown how it goes, about once a second."""


async def run(name: str, profile: Profile, target: Target, watch: Watch, stop: asyncio.Event) -> Outcome:
    """Return what came of a profile; `stop` ends it early."""
    tally, began, on = Tally(), datetime.now(UTC).isoformat(timespec="seconds"), machine()
    timeline = Timeline(tally)
    beside = [asyncio.create_task(beat(tally)), asyncio.create_task(_write_down(timeline, tally, target, watch))]
    crowd = asyncio.create_task(come(profile, target.clients, tally, f"load-{secrets.token_hex(3)}"))
    try:
        stopped = await _ended(crowd, beside, stop, profile.limit_seconds)
    finally:
        for task in (crowd, *beside):
            task.cancel()
        await asyncio.gather(crowd, *beside, return_exceptions=True)
    return outcome(name, target.name, profile, tally, timeline.rows, began, on, stopped)


async def _ended(crowd: asyncio.Task[None], beside: list[asyncio.Task[None]], stop: asyncio.Event, limit: float) -> str:
    """Return when everybody is done, or why earlier. Raises what a task raises: a fault of the tester."""
    stopping = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait([crowd, *beside, stopping], timeout=limit, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    with suppress(asyncio.CancelledError):
        await stopping
    for task in done - {stopping}:
        await task
    if crowd in done:
        return ""
    return "it was stopped" if stop.is_set() else f"the limit of {limit:g} seconds was reached"


async def _write_down(timeline: Timeline, tally: Tally, target: Target, watch: Watch) -> None:
    meter, began = Meter(target.sources), now()
    await meter.read()
    while True:
        await asyncio.sleep(ROW_SECONDS - (now() - began) % ROW_SECONDS)
        timeline.add(now() - began, await meter.read())
        watch(tally, timeline)
