"""Connections to the replicas of one service, and which of them is used.

Any replica serves any table. A caller stays with one replica, picked at random, until that fails; then it moves on.
How long to wait between tries is this package's own affair: for the next one a channel that could not connect is
replaced, whatever gRPC's back-off says, so that a replica is reached as soon as it is back.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

import grpc

Stubs = TypeVar("Stubs")

OPTIONS: tuple[tuple[str, int], ...] = (
    # Pings only while calls are open, and slower than the engine's signs of life: a server that is strict about pings
    # (GOAWAY "too_many_pings") forgives every ping that comes after it has sent something.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # How long connecting may take, whatever its name says: TLS over a slow line needs several round trips.
    ("grpc.min_reconnect_backoff_ms", 2_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # Each channel has its own connection: this is what makes a second channel worth opening.
    ("grpc.use_local_subchannel_pool", 1),
    # Retries are this package's own: it knows what is safe.
    ("grpc.enable_retries", 0),
)

STREAMS_PER_CHANNEL = 90
"""A connection carries about 100 streams; more wait without a word, and unary calls need room too."""

REDIAL_SECONDS = 0.25
"""A channel that is younger than this is not replaced: many may try again at once."""


class Connection(Generic[Stubs]):
    """One channel with its stubs."""

    def __init__(self, channel: grpc.aio.Channel, stubs: Stubs) -> None:
        self.channel = channel
        self.stubs = stubs
        self.streams = 0
        self._opened_at = time.monotonic()

    @property
    def broken(self) -> bool:
        """Whether it could not connect and would fail every call until gRPC's own back-off is over."""
        old = time.monotonic() - self._opened_at >= REDIAL_SECONDS
        return old and self.channel.get_state() is grpc.ChannelConnectivity.TRANSIENT_FAILURE


class Replica(Generic[Stubs]):
    """One address; opens a further channel when the streams of all others fill them."""

    def __init__(
        self, address: str, tls: grpc.ChannelCredentials | None, stubs: Callable[[grpc.aio.Channel], Stubs]
    ) -> None:
        self.address = address
        self._tls = tls
        self._stubs = stubs
        self._connections: list[Connection[Stubs]] = []

    def connection(self) -> Connection[Stubs]:
        """Return the connection with the most room, a new one if none has any or those that are there are broken."""
        # Only dropped: to close them would cancel calls that are just failing. gRPC closes what nobody holds.
        self._connections = [each for each in self._connections if not each.broken]
        best = min(self._connections, key=lambda each: each.streams, default=None)
        if best is None or best.streams >= STREAMS_PER_CHANNEL:
            best = self._open()
        return best

    async def close(self) -> None:
        """Close all channels; calls under way end."""
        for connection in self._connections:
            await connection.channel.close()
        self._connections.clear()

    def _open(self) -> Connection[Stubs]:
        if self._tls is None:
            channel = grpc.aio.insecure_channel(self.address, options=OPTIONS)
        else:
            channel = grpc.aio.secure_channel(self.address, self._tls, options=OPTIONS)
        connection = Connection(channel, self._stubs(channel))
        self._connections.append(connection)
        return connection


class Replicas(Generic[Stubs]):
    """All addresses of one service."""

    def __init__(
        self,
        addresses: Sequence[str],
        tls: grpc.ChannelCredentials | None,
        stubs: Callable[[grpc.aio.Channel], Stubs],
    ) -> None:
        assert addresses, "a service needs an address"
        self._replicas = [Replica(address, tls, stubs) for address in addresses]
        self._at = random.randrange(len(self._replicas))

    def current(self) -> Replica[Stubs]:
        """Return the replica in use."""
        return self._replicas[self._at]

    def failed(self, replica: Replica[Stubs]) -> None:
        """Move on from this replica, unless somebody has already."""
        if replica is self.current():
            self._at = (self._at + 1) % len(self._replicas)

    @contextmanager
    def stream(self) -> Iterator[tuple[Replica[Stubs], Stubs]]:
        """Hold room for one stream on the replica in use."""
        replica = self.current()
        connection = replica.connection()
        connection.streams += 1
        try:
            yield replica, connection.stubs
        finally:
            connection.streams -= 1

    async def close(self) -> None:
        """Close every connection."""
        for replica in self._replicas:
            await replica.close()
