"""Refusals: a typed reason with facts, and the one table from reasons to gRPC codes."""

from collections.abc import Mapping, Sequence

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from .store_errors import ReplyError, StoreUnavailable

__all__ = ["CODES", "DOMAIN", "Refused", "ReplyError", "StoreUnavailable", "code_of", "to_status"]

DOMAIN = "cheeseboard"

_KINDS: Mapping[grpc.StatusCode, str] = {
    grpc.StatusCode.INVALID_ARGUMENT: (
        "BAD_REQUEST BAD_OPTION UNKNOWN_CARD UNKNOWN_GAME UNKNOWN_BOT REQUEST_ID_REUSED"
    ),
    grpc.StatusCode.FAILED_PRECONDITION: (
        "NOT_YOUR_TURN WINDOW_CLOSED NOT_ASKED_FOR CARD_NOT_IN_HAND MUST_FOLLOW_SUIT GAME_NOT_RUNNING "
        "GAME_ALREADY_STARTED GAME_NOT_OVER TABLE_CLOSED TABLE_FULL SEAT_TAKEN SEATS_FREE NO_RECORD "
        "ALREADY_WAITING PARTY_CLOSED "
        "WOULD_BE_WASTED BAD_TARGET VAULT_USED PLACE_EMPTY"
    ),
    grpc.StatusCode.ABORTED: "CONFLICT",
    grpc.StatusCode.NOT_FOUND: "TABLE_NOT_FOUND SCOREBOARD_NOT_FOUND TICKET_NOT_FOUND",
    grpc.StatusCode.UNAUTHENTICATED: "TOKEN_MISSING TOKEN_INVALID TOKEN_EXPIRED",
    grpc.StatusCode.PERMISSION_DENIED: "NOT_SEATED NOT_HOST NO_SPECTATORS NO_GUESTS NO_SERVICE_SCOPE",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "RATE_LIMITED TOO_MANY",
    grpc.StatusCode.UNAVAILABLE: "STORE_UNAVAILABLE NEWER_RELEASE DRAINING",
    # A table held back is our bug, and asking another replica would not help.
    grpc.StatusCode.INTERNAL: "QUARANTINED INTERNAL",
}

CODES: Mapping[str, grpc.StatusCode] = {reason: code for code, names in _KINDS.items() for reason in names.split()}
"""By name of cheeseboard.errors.v1.Reason, without its prefix."""


class Refused(Exception):
    """A request is refused and changed nothing.

    `reason` is a name of cheeseboard.errors.v1.Reason without its prefix; `facts` become the metadata of ErrorInfo;
    `violations` are (path of the field in the request, why) and become BadRequest.
    """

    def __init__(
        self,
        reason: str,
        message: str = "",
        *,
        facts: Mapping[str, object] | None = None,
        violations: Sequence[tuple[str, str]] = (),
        retry_seconds: float | None = None,
    ) -> None:
        assert reason in CODES, reason
        self.reason = reason
        self.facts = {name: str(value) for name, value in (facts or {}).items()}
        self.violations = tuple(violations)
        self.retry_seconds = retry_seconds
        self.message = message or "; ".join(f"{field}: {why}" for field, why in self.violations) or _sentence(self)
        super().__init__(f"{reason}: {self.message}")

    @staticmethod
    def by_store() -> "Refused":
        """Return the refusal that StoreUnavailable becomes."""
        return Refused("STORE_UNAVAILABLE", "the store does not answer; try again", retry_seconds=1.0)


def code_of(refused: Refused) -> grpc.StatusCode:
    """Return the canonical code of a refusal."""
    return CODES[refused.reason]


def to_status(refused: Refused) -> status_pb2.Status:
    """Return the refusal as google.rpc.Status: ErrorInfo always, BadRequest and RetryInfo where they apply."""
    details = [_packed(error_details_pb2.ErrorInfo(reason=refused.reason, domain=DOMAIN, metadata=refused.facts))]
    if refused.violations:
        violation = error_details_pb2.BadRequest.FieldViolation
        bad = [violation(field=field, description=why) for field, why in refused.violations]
        details.append(_packed(error_details_pb2.BadRequest(field_violations=bad)))
    if refused.retry_seconds is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(refused.retry_seconds * 1000))
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    return status_pb2.Status(code=code_of(refused).value[0], message=refused.message, details=details)


def _packed(
    detail: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest | error_details_pb2.RetryInfo,
) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed


def _sentence(refused: Refused) -> str:
    """Return the reason in words, with its facts."""
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in refused.facts.items())
    return refused.reason.lower().replace("_", " ") + (f" ({facts})" if facts else "")
