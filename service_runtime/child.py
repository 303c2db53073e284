"""A service as a child process: its log in a file, what it complains of passed on, gone when we are."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from .service import STOP_WITH_PARENT

MOST_LOG_BYTES = 20 * 1024 * 1024

Tell = Callable[[str], None]


class Child:
    """`python -m <module>`, started any number of times."""

    def __init__(self, name: str, module: str, settings: Mapping[str, str], folder: Path, tell: Tell) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._module = module
        self._environment = {**os.environ, **settings, STOP_WITH_PARENT: "1"}
        self._tell = tell
        self._process: asyncio.subprocess.Process | None = None
        self._complaints: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """Return the process id."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it; its log goes on where it was."""
        if self.log.exists() and self.log.stat().st_size > MOST_LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as lines:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self._module),
                env=self._environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=lines,
                stderr=asyncio.subprocess.PIPE,
                # Ctrl-C is for us; we stop the children in their order.
                start_new_session=True,
            )
        self._complaints = asyncio.create_task(self._pass_on(self._process))

    async def wait(self) -> int:
        """Return the exit code when it has ended and all it had to say is told."""
        assert self._process is not None
        code = await self._process.wait()
        if self._complaints is not None:
            await asyncio.wait([self._complaints], timeout=1)
        return code

    async def stop(self, seconds: float) -> None:
        """Ask it to end, and make it end after `seconds`."""
        if not self.running:
            return
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.wait(), seconds)
        except TimeoutError:
            self._tell(f"{self.name} does not stop; ending it")
            self._signal(signal.SIGKILL)
            await self.wait()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)

    async def _pass_on(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self._tell(f"{self.name}: {line.decode(errors='replace').rstrip()}")
