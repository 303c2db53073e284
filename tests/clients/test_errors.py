"""Refusals come back as exceptions by reason, with their facts."""

import grpc
import pytest
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.errors.v1.reasons_pb2 import Reason
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Patience, Refused, Unreachable, errors, status, table_options
from cheeseboard_terminal.words import SENTENCES, in_words
from tests.clients.conftest import IMPATIENT
from tests.support.stack import Replica, Stack

REASONS = [name.removeprefix("REASON_") for name in Reason.keys() if name != "REASON_UNSPECIFIED"]  # noqa: SIM118


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_its_exception_and_its_sentence(reason: str):
    """Named like the reason; and a player is told in words what it means."""
    error = errors.refused(errors.Refusal(reason, grpc.StatusCode.UNKNOWN, "why"))
    assert type(error).__name__ == "".join(word.capitalize() for word in reason.split("_"))
    assert error.reason == reason
    assert SENTENCES[reason]
    assert in_words(error)


def test_a_reason_of_a_later_release_is_a_plain_refusal():
    """With its name kept, so that a caller can still tell it apart."""
    error = errors.refused(errors.Refusal("WRONG_MOON", grpc.StatusCode.FAILED_PRECONDITION, "the moon is wrong"))
    assert type(error) is Refused
    assert error.reason == "WRONG_MOON"
    assert in_words(error) == "the moon is wrong"


def test_all_details_of_a_status_are_read():
    """ErrorInfo, BadRequest and RetryInfo, in whatever order they come."""
    bad = error_details_pb2.BadRequest(
        field_violations=[error_details_pb2.BadRequest.FieldViolation(field="a.b", description="too big")]
    )
    retry = error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(seconds=1, nanos=500_000_000))
    info = error_details_pb2.ErrorInfo(reason="RATE_LIMITED", domain="cheeseboard", metadata={"limit": "5"})
    error = status.from_call(_failed(grpc.StatusCode.RESOURCE_EXHAUSTED, bad, retry, info))
    assert isinstance(error, errors.RateLimited)
    assert error.facts == {"limit": "5"}
    assert error.retry_after == 1.5
    assert error.field_violations == (errors.FieldViolation("a.b", "too big"),)


def test_another_services_reason_is_not_taken_for_ours():
    """A proxy between may answer with details of its own domain."""
    info = error_details_pb2.ErrorInfo(reason="NOT_YOUR_TURN", domain="proxy.example")
    error = status.from_call(_failed(grpc.StatusCode.PERMISSION_DENIED, info))
    assert type(error) is Refused
    assert error.reason == ""


def test_an_unavailable_without_a_reason_is_no_answer():
    """Nobody refused anything: the line is broken."""
    assert isinstance(status.from_call(_failed(grpc.StatusCode.UNAVAILABLE)), Unreachable)


def test_a_refusal_of_a_play_stream_reads_like_one_of_a_call():
    """Same exception, same facts."""
    facts = [tables_pb2.Fact(name="suit", value="Brie")]
    error = status.from_stream(tables_pb2.Refusal(code=9, reason="MUST_FOLLOW_SUIT", message="no", facts=facts))
    assert isinstance(error, errors.MustFollowSuit)
    assert error.code is grpc.StatusCode.FAILED_PRECONDITION
    assert error.facts == {"suit": "Brie"}


async def test_the_engine_names_the_field_that_is_wrong(guest: Cheeseboard):
    """An option out of range: the path inside the request."""
    with pytest.raises(errors.BadOption) as refused:
        await guest.create_table(table_options(ct.Options(starting_seat=7), 3))
    assert [violation.field for violation in refused.value.field_violations] == [
        "options.game.cheez_tricks.starting_seat"
    ]


async def test_nobody_there_is_unreachable():
    """After the patience, and not before trying more than once."""
    async with Cheeseboard.connect("127.0.0.1:1", patience=Patience(total=0.5, first_pause=0.05)) as cheeseboard:
        with pytest.raises(Unreachable):
            await cheeseboard.list_games()


async def test_too_fast_is_tried_again_as_the_engine_asks(stack: Stack, tmp_path_factory: pytest.TempPathFactory):
    """More calls than are allowed: all are answered in the end; without patience it is told why not."""
    settings = {"CHEESEBOARD_REDIS_URL": stack.valkey.url, "CHEESEBOARD_CALLS_PER_SECOND": "8"}
    strict = Replica("engine", tmp_path_factory.mktemp("strict"), settings)
    strict.start()
    try:
        async with Cheeseboard.connect(strict.address, patience=IMPATIENT) as cheeseboard:
            await cheeseboard.sign_in_guest("Hasty")
            for _ in range(20):
                await cheeseboard.list_games()
        async with Cheeseboard.connect(strict.address, token=cheeseboard.token, patience=Patience(total=0.0)) as hasty:
            with pytest.raises(errors.RateLimited) as refused:
                for _ in range(30):
                    await hasty.list_games()
        assert refused.value.retry_after is not None and refused.value.retry_after > 0
    finally:
        strict.kill()


def _failed(code: grpc.StatusCode, *details: object) -> grpc.aio.AioRpcError:
    whole = status_pb2.Status(code=code.value[0], message="no")
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        whole.details.append(packed)
    trailing = grpc.aio.Metadata((status.DETAILS, whole.SerializeToString()))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, "no")
