"""Lines of input: from keys as they are pressed, so that the screen can be redrawn around them, or from a pipe."""

import asyncio
import codecs
import importlib
import os
import re
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol

_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")
"""Arrows and other keys that send sequences: not understood, and not to be typed either."""
LONGEST_LINE = 200


class Lines(Protocol):
    """Where lines come from."""

    typed: str
    """What is typed of the next line, as far as one can know."""

    async def next(self) -> str | None:
        """Return the next line, None when there will be no more."""
        ...

    def close(self) -> None:
        """Give the terminal back as it was."""
        ...


class PipedLines:
    """Lines of a pipe or file, read as they come."""

    def __init__(self, descriptor: int) -> None:
        self.typed = ""
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        # A thread, because files cannot be polled; a daemon, because nothing can wake it from reading.
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self) -> str | None:
        """Return the next line, None at the end of the input."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def close(self) -> None:
        """Do nothing: a pipe needs no tidying."""

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        while part := os.read(self._descriptor, 4096):
            *lines, rest = (rest + decoder.decode(part)).split("\n")
            for line in lines:
                self._put(line[:LONGEST_LINE])
        if rest:
            self._put(rest[:LONGEST_LINE])
        self._put(None)

    def _put(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            return  # The loop is closed: nobody plays any more.


class Keyboard:
    """Keys of a person's terminal, edited into lines."""

    def __init__(self, descriptor: int, changed: Callable[[], None]) -> None:
        self.typed = ""
        self._changed = changed
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._termios: Any = importlib.import_module("termios")
        self._before = self._termios.tcgetattr(descriptor)
        importlib.import_module("tty").setcbreak(descriptor)
        asyncio.get_running_loop().add_reader(descriptor, self._read)

    @staticmethod
    def possible() -> bool:
        """Return whether standard input is a terminal whose keys can be read one by one."""
        return sys.stdin.isatty() and sys.platform != "win32"

    async def next(self) -> str | None:
        """Return the next line, None after Ctrl-D on an empty one."""
        return await self._lines.get()

    def close(self) -> None:
        """Give the terminal back as it was."""
        asyncio.get_running_loop().remove_reader(self._descriptor)
        self._termios.tcsetattr(self._descriptor, self._termios.TCSADRAIN, self._before)

    def _read(self) -> None:
        part = os.read(self._descriptor, 1024)
        if not part:
            self._lines.put_nowait(None)
            asyncio.get_running_loop().remove_reader(self._descriptor)
        for key in _ESCAPES.sub("", self._decoder.decode(part)):
            self._press(key)
        self._changed()

    def _press(self, key: str) -> None:
        if key in "\r\n":
            self._lines.put_nowait(self.typed)
            self.typed = ""
        elif key in "\x7f\b":
            self.typed = self.typed[:-1]
        elif key == "\x15":
            self.typed = ""
        elif key == "\x04" and not self.typed:
            self._lines.put_nowait(None)
        elif key.isprintable() and len(self.typed) < LONGEST_LINE:
            self.typed += key
