"""A scoring service in this process, and callers with tokens of an operator's."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import jwt
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from cheeseboard.scoring.v1 import scoring_pb2_grpc
from scoring_service.app import ScoringApp
from scoring_service.settings import ScoringSettings
from service_runtime.identity import player_id

Stub: TypeAlias = "scoring_pb2_grpc.ScoringServiceAsyncStub"
"""A class that only the type checker knows."""

ISSUER, KID, SECRET = "operator", "1", "a secret of the operator of at least thirty-two bytes"


def player(name: str) -> str:
    """The public id of a player of the operator."""
    return player_id(f"{ISSUER}|{name}")


def token(name: str, *, secret: str = SECRET, seconds: int = 600, scope: str = "") -> str:
    claims = {"iss": ISSUER, "sub": name, "aud": "cheeseboard", "name": name.title(), "scope": scope}
    return jwt.encode({**claims, "exp": int(time.time()) + seconds}, secret, "HS256", headers={"kid": KID})


def bearer(name: str, **claims: Any) -> tuple[tuple[str, str], ...]:
    """The metadata of a call by a player."""
    return (("authorization", f"Bearer {token(name, **claims)}"),)


def settings(folder: Path, redis_url: str, **more: Any) -> ScoringSettings:
    keys = {"issuers": {ISSUER: {KID: {"algorithm": "HS256", "key": SECRET}}}}
    (folder / "identity.json").write_text(json.dumps(keys))
    return ScoringSettings(
        redis_url=redis_url,
        scoring_listen="127.0.0.1:0",
        identity_file=folder / "identity.json",
        calls_per_second=10_000,
        drain_seconds=2,
        **more,
    )


@asynccontextmanager
async def serving(
    chosen: ScoringSettings,
) -> AsyncIterator[tuple[ScoringApp, Stub]]:
    """A running replica and a stub that calls it over loopback."""
    app = await ScoringApp.start(chosen)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{app.port}") as channel:
        yield app, scoring_pb2_grpc.ScoringServiceStub(channel)
    await app.stop()


async def refusal(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str, Mapping[str, str]]:
    """Return code, reason and named fields (with why) of a call that must be refused."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return _told(error)
    raise AssertionError(f"not refused: {answer}")


def _told(error: grpc.aio.AioRpcError) -> tuple[grpc.StatusCode, str, Mapping[str, str]]:
    status = rpc_status.from_call(error)
    assert status is not None, error
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(bad)
    assert info.domain == "cheeseboard"
    return error.code(), info.reason, {violation.field: violation.description for violation in bad.field_violations}
