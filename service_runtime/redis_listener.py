"""Pub/sub, for waking up only: a message may be lost with its connection, so what it points to must be read anyway."""

import asyncio
from collections.abc import Callable
from typing import Any

from .logs import logger
from .redis_address import RedisAddress
from .redis_wire import ConnectionLost, RedisWire, ReplyError, connect, ignore, settle
from .store_errors import StoreUnavailable

log = logger("redis")

Callback = Callable[[bytes], None]

LONGEST_PAUSE_SECONDS = 0.5
PING_SECONDS = 5.0


class Listener:
    """Channels and who listens to them, on a connection of its own that is kept up.

    `where` says for each connection which server it goes to. Callbacks are plain functions and must be short. After a
    reconnect, when all channels are subscribed again, every `on_reconnect` function is called: messages in between are
    lost.
    """

    def __init__(self, where: Callable[[], RedisAddress], *, reply_seconds: float, budget_seconds: float) -> None:
        self._where = where
        self._reply_seconds = reply_seconds
        self._budget_seconds = budget_seconds
        self._callbacks: dict[bytes, list[Callback]] = {}
        self._reconnected: list[Callable[[], None]] = []
        self._wire: RedisWire | None = None
        self._ready = asyncio.Event()
        self._keeper = asyncio.create_task(self._keep_connected(), name="redis listener")

    def on_reconnect(self, callback: Callable[[], None]) -> None:
        """Have `callback` called after each reconnect."""
        self._reconnected.append(callback)

    async def subscribe(self, channel: str, callback: Callback) -> None:
        """Return when every later message on `channel` will reach `callback`. Raises StoreUnavailable."""
        name = channel.encode()
        self._callbacks.setdefault(name, []).append(callback)
        try:
            async with asyncio.timeout(self._budget_seconds):
                await self._confirmed(name)
        except BaseException as failure:
            self._forget(name, callback)
            if isinstance(failure, TimeoutError):
                raise StoreUnavailable(f"Redis at {self._where()}: no subscription") from failure
            raise

    async def unsubscribe(self, channel: str, callback: Callback) -> None:
        """Stop calling `callback`; never fails."""
        self._forget(channel.encode(), callback)

    def drop(self) -> None:
        """Connect anew, to wherever that is by now, as if the connection had been lost."""
        if self._wire is not None:
            self._wire.close()

    async def close(self) -> None:
        """Close the connection; no callback is called any more."""
        self._callbacks.clear()
        self._keeper.cancel()
        await asyncio.wait([self._keeper])

    async def _confirmed(self, channel: bytes) -> None:
        while True:
            await self._ready.wait()
            assert self._wire is not None
            try:
                # Subscribing twice is harmless, so there is no need to know who came first.
                await self._wire.send(("SUBSCRIBE", channel))
                return
            except ConnectionLost:
                await asyncio.sleep(0)

    def _forget(self, channel: bytes, callback: Callback) -> None:
        callbacks = self._callbacks.get(channel, [])
        if callback in callbacks:
            callbacks.remove(callback)
        if not callbacks and self._callbacks.pop(channel, None) is not None and self._wire is not None:
            self._wire.send(("UNSUBSCRIBE", channel)).add_done_callback(ignore)

    async def _keep_connected(self) -> None:
        pause, before = 0.01, False
        while True:
            try:
                wire = await connect(self._where(), self._reply_seconds, self._receiver)
                await self._use(wire, again=before)
                pause, before = 0.01, True
            except (OSError, TimeoutError, ConnectionLost, ReplyError):
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    async def _use(self, wire: RedisWire, *, again: bool) -> None:
        try:
            await asyncio.gather(*(wire.send(("SUBSCRIBE", channel)) for channel in self._callbacks))
            self._wire = wire
            self._ready.set()
            for callback in self._reconnected if again else ():
                callback()
            while not wire.lost.done():
                await asyncio.wait([wire.lost], timeout=PING_SECONDS)
                wire.send(("PING",)).add_done_callback(ignore)
        finally:
            self._ready.clear()
            self._wire = None
            wire.close()

    def _receiver(self, wire: RedisWire) -> Callable[[Any], None]:
        def receive(reply: Any) -> None:
            if isinstance(reply, list) and reply and reply[0] == b"message":
                self._deliver(reply[1], reply[2])
                return
            # Confirmations and pongs come in the order of what asked for them.
            awaited = wire.take_waiting()
            if awaited is not None and not awaited.done():
                settle(awaited, reply)

        return receive

    def _deliver(self, channel: bytes, payload: bytes) -> None:
        for callback in tuple(self._callbacks.get(channel, ())):
            try:
                callback(payload)
            except Exception:
                log.exception("a callback of a channel failed", channel=channel.decode(errors="replace"))
