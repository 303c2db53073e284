"""What every call goes through, whatever brought it: identity, limits, errors, one log line, figures.

Whatever a function raises leaves as Refused. A call that its caller gave up is not an error.
"""

import asyncio
import random
import re
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any

import structlog

from . import metrics
from .errors import Refused, StoreUnavailable
from .identity import Caller, Identity
from .limits import Buckets, OpenStreams, Rate
from .logs import logger
from .methods import Method
from .settings import RuntimeSettings

log = logger("calls")

REFUSAL_SECONDS = 0.25
"""How long a refusal takes, on average, that is only the answer to too many calls."""

_REQUEST_ID = re.compile(r"[0-9A-Za-z_.:-]{1,64}")


@dataclass(frozen=True, slots=True)
class Incoming:
    """What the transport knows of a call: metadata with keys in lower case, and the caller's address without port."""

    metadata: Mapping[str, str]
    peer: str


class Pipeline:
    """One a service. `draining` refuses new streams."""

    def __init__(self, identity: Identity, settings: RuntimeSettings) -> None:
        self._identity = identity
        self._buckets = Buckets()
        self._streams = OpenStreams(settings.streams_per_subject)
        self._rate = Rate(settings.calls_per_second, 2 * settings.calls_per_second)
        self.draining = False

    async def unary(self, method: Method, request: Any, incoming: Incoming) -> Any:
        """Return the response; None for a request is one that could not be read. Raises Refused."""
        with self._watched(method, request, incoming) as account:
            caller = await self._admit(method, request, incoming, account)
            return await method.function(request, caller)

    async def unary_within(self, method: Method, request: Any, caller: Caller) -> Any:
        """Return the response to a call that came on an open stream of this caller. Raises Refused."""
        with self._watched(method, request, Incoming({}, caller.subject)) as account:
            await self._known(method, caller, account)
            return await method.function(request, caller)

    async def stream_within(self, method: Method, request: Any, caller: Caller) -> AsyncIterator[Any]:
        """Yield the responses to a call that came on an open stream of this caller. Raises Refused."""
        with self._watched(method, request, Incoming({}, caller.subject)) as account:
            await self._known(method, caller, account)
            async for response in self._responses(method, request, caller, account):
                yield response

    async def stream(self, method: Method, request: Any, incoming: Incoming) -> AsyncIterator[Any]:
        """Yield the responses; `request` is a message or, where requests stream, an async iterator. Raises Refused."""
        with self._watched(method, request, incoming) as account:
            caller = await self._admit(method, request, incoming, account)
            async for response in self._responses(method, request, caller, account):
                yield response

    async def _responses(
        self, method: Method, request: Any, caller: Caller | None, account: "_Account"
    ) -> AsyncIterator[Any]:
        if self.draining:
            raise Refused("DRAINING", "this replica stops; go to another", retry_seconds=0.1)
        open_streams = metrics.OPEN_STREAMS.labels(method.label)
        with self._streams.one_more(account.who), open_streams.track_inprogress():
            async with aclosing(method.function(request, caller)) as responses:
                async for response in responses:
                    yield response

    async def _admit(self, method: Method, request: Any, incoming: Incoming, account: "_Account") -> Caller | None:
        if method.public:
            await self._count(incoming.peer, method)
        caller = self._caller(method, incoming)
        if caller is not None:
            await self._known(method, caller, account)
        if request is None:
            raise Refused("BAD_REQUEST", f"not a {method.request_type.DESCRIPTOR.name}")
        return caller

    async def _known(self, method: Method, caller: Caller, account: "_Account") -> None:
        account.caller = caller
        account.who = caller.subject
        if not method.public:
            await self._count(caller.subject, method)

    async def _count(self, who: str, method: Method) -> None:
        """Count a call. Whoever sends too many waits for each refusal, so that others need not wait for all of them."""
        try:
            self._buckets.take(who, method.label, method.rate or self._rate)
        except Refused:
            # Not all of them at the same moment either.
            await asyncio.sleep(REFUSAL_SECONDS * random.uniform(0.5, 1.5))
            raise

    def _caller(self, method: Method, incoming: Incoming) -> Caller | None:
        if method.public and "authorization" not in incoming.metadata:
            return None
        return self._identity.caller(incoming.metadata)

    @contextmanager
    def _watched(self, method: Method, request: Any, incoming: Incoming) -> Any:
        account = _Account(incoming.peer, _request_id(incoming))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request=account.request_id)
        if table := getattr(request, "table_id", ""):
            structlog.contextvars.bind_contextvars(table=table[:64])
        started, reason = time.perf_counter(), "OK"
        try:
            yield account
        except Refused as refused:
            reason = refused.reason
            raise
        except StoreUnavailable as away:
            reason = "STORE_UNAVAILABLE"
            raise Refused.by_store() from away
        except (asyncio.CancelledError, GeneratorExit):
            reason = "CANCELLED"
            raise
        except Exception as fault:
            reason = "INTERNAL"
            log.exception("call failed", method=method.label)
            raise _internal(account.request_id) from fault
        finally:
            account.close(method, reason, time.perf_counter() - started)


class _Account:
    """What is known of one call, for its log line."""

    __slots__ = ("caller", "request_id", "who")

    def __init__(self, peer: str, request_id: str) -> None:
        self.who = peer
        self.request_id = request_id
        self.caller: Caller | None = None

    def close(self, method: Method, reason: str, seconds: float) -> None:
        metrics.answered(method.label, reason).inc()
        if not method.responses_stream:
            metrics.seconds(method.label).observe(seconds)
        fields: dict[str, Any] = {"player": self.caller.player_id} if self.caller is not None else {}
        if self.caller is not None and self.caller.service:
            fields["service_acts"] = True
        log.info("call", method=method.label, reason=reason, ms=round(seconds * 1000, 2), **fields)


def _internal(request_id: str) -> Refused:
    return Refused("INTERNAL", f"a fault of ours, logged as request {request_id}", facts={"request": request_id})


def _request_id(incoming: Incoming) -> str:
    given = incoming.metadata.get("x-request-id", "")
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
