"""A real Valkey server for tests: durable as in production, and killable."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from service_runtime.embedded_redis import EmbeddedRedis, free_port


@contextlib.contextmanager
def running_valkey(folder: Path) -> Iterator[EmbeddedRedis]:
    """A server on a free port with `kill()`, `start()` (again on the same data), `url` and `pid`."""
    server = EmbeddedRedis(folder, free_port())
    server.start()
    try:
        yield server
    finally:
        server.kill()
