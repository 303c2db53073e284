"""Whether Redis refuses writes, as this process sees it: said when it begins and when it ends, not at every call."""

import time
from typing import Any

from . import metrics
from .logs import logger
from .redis_wire import Argument, Command, ReplyError

log = logger("redis")

CODES = frozenset({"OOM", "MISCONF", "READONLY", "NOREPLICAS"})
"""Error codes of a server that reads and does not write."""

Write = tuple[Argument, bytes]
"""A script, and the hash tag of its keys: the same again on the same server."""


class WriteRefusals:
    """It begins with the first script that is refused, and is over when a like of each that was refused is done."""

    def __init__(self) -> None:
        self._refused: set[Write] = set()
        self._since = 0.0

    def learn(self, command: Command, answer: Any) -> None:
        """Draw conclusions from the answer to a command."""
        refused = isinstance(answer, ReplyError) and answer.code in CODES
        if not (refused or self._refused) or command[0] != "EVALSHA":
            return
        write = command[1], _tag(command[3])
        if refused:
            self._begin(answer.code)
            self._refused.add(write)
        elif write in self._refused and not isinstance(answer, Exception):
            self._refused = {other for other in self._refused if other[1] != write[1]}
            self._end()

    def _begin(self, code: str) -> None:
        if not self._refused:
            self._since = time.monotonic()
            metrics.REDIS_REFUSING.set(1)
            log.warning("redis refuses writes", code=code)

    def _end(self) -> None:
        if not self._refused:
            metrics.REDIS_REFUSING.set(0)
            log.warning("redis takes writes again", seconds=round(time.monotonic() - self._since, 1))


def _tag(key: Argument) -> bytes:
    name = key if isinstance(key, bytes) else str(key).encode()
    return name.partition(b"}")[0]
