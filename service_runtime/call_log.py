"""A line and figures for every call that is over, written many at once: alone they would cost as much as the call."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from . import metrics
from .logs import TIME, write_many
from .methods import Method

WRITE_SECONDS = 0.05
"""How long a line may wait for others."""


class Ended(msgspec.Struct, frozen=True, gc=False):
    """A call that is over: when (Unix time), how long it took, why it ended, and what is known of it."""

    method: Method
    at: float
    seconds: float
    reason: str
    known: Mapping[str, Any]


class CallLog:
    """Takes what has ended; one a process is enough."""

    def __init__(self) -> None:
        self._ended: list[Ended] = []

    def add(self, ended: Ended) -> None:
        """Take one; it is written soon."""
        if not self._ended:
            asyncio.get_running_loop().call_later(WRITE_SECONDS, self.write)
        self._ended.append(ended)

    def write(self) -> None:
        """Write what is here."""
        ended, self._ended = self._ended, []
        for (label, reason), count in Counter((call.method.label, call.reason) for call in ended).items():
            metrics.answered(label, reason).inc(count)
        for call in ended:
            if not call.method.responses_stream:
                metrics.seconds(call.method.label).observe(call.seconds)
        write_many("calls", "call", map(_line, ended))


def _line(call: Ended) -> dict[str, Any]:
    when = datetime.fromtimestamp(call.at, UTC).isoformat().replace("+00:00", "Z")
    ms = round(call.seconds * 1000, 2)
    return {TIME: when, "method": call.method.label, "reason": call.reason, "ms": ms, **call.known}
