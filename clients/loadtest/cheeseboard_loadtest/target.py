"""What is put under load: a stack of our own, or one that runs already."""

import json
import secrets
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import jwt

from cheeseboard_client import Cheeseboard, Patience
from cheeseboard_loadtest.crowd import Clients
from cheeseboard_loadtest.usage import Source, of_child, of_metrics
from cheeseboard_local.own_stack import own_stack

ISSUER = "load-test"
TOKEN_SECONDS = 86_400
WITHOUT_LIMITS = {"CHEESEBOARD_CALLS_PER_SECOND": "10000", "CHEESEBOARD_MOVES_PER_SECOND": "10000"}


@dataclass(frozen=True)
class Target:
    """Where the engine is, who calls it, and where its processes tell what they use."""

    name: str
    clients: Clients
    sources: Mapping[str, Source] = field(default_factory=dict)


@asynccontextmanager
async def running(engine: str, scoring: str, token: str, metrics: Mapping[str, str]) -> AsyncIterator[Target]:
    """Yield a stack that runs already: engines and scoring services are addresses with commas between.

    With the token of a platform's backend (scope `service`) players are its own and share connections; without one they
    are guests. `metrics` are URLs by the names of processes.
    """
    sources = {name: of_metrics(url) for name, url in metrics.items()}
    addresses = [address.strip() for address in engine.split(",")]
    if token:
        async with _platform(addresses, scoring.split(","), token) as clients:
            yield Target(engine, clients, sources)
    else:
        yield Target(engine, _guests(addresses), sources)


@asynccontextmanager
async def own(say: Callable[[str], None]) -> AsyncIterator[Target]:
    """Start a stack, yield it, and stop it; its data is gone then. Raises StackFailed."""
    with tempfile.TemporaryDirectory(prefix="cheeseboard-load-") as name:
        folder, secret, metrics_port = Path(name), secrets.token_hex(32), _free_pair()
        settings = {
            **WITHOUT_LIMITS,
            "CHEESEBOARD_IDENTITY_FILE": str(_identity_file(folder, secret)),
            "CHEESEBOARD_METRICS_PORT": str(metrics_port),
        }
        async with own_stack(folder / "stack", say, settings) as stack:
            sources = {
                "engine": of_metrics(f"http://127.0.0.1:{metrics_port}/metrics"),
                "scoring": of_metrics(f"http://127.0.0.1:{metrics_port + 1}/metrics"),
                "redis": of_child(stack.pid, "-server"),
            }
            async with _platform([stack.engine], [stack.scoring], _token(secret)) as clients:
                yield Target("a stack of its own", clients, sources)


@asynccontextmanager
async def _platform(engine: list[str], scoring: list[str], token: str) -> AsyncIterator[Clients]:
    """Yield players of one platform, whose calls share a few connections."""

    @asynccontextmanager
    async def player(name: str) -> AsyncIterator[Cheeseboard]:
        yield platform.acting_for(name, name)

    async with Cheeseboard.connect(engine, scoring, token=token, patience=Patience()) as platform:
        yield player


def _guests(engine: list[str]) -> Clients:
    """Return guests, each with a connection of its own."""

    @asynccontextmanager
    async def player(name: str) -> AsyncIterator[Cheeseboard]:
        async with Cheeseboard.connect(engine) as client:
            await client.sign_in_guest(name)
            yield client

    return player


def _identity_file(folder: Path, secret: str) -> Path:
    path = folder / "identity.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps({"issuers": {ISSUER: {"1": {"algorithm": "HS256", "key": secret}}}}))
    return path


def _token(secret: str) -> str:
    now = int(time.time())
    body = {"iss": ISSUER, "aud": "cheeseboard", "sub": ISSUER, "name": ISSUER, "scope": "service"}
    return jwt.encode({**body, "iat": now, "exp": now + TOKEN_SECONDS}, secret, "HS256", headers={"kid": "1"})


def _free_pair() -> int:
    """Return a port that nobody listens on now, and neither on the next one."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port
