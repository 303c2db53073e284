"""The terminal: what is shown, and lines that are typed.

One kind redraws its whole screen around what is being typed. The other (pipes, dumb terminals) only prints, and takes a
line of input only when it has asked for one.
"""

import sys
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.text import Text

from cheeseboard_terminal.keyboard import Keyboard, Lines, PipedLines


class InputEnded(Exception):
    """Nobody will type anything any more."""


class WentAway(Exception):
    """The player went away from a table, and from the program, by Ctrl-C; the text says what becomes of the seat."""


class Terminal:
    """Shows and asks. Use it by `async with`: it holds the keyboard."""

    def __init__(self, plain: bool = False) -> None:
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.redraws = not plain and self.console.is_terminal and not self.console.is_dumb_terminal
        self.redraws = self.redraws and Keyboard.possible()
        self._body: RenderableType = ""
        self._prompt = ""

    async def __aenter__(self) -> "Terminal":
        """Take the keyboard."""
        self._lines: Lines = Keyboard(0, self._draw) if self.redraws else PipedLines(0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the keyboard back, and leave what was shown last on the screen."""
        self._lines.close()
        if error is not None and self.redraws:
            self._write("\r\n")

    def end(self, farewell: str) -> None:
        """Say the last words, below what is shown."""
        if self.redraws:
            self._write("\r\n")
        self.say(Text(farewell))

    def say(self, *lines: RenderableType) -> None:
        """Print; on a screen that is redrawn it is gone with the next drawing, so it belongs into the body there."""
        for line in lines:
            self.console.print(line, soft_wrap=isinstance(line, Text | str))

    def show(self, body: RenderableType, prompt: str) -> None:
        """Show a body and a prompt: instead of what was there before, or below it."""
        self._body, self._prompt = body, prompt
        if self.redraws:
            self._draw()
        else:
            self.say(body, *([f"> {prompt}"] if prompt else []))

    async def line(self) -> str:
        """Return the next line that is typed; raises InputEnded when there is none."""
        line = await self._lines.next()
        if line is None:
            raise InputEnded
        return line.strip()

    async def ask(self, body: RenderableType, prompt: str) -> str:
        """Show a body and a prompt, and return what is typed."""
        self.show(body, prompt)
        return await self.line()

    def _draw(self) -> None:
        """Write the whole screen at once, over what is there, so that nothing flickers."""
        width, height = self.console.size
        with self.console.capture() as captured:
            self.console.print(Group(self._body))
        rows = captured.get().removesuffix("\n").split("\n")[-(height - 1) :]
        room = width - len(self._prompt) - 4
        typed = self._lines.typed[-max(room, 8) :]
        screen = "".join(f"{row}\x1b[K\r\n" for row in rows)
        self._write(f"\x1b[?25h\x1b[H{screen}\x1b[J{self._prompt[: width - 12]} › {typed}")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
