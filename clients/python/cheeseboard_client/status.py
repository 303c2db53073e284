"""From a status on the wire to a refusal.

Read here with googleapis-common-protos alone: grpcio-status would force its own, newer protobuf on every user.
"""

import grpc
from google.rpc import error_details_pb2, status_pb2

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client.errors import FieldViolation, Refusal, Refused, Unreachable, refused

DETAILS = "grpc-status-details-bin"
DOMAIN = "cheeseboard"

_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}

_LOST = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    }
)
"""Codes with which gRPC itself ends a call: a proxy that resets one, a write that crosses the end of its stream."""


def from_call(error: grpc.aio.AioRpcError) -> Refused | Unreachable:
    """Return the refusal that a failed call carries, or `Unreachable` when no service answered it."""
    message = error.details() or ""
    refusal = _refusal(error.code(), message, _details(error))
    if not refusal.reason and error.code() in _LOST:
        return Unreachable(error.code(), message)
    return refused(refusal)


def from_stream(refusal: tables_pb2.Refusal) -> Refused:
    """Return the exception for a refusal that came on a Play stream."""
    code = _CODES.get(refusal.code, grpc.StatusCode.UNKNOWN)
    facts = {fact.name: fact.value for fact in refusal.facts}
    fields = tuple(FieldViolation(at.name, at.value) for at in refusal.violations)
    retry_after = refusal.retry_delay.ToTimedelta().total_seconds() if refusal.HasField("retry_delay") else None
    return refused(Refusal(refusal.reason, code, refusal.message, facts, fields, retry_after))


def _details(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    status = status_pb2.Status()
    for key, value in error.trailing_metadata() or ():
        if key == DETAILS and isinstance(value, bytes):
            status.ParseFromString(value)
    return status


def _refusal(code: grpc.StatusCode, message: str, status: status_pb2.Status) -> Refusal:
    reason, facts, fields, retry_after = "", dict[str, str](), list[FieldViolation](), None
    for detail in status.details:
        info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            reason, facts = info.reason, dict(info.metadata)
        elif detail.Unpack(bad):
            fields += [FieldViolation(at.field, at.description) for at in bad.field_violations]
        elif detail.Unpack(retry):
            retry_after = retry.retry_delay.ToTimedelta().total_seconds()
    return Refusal(reason, code, message, facts, tuple(fields), retry_after)
