"""The engine's own hand: acts on time-outs, plays for bots and absent players, ends what nobody touches.

The replica that committed a step runs a timer for what it made due; sweeping every partition once a second is the net
for what a dead replica left. Both only look at the table again: the table itself says what is due.
"""

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from engine_service.rules.game import Move
from engine_service.store.directory import Directory
from engine_service.store.head import Head
from engine_service.tables import lifecycle, playing
from engine_service.tables.codec import Entry
from engine_service.tables.commands import QUARANTINE_AFTER, Tables
from engine_service.tables.games import game_of
from engine_service.tables.records import archive
from engine_service.tables.stored import Stored
from engine_service.tables.table import Asked
from service_runtime.errors import Refused, StoreUnavailable
from service_runtime.logs import logger
from service_runtime.partitions import partition_of

log = logger("clock")

SWEEP_SECONDS = 1.0
TIMER_SECONDS = 120.0
"""What is due later than this is left to the sweep."""
NEWER_SECONDS = 60.0
"""How long a replica leaves a table alone that only a newer release can read."""
MOST_SWEPT = 64
"""Tables taken from one partition by one sweep."""
MOST_AT_ONCE = 16
"""Acting is what costs, not sweeping: when thousands are due, everyone's moves come in between so many."""


class Clock:
    """Runs in every replica that writes tables."""

    def __init__(self, tables: Tables, directory: Directory, partitions: int) -> None:
        self._tables = tables
        self._directory = directory
        self._partitions = partitions
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._newer: dict[str, float] = {}
        """Tables that only a newer release can read, by the moment at which this replica looks again, monotonic."""
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._stopped = False
        tables.committed.append(self.committed)

    async def run(self) -> None:
        """Sweep until cancelled."""
        while True:
            await self.sweep()
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.8, 1.2))

    async def sweep(self) -> None:
        """Sweep every partition once, and act on what is due."""
        self._newer = {table_id: until for table_id, until in self._newer.items() if until > time.monotonic()}
        left = [[table_id for table_id in self._newer if partition_of(table_id) == p] for p in range(self._partitions)]
        store = self._tables.store
        found = await asyncio.gather(
            *(store.sweep(p, MOST_SWEPT, left[p]) for p in range(self._partitions)), return_exceptions=True
        )
        for partition, outcome in enumerate(found):
            if isinstance(outcome, StoreUnavailable):
                continue  # Its Redis is away; that of others may not be.
            if isinstance(outcome, BaseException):
                log.error("a partition could not be swept", partition=partition, trouble=type(outcome).__name__)
                continue
            for table_id in outcome:
                self.act_soon(table_id)

    async def stop(self) -> None:
        """Start nothing new; finish what was begun."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        if self._acting:
            await asyncio.wait(list(self._acting.values()))

    def committed(self, before: Head | None, stored: Stored, entry: Entry, due_ms: int | None) -> None:
        """Set the timer of a table that this replica just wrote."""
        self._set_timer(stored.table.table_id, None if due_ms is None else due_ms - stored.now_ms)

    def act_soon(self, table_id: str) -> None:
        """Look at a table in a task of its own, one at a time for each table."""
        self._timers.pop(table_id, None)
        if self._stopped or table_id in self._acting:
            return
        task = asyncio.create_task(self._act(table_id), name=f"clock {table_id}")
        self._acting[table_id] = task
        task.add_done_callback(lambda _: self._acting.pop(table_id, None))

    def _set_timer(self, table_id: str, after_ms: int | None) -> None:
        timer = self._timers.pop(table_id, None)
        if timer is not None:
            timer.cancel()
        if after_ms is not None and after_ms < TIMER_SECONDS * 1000 and not self._stopped:
            after = max(0, after_ms) / 1000
            self._timers[table_id] = asyncio.get_running_loop().call_later(after, self._ring, table_id)

    def _ring(self, table_id: str) -> None:
        if table_id in self._acting:  # It acts already, perhaps on what was due before: look again when it is done.
            self._set_timer(table_id, 10)
        else:
            self.act_soon(table_id)

    async def _act(self, table_id: str) -> None:
        try:
            async with self._room:
                await self._act_once(table_id)
        except StoreUnavailable:
            pass  # The lease ends, and some replica's sweep finds the table again.
        except Refused as refused:
            if refused.reason in ("TABLE_NOT_FOUND", "QUARANTINED"):
                await _quietly(lambda: self._tables.store.postpone(table_id, None))
            elif refused.reason == "NEWER_RELEASE":
                await self._leave_to_newer(table_id)
        except Exception:
            log.exception("a table could not be acted on", table=table_id)
            await self._back_off(table_id)

    async def _act_once(self, table_id: str) -> None:
        stored = await self._tables.load(table_id)
        work = lifecycle.work_due(stored, self._tables.policy)
        due = [a for a in stored.table.asked if a.due_ms is not None and a.due_ms <= stored.now_ms]
        if work == "archive":
            await archive(self._tables.store, stored, self._tables.policy)
            self._set_timer(table_id, 0)
        elif work == "remove":
            await self._remove(stored)
        elif work == "wait":
            await self._tables.store.postpone(table_id, lifecycle.looks_again_ms(stored))
        elif work == "change":
            await self._tables.execute(table_id, lambda s: lifecycle.end(s, self._tables.policy))
        for asked in due:
            await self._answer(stored, asked)

    async def _answer(self, stored: Stored, asked: Asked) -> None:
        """Answer one question whose time is over: a bot by its own choice, everyone else by the default."""
        table, policy = stored.table, self._tables.policy
        move = _bot_move(stored, asked)
        if move is not None:
            try:
                await self._tables.execute(table.table_id, lambda s: playing.move(s.table, move, s.now_ms, policy))
                return
            except Refused as refused:  # Answered meanwhile, most likely; if not, the default follows.
                log.info("a bot was refused", table=table.table_id, reason=refused.reason)
        await self._tables.execute(
            table.table_id, lambda s: playing.time_up(s.table, asked.seat, asked.window, s.now_ms, policy)
        )

    async def _remove(self, stored: Stored) -> None:
        """Remove a closed table and what leads to it."""
        table = stored.table
        kept_ms = self._tables.policy.record_days * 86_400_000
        if await self._tables.store.remove(table.table_id, stored.head, table.code, kept_ms):
            await self._directory.release_code(table.code)
            for sitter in table.seats:
                if sitter is not None and sitter.player_id:
                    await self._directory.forget(sitter.player_id, table.table_id)

    async def _leave_to_newer(self, table_id: str) -> None:
        """Give a table back, due as it is, for a replica that can read it."""
        self._newer[table_id] = time.monotonic() + NEWER_SECONDS
        log.info("a table is left to a newer release", table=table_id)
        await _quietly(lambda: self._tables.store.postpone(table_id, 0))

    async def _back_off(self, table_id: str) -> None:
        """Look again later, and ever later; a table in quarantine not at all."""

        async def postpone() -> None:
            row = await self._tables.store.read(table_id)
            later = row.server_ms - row.credit_ms + 1000 * 2 ** min(row.faults, 8)
            await self._tables.store.postpone(table_id, None if row.faults >= QUARANTINE_AFTER else later)

        await _quietly(postpone)


def _bot_move(stored: Stored, asked: Asked) -> Move[object] | None:
    """Ask a bot, which is told what its seat sees and nothing else. None: no bot sits there, or it failed."""
    table, game, seat = stored.table, game_of(stored.table), asked.seat
    sitter = table.seats[seat] if seat is not None else None
    if seat is None or sitter is None or not sitter.bot:
        return None
    try:
        offers = game.offers(table.state, seat)
        return game.bots[sitter.bot](seat, game.view(table.state, seat), offers, secrets.token_bytes(32))
    except Exception:
        log.exception("a bot failed; its default is played", table=table.table_id, bot=sitter.bot)
        return None


async def _quietly(work: Callable[[], Awaitable[None]]) -> None:
    with suppress(StoreUnavailable):
        await work()
