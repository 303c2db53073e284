"""Refusals on the wire: every reason has its code, and what a client needs is in the details."""

import grpc
import pytest
from google.rpc import error_details_pb2

from cheeseboard.errors.v1 import reasons_pb2
from service_runtime.errors import CODES, Refused, code_of, to_status

# Codes that say "send it again as it is"; anything that may have had an effect must not be among them.
RETRIED_BY_CLIENTS = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED, grpc.StatusCode.RESOURCE_EXHAUSTED}


def test_every_reason_of_the_protos_has_exactly_one_code() -> None:
    declared = {name.removeprefix("REASON_") for name in dict(reasons_pb2.Reason.items())} - {"UNSPECIFIED"}
    assert set(CODES) == declared


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("BAD_OPTION", grpc.StatusCode.INVALID_ARGUMENT),
        ("MUST_FOLLOW_SUIT", grpc.StatusCode.FAILED_PRECONDITION),
        ("CONFLICT", grpc.StatusCode.ABORTED),
        ("TABLE_NOT_FOUND", grpc.StatusCode.NOT_FOUND),
        ("TOKEN_INVALID", grpc.StatusCode.UNAUTHENTICATED),
        ("NOT_SEATED", grpc.StatusCode.PERMISSION_DENIED),
        ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED),
        ("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE),
        ("QUARANTINED", grpc.StatusCode.INTERNAL),
    ],
)
def test_kinds_of_reasons_have_the_codes_of_the_design(reason: str, code: grpc.StatusCode) -> None:
    assert code_of(Refused(reason)) is code


def test_only_refusals_that_time_can_mend_have_codes_that_clients_retry() -> None:
    retried = {reason for reason, code in CODES.items() if code in RETRIED_BY_CLIENTS}
    assert retried == {
        "CONFLICT", "RATE_LIMITED", "TOO_MANY", "STORE_UNAVAILABLE", "NEWER_RELEASE", "DRAINING",
    }  # fmt: skip


def test_a_refusal_carries_reason_facts_fields_and_delay() -> None:
    refused = Refused("BAD_OPTION", facts={"most": 5}, violations=[("options.seats", "at most 5")], retry_seconds=1.25)
    status = to_status(refused)
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    for detail, message in zip(status.details, (info, bad, retry), strict=True):
        assert detail.Unpack(message)
    assert (info.reason, info.domain, dict(info.metadata)) == ("BAD_OPTION", "cheeseboard", {"most": "5"})
    assert [(v.field, v.description) for v in bad.field_violations] == [("options.seats", "at most 5")]
    assert retry.retry_delay.ToMilliseconds() == 1250
    assert (status.code, status.message) == (3, "options.seats: at most 5")


def test_an_unknown_reason_cannot_be_made() -> None:
    with pytest.raises(AssertionError):
        Refused("NO_SUCH_REASON")
