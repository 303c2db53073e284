"""Watching tables: the log is the truth, a message on the table's channel only wakes.

One channel a watched table and replica. It reads what is new once and hands each watcher its own projection. Watchers
have bounded queues: who reads too slowly is cut off with its resume point, and nobody else notices.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress

import msgspec

from cheeseboard.engine.v1 import tables_pb2 as pb
from engine_service.store import keys
from engine_service.store.head import Head
from engine_service.store.table_store import PRESENCE_MS, TableStore
from engine_service.tables.codec import Entry
from engine_service.tables.commands import Tables
from engine_service.tables.frames import Steps, heartbeat, snapshot
from engine_service.tables.stored import Stored, entries_of, stored_of
from engine_service.tables.watcher import Frame, Watcher
from service_runtime.errors import Refused, StoreUnavailable
from service_runtime.logs import logger
from service_runtime.redis_listener import Listener

log = logger("watch")

HEARTBEAT_SECONDS = 15.0
TICK_SECONDS = 0.25
RETRY_SECONDS = 0.5
MAX_AGE_SECONDS = 1800.0


class Channel:
    """A watched table in this replica."""

    def __init__(self, hub: "Hub", table_id: str) -> None:
        self.hub = hub
        self.table_id = table_id
        self.watchers: set[Watcher] = set()
        self.streams = 0
        """Streams that hold this channel open, admitted or about to be."""
        self.head: Head | None = None
        self.beats_at = time.monotonic() + HEARTBEAT_SECONDS * random.uniform(0.2, 1.0)
        self._woken_for = 0
        self._reading = asyncio.Lock()
        self._again: asyncio.Task[None] | None = None
        self._in_doubt = False
        self.connected: frozenset[int] = frozenset()
        """Seats with a stream open on any replica, as the table was read last."""

    def woken(self, payload: bytes) -> None:
        """The table moved on, says its channel. While this replica writes there, that may be its own step."""
        self._woken_for = int(payload.split(b"-")[0])
        if not self.hub.tables.is_writing(self.table_id):
            self.catch_up()

    def catch_up(self) -> None:
        """Read what is new, if the channel named a step that is not known yet."""
        if self.head is None or self._woken_for > self.head.sequence:
            self.refresh_soon()

    def refresh_soon(self) -> None:
        """Read what is new, in a task; one more read follows if this is asked for while it reads."""
        if self._again is None:
            self._again = asyncio.create_task(self._refresh_once())

    def doubt(self) -> None:
        """Redis was away and may have lost the last steps: look, and show everyone the table if nothing else is new.

        Somebody may have been told that its move was done, which is gone, and wait for it to be shown.
        """
        self._in_doubt = True
        self.refresh_soon()

    async def _refresh_once(self) -> None:
        async with self._reading:
            self._again = None
            try:
                await self._refresh()
            except StoreUnavailable:  # What the channel named is still to be shown.
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self._retry)
            except Exception:
                log.exception("a watched table could not be read", table=self.table_id)

    def _retry(self) -> None:
        if self.streams:
            self.refresh_soon()

    async def admit(self, watcher: Watcher, resume: Head | None) -> None:
        """Give a new watcher its first frame: from its resume point if the log still leads on from there."""
        async with self._reading:
            row = await self.hub.store.read(self.table_id, resume)
            stored = self.hub.tables.admitted(self.table_id, stored_of(row))
            self.connected = stored.connected
            watcher.viewer = stored.table.viewer(watcher.player_id)
            entries = entries_of(stored.table, row.entries)
            if row.fate == "on" and entries and not _hidden(stored, entries):
                watcher.sequence = resume.sequence if resume else 0
                watcher.push(Steps(stored, entries, self.hub.tables.policy).frame(watcher))
            else:  # Also where nothing happened: deadlines may have moved, who is connected may have changed.
                watcher.push(snapshot(stored, watcher, self.hub.tables.policy, reset=row.fate == "lost"))
            self.watchers.add(watcher)
            if self.head is None:
                self.head = stored.head
        if watcher.viewer is not None:
            with suppress(StoreUnavailable):  # A store that takes no writes can still be watched.
                await self.hub.store.be_here(self.table_id, watcher.viewer, stored.server_ms + PRESENCE_MS)
        if self.head != stored.head:
            self.refresh_soon()

    def committed(self, before: Head | None, stored: Stored, entry: Entry) -> None:
        """Hand on a step that this replica committed, without reading it again; who is there by now is known here."""
        if self.head == before and not self._reading.locked():
            here = self.connected.union(w.viewer for w in self.watchers if w.viewer is not None)
            self._deliver(msgspec.structs.replace(stored, connected=here), (entry,))

    async def beat(self) -> None:
        """Read again in case a message was lost, renew presence, and give every watcher a sign of life."""
        async with self._reading:
            stored = await self._refresh(patient=False)
            if stored is None:
                return
            until_ms = stored.server_ms + PRESENCE_MS
            for watcher in self.watchers:
                watcher.push(heartbeat(stored, self.hub.tables.policy))
            for seat in {w.viewer for w in self.watchers if w.viewer is not None}:
                await self.hub.store.be_here(self.table_id, seat, until_ms)

    async def _refresh(self, patient: bool = True) -> Stored | None:
        """Hand on what is new; return the table, or None if it is not to be watched any more."""
        row = await self.hub.store.read(self.table_id, self.head, patient)
        try:
            stored = self.hub.tables.admitted(self.table_id, stored_of(row))
        except Refused as gone:
            for watcher in self.watchers:
                watcher.end(gone)
            return None
        self.connected = stored.connected
        lost = row.fate == "lost" or (self._in_doubt and await self._lost_ahead())
        if row.fate == "on" and not lost and (row.entries or not self._in_doubt):
            self._deliver(stored, entries_of(stored.table, row.entries))
        else:
            self.head = stored.head
            for watcher in self.watchers:
                if self._may_look(watcher, stored):
                    watcher.push(snapshot(stored, watcher, self.hub.tables.policy, reset=lost))
        self._in_doubt = False
        return stored

    async def _lost_ahead(self) -> bool:
        """Tell whether a watcher came in at a later head than ours, and that one is lost."""
        known = self.head.sequence if self.head is not None else 0
        ahead = {watcher.resume_point for watcher in self.watchers if watcher.sequence > known}
        rows = [await self.hub.store.read(self.table_id, Head.of_resume_point(point)) for point in ahead]
        return any(row.fate == "lost" for row in rows)

    def _deliver(self, stored: Stored, entries: tuple[Entry, ...]) -> None:
        self.head = stored.head
        steps = Steps(stored, entries, self.hub.tables.policy)
        for watcher in self.watchers:
            seat = watcher.viewer
            if watcher.sequence >= stored.head.sequence or not self._may_look(watcher, stored):
                continue
            if watcher.viewer != seat:  # Its player took a seat or gave one up: what it saw before is another's view.
                watcher.push(snapshot(stored, watcher, self.hub.tables.policy, reset=False))
            else:
                watcher.push(steps.frame(watcher))

    def _may_look(self, watcher: Watcher, stored: Stored) -> bool:
        """Find the watcher's seat anew; end the stream of a player who may not look any more."""
        try:
            watcher.viewer = stored.table.viewer(watcher.player_id)
        except Refused as refused:
            watcher.end(refused)
            return False
        return True


