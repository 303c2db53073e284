"""What every call goes through, whatever brought it: identity, limits, errors, one log line, figures.

Whatever a function raises leaves as Refused. A call that its caller gave up is not an error.
"""

import asyncio
import itertools
import random
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import msgspec

from . import metrics
from .call_log import CallLog, Ended
from .errors import Refused, StoreUnavailable
from .identity import Caller, Identity
from .limits import Buckets, OpenStreams, Rate
from .logs import about, logger
from .methods import Method
from .settings import RuntimeSettings

log = logger("calls")

REFUSAL_SECONDS = 0.25
"""How long a refusal takes, on average, that is only the answer to too many calls."""

_REQUEST_ID = re.compile(r"[0-9A-Za-z_.:-]{1,64}")


class Incoming(msgspec.Struct, frozen=True, gc=False):
    """What the transport knows of a call: metadata with keys in lower case, and the caller's address without port."""

    metadata: Mapping[str, Any]
    peer: Callable[[], str]


NOTHING: Mapping[str, Any] = {}


class Pipeline:
    """One a service. `draining` refuses new streams."""

    def __init__(self, identity: Identity, settings: RuntimeSettings) -> None:
        self._identity = identity
        self._buckets = Buckets()
        self._streams = OpenStreams(settings.streams_per_subject)
        self._rate = Rate(settings.calls_per_second, 2 * settings.calls_per_second)
        self._calls = CallLog()
        self._instance = secrets.token_hex(4)
        self._numbers = itertools.count(1)
        self.draining = False

    async def unary(self, method: Method, request: Any, incoming: Incoming) -> Any:
        """Return the response; None for a request is one that could not be read. Raises Refused."""
        with self._begun(method, request, incoming.metadata) as call:
            return await method.function(request, await self._admit(call, method, request, incoming))

    async def unary_within(self, method: Method, request: Any, caller: Caller) -> Any:
        """Return the response to a call that came on an open stream of this caller. Raises Refused."""
        with self._begun(method, request) as call:
            call.caller = caller
            await self._count(caller.subject, method)
            return await method.function(request, caller)

    @asynccontextmanager
    async def stream(self, method: Method, request: Any, incoming: Incoming) -> AsyncIterator[AsyncIterator[Any]]:
        """Open the responses; `request` is a message or, where requests stream, an async iterator.

        Raises Refused, also out of the block.
        """
        with self._begun(method, request, incoming.metadata) as call:
            caller = await self._admit(call, method, request, incoming)
            who = caller.subject if caller is not None else incoming.peer()
            async with self._responses(method, request, caller, who) as responses:
                yield responses

    @asynccontextmanager
    async def stream_within(self, method: Method, request: Any, caller: Caller) -> AsyncIterator[AsyncIterator[Any]]:
        """Open the responses to a call that came on an open stream of this caller. Raises Refused."""
        with self._begun(method, request) as call:
            call.caller = caller
            await self._count(caller.subject, method)
            async with self._responses(method, request, caller, caller.subject) as responses:
                yield responses

    def write_log(self) -> None:
        """Write what is known of the calls answered until now."""
        self._calls.write()

    @asynccontextmanager
    async def _responses(
        self, method: Method, request: Any, caller: Caller | None, who: str
    ) -> AsyncIterator[AsyncIterator[Any]]:
        if self.draining:
            raise Refused("DRAINING", "this replica stops; go to another", retry_seconds=0.1)
        open_streams = metrics.OPEN_STREAMS.labels(method.label)
        with self._streams.one_more(who), open_streams.track_inprogress():
            async with aclosing(method.function(request, caller)) as responses:
                yield responses

    def _begun(self, method: Method, request: Any, metadata: Mapping[str, Any] = NOTHING) -> "_Call":
        return _Call(method, request, self._id_of(metadata), self._calls)

    def _id_of(self, metadata: Mapping[str, Any]) -> str:
        given = metadata.get("x-request-id")
        return given if given and _REQUEST_ID.fullmatch(given) else f"{self._instance}-{next(self._numbers):x}"

    async def _admit(self, call: "_Call", method: Method, request: Any, incoming: Incoming) -> Caller | None:
        if method.public:
            await self._count(incoming.peer(), method)
        if not method.public or "authorization" in incoming.metadata:
            call.caller = self._identity.caller(incoming.metadata)
        if call.caller is not None and not method.public:
            await self._count(call.caller.subject, method)
        if request is None:
            raise Refused("BAD_REQUEST", f"not a {method.request_type.DESCRIPTOR.name}")
        return call.caller

    async def _count(self, who: str, method: Method) -> None:
        """Count a call. Whoever sends too many waits for each refusal, so that others need not wait for all of them."""
        try:
            self._buckets.take(who, method.label, method.rate or self._rate)
        except Refused:
            # Not all of them at the same moment either.
            await asyncio.sleep(REFUSAL_SECONDS * random.uniform(0.5, 1.5))
            raise


class _Call:
    """One call while it is under way: whatever ends it is counted and logged, and leaves as Refused."""

    __slots__ = ("_began", "_ends", "_known", "_method", "caller")

    def __init__(self, method: Method, request: Any, request_id: str, ends: CallLog) -> None:
        self._method = method
        self._ends = ends
        self._known = {"request": request_id}
        if table := getattr(request, "table_id", ""):
            self._known["table"] = table[:64]
        self.caller: Caller | None = None

    def __enter__(self) -> "_Call":
        about(self._known)
        self._began = time.perf_counter()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        reason, refused = "OK", None
        if error is not None:
            reason, refused = self._understood(error)
        seconds = time.perf_counter() - self._began
        self._ends.add(Ended(self._method, time.time(), seconds, reason, self._all_known()))
        if refused is not None:
            raise refused from error

    def _understood(self, error: BaseException) -> tuple[str, Refused | None]:
        """Return the reason to note, and what to raise instead."""
        if isinstance(error, Refused):
            return error.reason, None
        if isinstance(error, StoreUnavailable):
            return "STORE_UNAVAILABLE", Refused.by_store()
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            return "CANCELLED", None
        if isinstance(error, Exception):
            log.error("call failed", method=self._method.label, exc_info=error)
            return "INTERNAL", _internal(self._known["request"])
        return "CANCELLED", None

    def _all_known(self) -> dict[str, Any]:
        if self.caller is None:
            return self._known
        known = {**self._known, "player": self.caller.player_id}
        return {**known, "service_acts": True} if self.caller.service else known


def _internal(request_id: str) -> Refused:
    return Refused("INTERNAL", f"a fault of ours, logged as request {request_id}", facts={"request": request_id})
