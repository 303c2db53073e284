"""A call over real gRPC: who is let in, what comes back, what is logged, and how the server ends."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from cheeseboard.engine.v1 import lobby_pb2, lobby_pb2_grpc, tables_pb2, tables_pb2_grpc
from service_runtime import metrics
from service_runtime.call_log import WRITE_SECONDS
from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.grpc_server import STREAMS_PER_CONNECTION, GrpcServer, PortTaken
from service_runtime.redis_connection import RedisConnection

from .serving import ServingSettings, SmallService, start

SETTINGS = ServingSettings(guests=True, drain_seconds=3, streams_per_subject=3, calls_per_second=50)

OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]


@dataclass
class Served:
    """A running small service and a guest's way to it."""

    server: GrpcServer
    small: SmallService
    port: int
    channel: grpc.aio.Channel
    token: str

    @property
    def tables(self) -> Any:
        return tables_pb2_grpc.TableServiceStub(self.channel)

    @property
    def lobby(self) -> Any:
        return lobby_pb2_grpc.LobbyServiceStub(self.channel)

    @property
    def bearer(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)


@pytest.fixture
async def served(connection: RedisConnection) -> AsyncIterator[Served]:
    server, small, identity, port = await start(SETTINGS, connection)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Served(server, small, port, channel, identity.issue_guest("Ada")[0])
    await server.drain(small.say_goodbye)