class Hub:
    """All watched tables of this replica."""

    def __init__(self, tables: Tables, store: TableStore, listener: Listener) -> None:
        self.tables = tables
        self.store = store
        self._listener = listener
        self._channels: dict[str, Channel] = {}
        self._draining = False
        listener.on_reconnect(self._reread)
        tables.committed.append(self._committed)
        tables.stepped.append(self._stepped)

    async def run(self) -> None:
        """Beat until cancelled, each table at a time of its own: all at once would hold up everyone's moves."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            for channel in [channel for channel in self._channels.values() if channel.beats_at <= now]:
                channel.beats_at = now + HEARTBEAT_SECONDS * random.uniform(0.9, 1.1)
                try:
                    await channel.beat()
                except StoreUnavailable:
                    continue  # Of other tables it may be there.
                except Exception:
                    log.exception("a watched table could not be read", table=channel.table_id)

    async def drain(self) -> None:
        """End all streams with their resume points; new ones are refused."""
        self._draining = True
        for channel in self._channels.values():
            for watcher in channel.watchers:
                watcher.end(pb.STREAM_END_DRAINING)

    async def watch(
        self, table_id: str, player_id: str, resume: Head | None, include_view: bool, expires_at: float | None
    ) -> AsyncIterator[Frame]:
        """Yield the frames of a table as a player may see it, until the stream has to end."""
        if self._draining:
            raise Refused("DRAINING", "this replica stops; go to another", retry_seconds=0.1)
        watcher = Watcher(player_id, include_view)
        channel = await self._enter(table_id)
        try:
            await channel.admit(watcher, resume)
            if self._draining:  # By now: whoever drained did not find it among the watchers.
                watcher.end(pb.STREAM_END_DRAINING)
            with watcher.reading(*_lifetime(expires_at)):
                while (frame := await watcher.next()) is not None:
                    yield frame
            yield watcher.goodbye()
        finally:
            await self._leave(channel, watcher)

    async def _enter(self, table_id: str) -> Channel:
        """Return the table's channel, subscribed before anything is read."""
        channel = self._channels.get(table_id)
        if channel is None:
            own = Channel(self, table_id)
            await self._listener.subscribe(keys.wake(table_id), own.woken)
            channel = self._channels.setdefault(table_id, own)
            channel.streams += 1
            if channel is not own:  # Another watcher was as quick.
                await self._listener.unsubscribe(keys.wake(table_id), own.woken)
        else:
            channel.streams += 1
        return channel

    async def _leave(self, channel: Channel, watcher: Watcher) -> None:
        channel.watchers.discard(watcher)
        channel.streams -= 1
        if not channel.streams:
            del self._channels[channel.table_id]
            await self._listener.unsubscribe(keys.wake(channel.table_id), channel.woken)
        if watcher.viewer is not None and all(w.viewer != watcher.viewer for w in channel.watchers):
            with suppress(StoreUnavailable):  # The lease runs out by itself.
                await self.store.be_gone(channel.table_id, watcher.viewer)
            if channel.streams and not self._draining:  # Over another replica it may be there.
                channel.refresh_soon()

    def _committed(self, before: Head | None, stored: Stored, entry: Entry, due_ms: int | None) -> None:
        channel = self._channels.get(stored.table.table_id)
        if channel is not None:
            channel.committed(before, stored, entry)

    def _stepped(self, table_id: str) -> None:
        channel = self._channels.get(table_id)
        if channel is not None:
            channel.catch_up()

    def _reread(self) -> None:
        for channel in self._channels.values():
            channel.doubt()


def _hidden(stored: Stored, entries: Iterable[Entry]) -> bool:
    """Tell whether any of these events may not be looked back at now."""
    return any(stored.table.hides(n) for entry in entries for n in range(entry.first, entry.last + 1))


def _lifetime(expires_at: float | None) -> "tuple[float, pb.StreamEnd.ValueType]":
    """Return how long a stream lasts, and why it then ends."""
    age = MAX_AGE_SECONDS * random.uniform(0.8, 1.2)
    if expires_at is not None and expires_at - time.time() < age:
        return expires_at - time.time(), pb.STREAM_END_TOKEN_EXPIRED
    return age, pb.STREAM_END_MAX_AGE
