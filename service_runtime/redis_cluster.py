"""A Redis Cluster: each slot has a primary, which moves, dies and is replaced while we run.

The map of slots is asked for again whenever a server is lost or says that it is out of date. A primary that is gone
from the map was replaced by a replica that may not have all it was told: that is a failover, and said to whoever must
look again at what it believes.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from .logs import logger
from .redis_address import RedisAddress
from .redis_servers import News, RedisServer, not_sent
from .redis_slots import SLOTS, Place, SlotMap, slot_of
from .redis_wire import Command, ConnectionLost, ReplyError, connect, ignore

log = logger("redis")

ASK_AGAIN_SECONDS = 0.1
"""Between questions for the map, while a primary is away."""
MOVED_SECONDS = 0.5
"""From the first slot that moved to the question for the whole map: by then the news is all over the cluster."""
_MAP = ("CLUSTER", "SLOTS")
_AWAY = (OSError, TimeoutError, ConnectionLost, ReplyError)


class Cluster:
    """Commands go to the primary that has the slot of their keys."""

    again = frozenset({"MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "LOADING"})

    def __init__(self, seeds: Sequence[RedisAddress], reply_seconds: float, failed_over: Callable[[], None]) -> None:
        self.news = News()
        self.trouble = "no server answers"
        self._like = seeds[0]
        self._reply_seconds = reply_seconds
        self._failed_over = failed_over
        self._everyone = {(seed.host, seed.port) for seed in seeds}
        self._servers: dict[Place, RedisServer] = {}
        self._primaries: set[Place] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._owners: list[RedisServer | None] = [None] * SLOTS
        self._stale = asyncio.Event()
        self._moved: asyncio.TimerHandle | None = None
        self._keeper = asyncio.create_task(self._keep_map(), name="redis cluster")

    def __str__(self) -> str:
        return ",".join(sorted(f"{host}:{port}" for host, port in self._everyone))

    @property
    def available(self) -> bool:
        """Whether any primary is connected: a dead one takes only its own tables with it."""
        return any(server.connected for server in self._servers.values())

    @property
    def ready(self) -> bool:
        """Whether every slot has a primary, and it is connected."""
        return all(owner is not None and owner.connected for owner in set(self._owners))

    @property
    def addresses(self) -> Sequence[RedisAddress]:
        """Primaries and replicas."""
        return [self._address(place) for place in sorted(self._everyone)]

    def listening_at(self) -> RedisAddress:
        """Return any server: what is published is heard on all of them."""
        connected = [place for place, server in self._servers.items() if server.connected]
        return self._address(random.choice(connected or sorted(self._everyone)))

    def send(self, command: Command, told: Any) -> "asyncio.Future[Any]":
        """Send a command to the owner of its slot, or where the owner said to ask for this once."""
        if isinstance(told, ReplyError) and told.code == "ASK":
            server = self._server(_place_in(told, self._like.host))
            server.send(("ASKING",)).add_done_callback(ignore)
            return server.send(command)
        slot = slot_of(command)
        owner = self._anyone() if slot is None else self._owners[slot]
        return not_sent(self.trouble) if owner is None else owner.send(command)

    def learn(self, refusal: ReplyError) -> None:
        """Note where a slot is now, and that the map is out of date."""
        if refusal.code == "MOVED":
            slot = int(str(refusal).split()[1])
            self._owners[slot] = self._server(_place_in(refusal, self._like.host))
            if self._moved is None or self._moved.when() < asyncio.get_running_loop().time():
                self._moved = asyncio.get_running_loop().call_later(MOVED_SECONDS, self._stale.set)
        elif refusal.code == "CLUSTERDOWN":
            self._stale.set()

    async def close(self) -> None:
        """Close all connections."""
        ending = {self._keeper, *self._leaving}
        for task in ending:
            task.cancel()
        await asyncio.wait(ending)
        if self._moved is not None:
            self._moved.cancel()
        await asyncio.gather(*(server.close() for server in self._servers.values()))

    async def _keep_map(self) -> None:
        while True:
            self._stale.clear()
            found = await _first(self._asked())
            if found is not None:
                self._use(found)
            if self.ready:
                await self._stale.wait()
            else:
                await asyncio.sleep(ASK_AGAIN_SECONDS)

    def _asked(self) -> list[Coroutine[Any, Any, SlotMap]]:
        connected = [server for server in self._servers.values() if server.connected]
        return [_map_of(server) for server in connected] or [
            _map_at(address, self._reply_seconds) for address in self.addresses
        ]

    def _use(self, found: SlotMap) -> None:
        """Go by a new map."""
        self._everyone |= found.everyone
        owners: list[RedisServer | None] = [None] * SLOTS
        for first, last, place in found.ranges:
            owners[first : last + 1] = [self._server(place)] * (last + 1 - first)
        uncovered = owners.count(None)
        self.trouble = f"{uncovered} slots have no server" if uncovered else "a server is away"
        primaries = {place for _, _, place in found.ranges}
        gone, self._owners, self._primaries = self._primaries - primaries, owners, primaries
        for place in self._servers.keys() - primaries:
            leaving = self._servers.pop(place).leave()
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
        self.news.tell()
        if gone:
            self._everyone = set(found.everyone)
            log.warning("redis primaries were replaced", gone=[f"{host}:{port}" for host, port in sorted(gone)])
            self._failed_over()

    def _server(self, place: Place) -> RedisServer:
        if place not in self._servers:
            self._servers[place] = RedisServer(self._address(place), self._reply_seconds, self._changed)
        return self._servers[place]

    def _address(self, place: Place) -> RedisAddress:
        return replace(self._like, host=place[0], port=place[1])

    def _anyone(self) -> RedisServer | None:
        return next((server for server in self._servers.values() if server.connected), None)

    def _changed(self, server: RedisServer) -> None:
        self.news.tell()
        if not server.connected:
            self._stale.set()


def _place_in(redirection: ReplyError, host: str) -> Place:
    """Return where `MOVED 3999 host:port` or `ASK …` points; a server that does not know its host leaves it out."""
    found, _, port = str(redirection).split()[2].rpartition(":")
    return found or host, int(port)


async def _first(asked: Sequence[Coroutine[Any, Any, SlotMap]]) -> SlotMap | None:
    """Return the first map that comes, None when nobody has one."""
    tasks = [asyncio.create_task(question) for question in asked]
    try:
        for answer in asyncio.as_completed(tasks):
            with suppress(*_AWAY):
                found = await answer
                if found.ranges:
                    return found
        return None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _map_of(server: RedisServer) -> SlotMap:
    return SlotMap.of(await server.send(_MAP), server.address.host)


async def _map_at(address: RedisAddress, reply_seconds: float) -> SlotMap:
    wire = await connect(address, reply_seconds)
    try:
        return SlotMap.of(await wire.send(_MAP), address.host)
    finally:
        wire.close()
