"""Whether Redis refuses writes, as this process sees it: said when it begins and when it ends, not at every call."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from . import metrics
from .logs import logger
from .redis_wire import Argument, Command, ReplyError
from .store_errors import StoreUnavailable

log = logger("redis")

CODES = frozenset({"OOM", "MISCONF", "READONLY", "NOREPLICAS"})
"""Error codes of a server that reads and does not write."""
ASK_SECONDS = 0.5


class WriteRefusals:
    """It begins with the first script that is refused, and is over when all servers that refused one take writes.

    Servers are known by the hash tags that they serve, and asked with a write that changes nothing.
    """

    def __init__(self, ask: Callable[[Command], Awaitable[object]]) -> None:
        self._ask = ask
        self._refused: set[bytes] = set()
        self._asking: asyncio.Task[None] | None = None

    def learn(self, command: Command, answer: Any) -> None:
        """Draw conclusions from the answer to a command."""
        if isinstance(answer, ReplyError) and answer.code in CODES and command[0] == "EVALSHA":
            self._refused.add(_tag(command[3]))
            if self._asking is None:
                self._asking = asyncio.create_task(self._until_taken(answer.code), name="redis refuses writes")

    def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()

    async def _until_taken(self, code: str) -> None:
        since = time.monotonic()
        metrics.REDIS_REFUSING.set(1)
        log.warning("redis refuses writes", code=code)
        while self._refused:
            await asyncio.sleep(ASK_SECONDS)
            self._refused -= {tag for tag in tuple(self._refused) if await self._takes_writes(tag)}
        self._asking = None
        metrics.REDIS_REFUSING.set(0)
        log.warning("redis takes writes again", seconds=round(time.monotonic() - since, 1))

    async def _takes_writes(self, tag: bytes) -> bool:
        try:
            await self._ask(("SETRANGE", tag + b":asked", 0, b""))
        except (ReplyError, StoreUnavailable):
            return False
        return True


def _tag(key: Argument) -> bytes:
    name = key if isinstance(key, bytes) else str(key).encode()
    return name[: name.index(b"}") + 1] if b"}" in name else b"{" + name + b"}"
