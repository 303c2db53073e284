"""Deals with every entry of a stream at least once, whoever is killed when; handlers are idempotent.

What a handler raises decides: `Poisoned` counts towards the tries after which the entry is parked; `NotOurs` puts it
back for another replica; anything else is our trouble, not the entry's, and is tried again for as long as it takes.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from . import metrics
from .logs import logger
from .redis_connection import RedisConnection
from .redis_script import load_script
from .redis_wire import Argument
from .store_errors import ReplyError, StoreUnavailable
from .stream_entry import TRIES, Entry, NotOurs, Poisoned, parked_key, tries_key
from .stream_reader import PAGE, StreamReader

__all__ = ["Entry", "NotOurs", "Poisoned", "StreamConsumer"]

log = logger("streams")

_POISONED = load_script(__package__, "scripts/poisoned.lua")

POLL_SECONDS = 0.25
CLAIM_EVERY_SECONDS = 5.0
FORGET_EVERY_SECONDS = 3600.0
LONGEST_PAUSE_SECONDS = 5.0
PUT_BACK_SECONDS = 0.5
MOST_HELD = 1024
"""Entries in hand, waiting for their next try included, before no more are read."""


class StreamConsumer:
    """One replica's share in the work on a stream: `run` it in a task, `stop` it.

    `handle` either acknowledges and deletes the entry in its own script or calls `finish`.
    """

    def __init__(
        self,
        connection: RedisConnection,
        *,
        stream: str,
        group: str,
        consumer: str,
        partitions: int,
        handle: Callable[[Entry], Awaitable[None]],
        concurrency: int = 32,
        claim_idle_seconds: float = 10.0,
        retry_seconds: float = 0.1,
    ) -> None:
        self._connection = connection
        self._stream = stream
        self._reader = StreamReader(connection, stream, group, consumer, partitions)
        self._handle = handle
        self._slots = asyncio.Semaphore(concurrency)
        self._claim_idle_ms = int(claim_idle_seconds * 1000)
        self._retry_seconds = retry_seconds
        self._held: dict[tuple[int, str], asyncio.Task[None]] = {}
        self._woken: set[int] = set()
        self._wake = asyncio.Event()
        self._wake.set()
        self._stopping = False
        self._troubled = False

    async def run(self) -> None:
        """Work until stopped. Redis being away is waited for."""
        listener = self._connection.listener()
        listener.on_reconnect(self._wake.set)
        listening = asyncio.create_task(self._listen(listener.subscribe))
        try:
            await self._work()
        finally:
            listening.cancel()
            await listener.close()

    async def stop(self, patience_seconds: float = 2.0) -> None:
        """Take no more entries; let those in hand finish for a while, then leave them to others."""
        self._stopping = True
        self._wake.set()
        if self._held:
            await asyncio.wait(self._held.values(), timeout=patience_seconds)
        for task in tuple(self._held.values()):
            task.cancel()

    async def finish(self, entry: Entry) -> None:
        """Acknowledge and delete an entry, in one step."""
        await self._reader.finish(entry)

    async def _listen(self, subscribe: Callable[[str, Callable[[bytes], None]], Awaitable[None]]) -> None:
        # Without it entries come by polling, so there is no hurry.
        while True:
            try:
                return await subscribe(self._stream, self._notice)
            except (StoreUnavailable, ReplyError):
                await asyncio.sleep(1.0)

    def _notice(self, payload: bytes) -> None:
        if payload.isdigit() and int(payload) in self._reader.partitions:
            self._woken.add(int(payload))
        self._wake.set()

    async def _work(self) -> None:
        claim_at, forget_at = time.monotonic() + _jittered(1.0), time.monotonic() + _jittered(60.0)
        while not self._stopping:
            self._take(await self._reader.own(), fresh=False)
            await self._read_new()
            if time.monotonic() >= claim_at:
                claim_at = time.monotonic() + _jittered(CLAIM_EVERY_SECONDS)
                self._take(await self._reader.stale(self._claim_idle_ms), fresh=False)
            if time.monotonic() >= forget_at:
                forget_at = time.monotonic() + _jittered(FORGET_EVERY_SECONDS)
                await self._forget_consumers()
            self._tell_trouble()

    async def _forget_consumers(self) -> None:
        try:
            await self._reader.forget_consumers(int(FORGET_EVERY_SECONDS * 1000))
        except (StoreUnavailable, ReplyError) as trouble:
            log.info("consumers could not be counted", stream=self._stream, trouble=str(trouble))

    def _tell_trouble(self) -> None:
        troubled, self._troubled = self._troubled, bool(self._reader.unsure)
        if self._troubled and not troubled:
            why = next(iter(self._reader.unsure.values()))
            log.warning("stream cannot be read", stream=self._stream, parts=len(self._reader.unsure), trouble=str(why))
        elif troubled and not self._troubled:
            log.info("stream can be read again", stream=self._stream)

    async def _read_new(self) -> None:
        woken, everything = await self._wait_for_work()
        if self._stopping or len(self._held) >= MOST_HELD:
            return
        entries = await self._reader.new(self._reader.partitions if everything else woken)
        self._take(entries, fresh=True)
        for partition, taken in Counter(entry.partition for entry in entries).items():
            if taken == PAGE:
                self._notice(str(partition).encode())

    async def _wait_for_work(self) -> tuple[set[int], bool]:
        """Return the partitions that were named, and whether all must be read."""
        try:
            async with asyncio.timeout(_jittered(POLL_SECONDS)):
                await self._wake.wait()
        except TimeoutError:
            return set(), True
        self._wake.clear()
        woken, self._woken = self._woken, set()
        return woken, not woken

    def _take(self, entries: list[Entry], *, fresh: bool) -> None:
        for entry in entries:
            key = (entry.partition, entry.id)
            if key in self._held:
                continue
            task = asyncio.create_task(self._deal_with(entry, fresh))
            self._held[key] = task
            task.add_done_callback(lambda _, key=key: self._held.pop(key, None))  # type: ignore[misc]

    async def _deal_with(self, entry: Entry, fresh: bool) -> None:
        metrics.ENTRY_SECONDS.labels(self._stream).set(max(0.0, time.time() - int(entry.id.split("-")[0]) / 1000))
        pause = self._retry_seconds
        clean = fresh
        while not await self._try_once(entry, clean):
            clean = False
            await asyncio.sleep(_jittered(pause))
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    async def _try_once(self, entry: Entry, clean: bool) -> bool:
        """Return whether the entry is off our hands."""
        try:
            if clean or await self._reader.is_there(entry):
                async with self._slots:
                    await self._handle(entry)
            if not clean:
                await self._reader.forget_tries(entry)
        except Poisoned as fault:
            return await self._count_against(entry, fault)
        except NotOurs:
            return await self._put_back(entry)
        except (StoreUnavailable, ReplyError) as trouble:
            log.warning("stream entry must wait", stream=self._stream, entry=entry.id, trouble=str(trouble))
            return False
        except Exception:
            log.exception("stream entry failed", stream=self._stream, entry=entry.id)
            metrics.ENTRIES.labels(self._stream, "failed").inc()
            return False
        metrics.ENTRIES.labels(self._stream, "done").inc()
        return True

    async def _put_back(self, entry: Entry) -> bool:
        """Let others have the entry, after a pause: while all replicas are like this one, it goes in a circle."""
        await asyncio.sleep(_jittered(PUT_BACK_SECONDS))
        try:
            await self._reader.put_back(entry)
        except (StoreUnavailable, ReplyError):
            return False
        metrics.ENTRIES.labels(self._stream, "put back").inc()
        return True

    async def _count_against(self, entry: Entry, fault: Poisoned) -> bool:
        keys = [entry.stream_key, tries_key(self._stream, entry.partition), parked_key(self._stream, entry.partition)]
        args: list[Argument] = [entry.group, entry.id, TRIES, entry.payload, str(fault)[:1000]]
        try:
            tries = await self._connection.script(_POISONED, keys, args)
        except (StoreUnavailable, ReplyError):
            return False
        log.error("stream entry is poisoned", stream=self._stream, entry=entry.id, tries=tries or TRIES, why=str(fault))
        metrics.ENTRIES.labels(self._stream, "poisoned" if tries else "parked").inc()
        return bool(tries <= 0)


def _jittered(seconds: float) -> float:
    return seconds * random.uniform(0.8, 1.2)