async def test_it_serves_where_a_container_forbids_to_ask_how_threads_wait(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads then interrupt each other as everywhere."""

    def forbidden(*_: object) -> int:
        raise PermissionError

    for name in ("sched_getscheduler", "sched_setscheduler"):
        monkeypatch.setattr(os, name, forbidden, raising=False)
    server, small, _, port = await start(SETTINGS, connection)
    assert port
    await server.drain(small.say_goodbye)


def view(table_id: str) -> tables_pb2.GetViewRequest:
    return tables_pb2.GetViewRequest(table_id=table_id)


async def refusal(call: Any) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    """Return code, reason and facts of a call that fails."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    details = dict(failed.value.trailing_metadata() or ())
    status = status_pb2.Status.FromString(details["grpc-status-details-bin"])
    assert status.code == failed.value.code().value[0]
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return failed.value.code(), info.reason, dict(info.metadata)


async def test_a_player_is_known_by_its_token(served: Served) -> None:
    answer = await served.tables.GetView(view("any"), metadata=served.bearer)
    player, name = answer.resume_point.split()
    assert (len(player), name) == (21, "Ada")


async def test_refusals_come_with_reason_and_facts(served: Served) -> None:
    code, reason, facts = await refusal(served.tables.GetView(view("refuse"), metadata=served.bearer))
    assert (code, reason, facts) == (grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", {"table": "refuse"})


async def test_a_store_that_is_away_is_unavailable(served: Served) -> None:
    code, reason, _ = await refusal(served.tables.GetView(view("away"), metadata=served.bearer))
    assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")


async def test_every_method_needs_a_token_streams_included(served: Served) -> None:
    stubs = ((served.tables, tables_pb2, "TableService"), (served.lobby, lobby_pb2, "LobbyService"))
    tried = 0
    for stub, protos, service in stubs:
        for method in protos.DESCRIPTOR.services_by_name[service].methods:
            if method.name == "SignInGuest":
                continue
            request = getattr(protos, method.input_type.name)()
            call = getattr(stub, method.name)(iter([request]) if method.client_streaming else request)
            code, reason, _ = await refusal(call.read() if method.server_streaming else call)
            assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"), method.name
            tried += 1
    assert tried > 10


async def test_a_fault_of_ours_tells_the_caller_nothing_but_the_request(served: Served) -> None:
    metadata = (*served.bearer, ("x-request-id", "r-1"))
    code, reason, facts = await refusal(served.tables.GetView(view("break"), metadata=metadata))
    assert (code, reason, facts) == (grpc.StatusCode.INTERNAL, "INTERNAL", {"request": "r-1"})


async def test_calls_are_counted_by_method_and_reason(served: Served) -> None:
    def count() -> float:
        labels = {"method": "TableService/GetView", "reason": "TABLE_NOT_FOUND"}
        return metrics.REGISTRY.get_sample_value("cheeseboard_calls_total", labels) or 0.0

    before = count()
    await refusal(served.tables.GetView(view("refuse"), metadata=served.bearer))
    await asyncio.sleep(2 * WRITE_SECONDS)
    assert count() == before + 1


async def test_a_stream_flows_and_a_refusal_in_its_middle_is_typed(served: Served) -> None:
    call = served.tables.WatchTable(tables_pb2.WatchTableRequest(table_id="refuse"), metadata=served.bearer)
    assert (await call.read()).sequence == 1
    code, reason, _ = await refusal(call.read())
    assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_SEATED")


async def test_a_caller_that_hangs_up_closes_its_stream_and_frees_its_place(served: Served) -> None:
    for _ in range(2 * SETTINGS.streams_per_subject):
        call = served.tables.WatchTable(tables_pb2.WatchTableRequest(), metadata=served.bearer)
        await call.read()
        closed = served.small.closed_streams
        call.cancel()
        async with asyncio.timeout(5):
            while served.small.closed_streams == closed:
                await asyncio.sleep(0.01)


async def test_more_streams_than_allowed_are_refused(served: Served) -> None:
    calls = [
        served.tables.WatchTable(tables_pb2.WatchTableRequest(), metadata=served.bearer)
        for _ in range(SETTINGS.streams_per_subject)
    ]
    for call in calls:
        await call.read()
    extra = served.tables.WatchTable(tables_pb2.WatchTableRequest(), metadata=served.bearer)
    code, reason, _ = await refusal(extra.read())
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")


async def test_a_stream_of_requests_is_answered(served: Served) -> None:
    call = served.tables.Play(metadata=served.bearer)
    for request_id in ("a", "b"):
        await call.write(tables_pb2.PlayRequest(move=tables_pb2.SubmitMoveRequest(request_id=request_id)))
        (answer,) = (await call.read()).answers
        assert answer.move.request_id == request_id
    await call.done_writing()
    assert await call.read() is grpc.aio.EOF


async def test_signing_in_needs_no_token_is_limited_by_peer_and_renews(served: Served) -> None:
    first = await served.lobby.SignInGuest(lobby_pb2.SignInGuestRequest())
    bearer = (("authorization", f"Bearer {first.token}"),)
    renewed = await served.lobby.SignInGuest(lobby_pb2.SignInGuestRequest(), metadata=bearer)
    assert renewed.token
    _, reason, _ = await refusal(
        served.lobby.SignInGuest(lobby_pb2.SignInGuestRequest(), metadata=(("authorization", "Bearer x.y.z"),))
    )
    assert reason == "TOKEN_INVALID"
    code, reason, _ = await refusal(served.lobby.SignInGuest(lobby_pb2.SignInGuestRequest()))
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")


async def test_a_message_too_large_is_refused_by_the_server(served: Served) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await served.tables.GetView(view("x" * (SETTINGS.max_message_bytes + 1)), metadata=served.bearer)
    assert failed.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_services_are_found_by_reflection(served: Served) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(served.channel)
    call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    names = {service.name for service in (await call.read()).list_services_response.service}
    assert {"cheeseboard.engine.v1.TableService", "grpc.health.v1.Health"} <= names


async def test_a_port_in_use_is_named_with_its_setting(served: Served, connection: RedisConnection) -> None:
    settings = ServingSettings(serving_listen=f"127.0.0.1:{served.port}")
    with pytest.raises(
        PortTaken,
        match=f"127.0.0.1:{served.port}: it is in use, or no address of this machine. Set CHEESEBOARD_SERVING_LISTEN",
    ):
        await start(settings, connection)


async def test_health_follows_the_store(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url)
    server, _, _, port = await start(SETTINGS, connection)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for service in ("", "cheeseboard.engine.v1.TableService"):
            watch = health.Watch(health_pb2.HealthCheckRequest(service=service))
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        own_valkey.kill()
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await own_valkey.start_soon()
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    await server.drain()
    await connection.close()


@pytest.mark.parametrize("method", ["GetView", "WatchTable"])
async def test_what_is_no_message_is_refused_as_such(
    served: Served, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It is the caller's fault, and none of ours in the log."""
    path = f"/cheeseboard.engine.v1.TableService/{method}"
    if method == "GetView":
        code, reason, _ = await refusal(served.channel.unary_unary(path)(b"\xff" * 9, metadata=served.bearer))
    else:
        code, reason, _ = await refusal(served.channel.unary_stream(path)(b"\xff" * 9, metadata=served.bearer).read())
    assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST")
    assert not caplog.records


async def test_whoever_calls_too_often_waits_for_it_and_nobody_else_does(served: Served) -> None:
    """A thousand calls at once are refused a connection's worth at a time; another player's call comes in between."""
    other = (await served.lobby.SignInGuest(lobby_pb2.SignInGuestRequest(display_name="Ben"))).token
    flood = [
        asyncio.ensure_future(_code(served.tables.GetView(view("x"), metadata=served.bearer))) for _ in range(1000)
    ]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{served.port}", OWN_CONNECTION) as channel:
        await asyncio.sleep(0.3)
        metadata = (("authorization", f"Bearer {other}"),)
        assert (await tables_pb2_grpc.TableServiceStub(channel).GetView(view("x"), metadata=metadata)).resume_point
    assert not all(call.done() for call in flood)
    codes = Counter(await asyncio.gather(*flood))
    assert codes[grpc.StatusCode.OK] >= 2 * SETTINGS.calls_per_second
    assert codes[grpc.StatusCode.RESOURCE_EXHAUSTED] >= STREAMS_PER_CONNECTION / 2


async def _code(call: Any) -> grpc.StatusCode:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK
