"""Somebody at the terminal client: a process of it over pipes or a pseudo-terminal, read and typed at."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

COMMAND = (sys.executable, "-c", "from cheeseboard_terminal.__main__ import main; main()")
PATIENCE_SECONDS = 20.0


class Typist:
    """A running client. `said` is all it printed so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said = ""
        self._read = 0

    async def sees(self, pattern: str) -> re.Match[str]:
        """Wait until something new matches, and go on after it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (found := re.compile(pattern).search(self.said, self._read)):
                await self._more()
        self._read = found.end()
        return found

    def types(self, *lines: str) -> None:
        """Type lines."""
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def leaves(self) -> None:
        """End the input, as a closed pipe does."""
        assert self.process.stdin
        self.process.stdin.close()

    async def exit_code(self) -> int:
        """Wait for the end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert self.process.stdout
            self.said += (await self.process.stdout.read()).decode()
            return await self.process.wait()

    async def _more(self) -> None:
        assert self.process.stdout
        part = await self.process.stdout.read(65536)
        assert part, f"it ended:\n{self.said[-3000:]}"
        self.said += part.decode()


@asynccontextmanager
async def typist(home: Path, *arguments: str) -> AsyncIterator[Typist]:
    """A client with these arguments, whose files are in this folder; ended with the block."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "CHEESEBOARD_BOT_MIN_MS": "0", "CHEESEBOARD_BOT_MAX_MS": "20"}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, "--home", str(home), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.STDOUT,
        env=environment, limit=2**20,
    )  # fmt: skip
    try:
        yield Typist(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
