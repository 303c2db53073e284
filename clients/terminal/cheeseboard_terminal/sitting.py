"""One sitting at a table: from the first look at it until the player goes. One loop over one queue.

What the player sees comes from views and events alone; nothing is concluded from a connection that is lost.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, CheeseboardError, Frame, Interrupted, Record, Unreachable
from cheeseboard_client.errors import NoSpectators
from cheeseboard_terminal import commands
from cheeseboard_terminal.games.contract import Answer, Game, NotPossible
from cheeseboard_terminal.happenings import Done, Happening, Over, Page, Tick, Typed
from cheeseboard_terminal.menu import BOTS
from cheeseboard_terminal.notice import Notice, State
from cheeseboard_terminal.prompts import asks, countdown, is_asked, is_away, prompt, warning
from cheeseboard_terminal.seen import Seen
from cheeseboard_terminal.sheets import Sheets
from cheeseboard_terminal.table_page import board_page, head_line, in_lines, table_sections
from cheeseboard_terminal.terminal import InputEnded, Terminal, WentAway
from cheeseboard_terminal.words import in_words

THANKS = "Thank you for playing!"
SURE = "Leave? y/n (the engine plays for you until you come back)"
UNSEATED = "You have no seat at this table any more: you left it, or were away when another game began."
UNSEEN_SECONDS = 0.5
"""What was typed when a page had just appeared was meant for what it covers."""

Call = Coroutine[Any, Any, int]
"""A call to the engine; returns the number of the last event it caused, 0 if that does not matter."""


@dataclass(frozen=True)
class Way:
    """How the player came to the table, and where it goes from there."""

    out: str
    """Where q leads: "menu" or "quit"."""
    again: str
    """How to go on later: "with cheeseboard-play --resume"."""
    came: str = ""
    """What to tell of how the player came; empty for a table that is new to it."""


class Sitting:
    """The player at one table."""

    def __init__(
        self, terminal: Terminal, cheeseboard: Cheeseboard, table_id: str, game: Game, way: Way, greeting: str = ""
    ) -> None:
        self._terminal = terminal
        self._cheeseboard = cheeseboard
        self._table_id = table_id
        self._game = game
        self._way = way
        self._seen = Seen(game)
        self._seen.log.extend([Text(way.came)] if way.came else [])
        self._sheets = Sheets(game)
        self._happenings: asyncio.Queue[Happening] = asyncio.Queue()
        self._pages: deque[RenderableType] = deque([Text(greeting)] if greeting else [])
        self._page_since = 0.0
        self._asked_to_leave = False
        self._last_sheet: RenderableType = "No round has been scored yet."
        self._notice = Notice()
        self._heard = 0
        """How many frames came from the engine."""
        self._calls = 0
        self._moved_to = 0
        self._may_type = asyncio.Event()
        self._asked: object = None
        self._farewell: str | None = None

    async def run(self) -> str:
        """Return what to say at the end. Raises WentAway when the program is to end at once."""
        if not self._terminal.redraws:
            self._terminal.say(f"Type ? for the rules, scores for the last score sheet, q {self._way.out}.")
            self._terminal.say(*([Text(self._way.came)] if self._way.came else []))
        try:
            return await self._play()
        except asyncio.CancelledError:  # Ctrl-C.
            raise WentAway(self._goodbye()) from None

    async def _play(self) -> str:
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            background = [tasks.create_task(work) for work in (self._watch(), self._read(), self._tick())]
            while self._farewell is None:
                self._handle(await self._happenings.get())
                if self._happenings.empty() and self._farewell is None:
                    self._present()
            for task in background:
                task.cancel()
        return self._farewell

    async def _watch(self) -> None:
        try:
            async for frame in self._cheeseboard.watch(self._table_id, include_view=True):
                self._happenings.put_nowait(frame)
        except CheeseboardError as refused:
            unseated = isinstance(refused, NoSpectators) and self._seen.view.HasField("viewer")
            self._happenings.put_nowait(Over(UNSEATED if unseated else in_words(refused)))

    async def _read(self) -> None:
        try:
            while True:
                await self._may_type.wait()
                line = await self._terminal.line()
                if not self._terminal.redraws:
                    self._may_type.clear()
                self._happenings.put_nowait(Typed(line))
        except InputEnded:
            self._happenings.put_nowait(Over(self._goodbye()))

    async def _tick(self) -> None:
        while self._terminal.redraws:
            self._may_type.set()
            self._happenings.put_nowait(Tick())
            await asyncio.sleep(1.0)

    def _handle(self, happening: Happening) -> None:
        match happening:
            case Typed(line):
                self._typed(line)
            case Page(body):
                self._page_since = self._page_since if self._pages else time.monotonic()
                self._pages.append(body)
            case Done(error, sequence):
                self._calls -= 1
                if error:
                    heard = self._heard
                    silent = isinstance(error, Unreachable)
                    self._say(in_words(error), lambda: not silent or self._heard == heard)
                self._moved_to = max(self._moved_to, sequence)
            case Over(farewell):
                self._farewell = farewell
            case Tick():
                self._forget_notice()
            case _:
                self._frame(happening)

    def _frame(self, frame: Frame) -> None:
        before = self._seen.connection
        self._heard += not isinstance(frame, Interrupted)
        lines = self._seen.take(frame)
        if not self._terminal.redraws:
            changed = self._seen.connection != before
            self._terminal.say(*([Text(self._seen.connection or "connected again")] if changed else []), *lines)
        self._forget_notice()
        rounds, over = self._sheets.due(self._seen.view)
        if rounds or over:
            self._call(self._bring_sheets(self._seen.view, rounds, over))
        if self._seen.view.status == tables_pb2.TABLE_STATUS_CLOSED:
            self._farewell = f"The table is closed. {THANKS}"

    async def _bring_sheets(self, view: tables_pb2.TableView, rounds: list[int], over: bool) -> int:
        people = self._seen.people
        for number in rounds:
            record = await self._record(view.game_number)
            self._last_sheet = self._game.score_sheet(view, people, number, record)
            self._happenings.put_nowait(Page(self._last_sheet))
        ranking = self._game.ranking(view, people)
        if over and ranking and not self._terminal.redraws:  # A screen shows it in place of the board.
            self._happenings.put_nowait(Page(ranking))
        return 0

    async def _record(self, game_number: int) -> Record | None:
        try:
            return await asyncio.wait_for(self._cheeseboard.record(self._table_id, game_number), 3.0)
        except (CheeseboardError, TimeoutError):
            return None  # The sheet does without its reasons.

    def _typed(self, line: str) -> None:
        self._notice.forget()
        if self._pages and self._terminal.redraws:
            if time.monotonic() - self._page_since > UNSEEN_SECONDS:
                self._pages.popleft()
                self._page_since = time.monotonic()
            return
        if self._asked_to_leave:
            self._asked_to_leave = False
            if line.casefold() in ("y", "yes", "leave"):
                self._call(self._leave())
            else:
                self._say("You stay.")
            return
        if is_away(self._seen.view) and not commands.goes_anywhere(line):
            self._call(self._come_back())
            return
        if not line and self._terminal.redraws and not self._game.usual(self._seen.view):
            return
        try:
            self._do(commands.understood(self._game, self._seen.view, line))
        except NotPossible as reason:
            self._say(str(reason))

    def _say(self, notice: str, holds: Callable[[], bool] = lambda: True) -> None:
        self._notice.say(notice, self._state(), time.monotonic(), holds)

    def _forget_notice(self) -> None:
        if self._terminal.redraws:
            self._notice.look(self._state(), time.monotonic())

    def _state(self) -> State:
        view = self._seen.view
        return view.sequence, asks(view), view.status

    def _do(self, command: commands.Command) -> None:
        match command:
            case commands.ShowRules():
                self._pages.extendleft(reversed(self._game.rules()))
                self._page_since = 0.0
            case commands.ShowScores():
                self._pages.appendleft(self._last_sheet)
                self._page_since = 0.0
            case commands.Quit():
                self._farewell = self._goodbye()
            case commands.Leave() if self._is_running():
                self._asked_to_leave = True
            case commands.Leave():
                self._call(self._leave())
            case commands.AddBots(bot, all_seats):
                self._call(self._add_bots(bot, all_seats))
            case commands.Start():
                self._call(self._start())
            case commands.Rematch():
                self._call(self._rematch())
            case commands.Choose(offer) if self._waits():
                self._say("One moment…", self._waits)
            case commands.Choose(offer):
                self._call(self._move(offer))

    def _goodbye(self) -> str:
        over = self._seen.view.status == tables_pb2.TABLE_STATUS_FINISHED
        return THANKS if over else f"Your seat is kept: go on {self._way.again}"

    def _waits(self) -> bool:
        """Return whether the view is older than what the player did."""
        return self._calls > 0 or self._seen.view.sequence < self._moved_to

    def _call(self, call: Call) -> None:
        self._calls += 1
        self._tasks.create_task(self._reported(call))

    async def _reported(self, call: Call) -> None:
        """Make a call; whatever comes of it is told once."""
        error, sequence = None, 0
        try:
            sequence = await call
        except CheeseboardError as met:
            error = met
        self._happenings.put_nowait(Done(error, sequence))

    async def _move(self, choice: tables_pb2.Offer | Answer) -> int:
        if isinstance(choice, Answer):
            return (await self._cheeseboard.move(self._table_id, choice.move, window=choice.window)).sequence
        return (await self._cheeseboard.move(self._table_id, choice)).sequence

    async def _start(self) -> int:
        await self._cheeseboard.start(self._table_id)
        return 0

    async def _rematch(self) -> int:
        return (await self._cheeseboard.rematch(self._table_id)).sequence

    async def _come_back(self) -> int:
        """Take the seat back from the engine, as any call does."""
        return (await self._cheeseboard.view(self._table_id)).sequence

    async def _leave(self) -> int:
        before = self._seen.view
        await self._cheeseboard.leave(self._table_id)
        self._happenings.put_nowait(Over(self._left(before)))
        return 0

    def _left(self, before: tables_pb2.TableView) -> str:
        match before.status:
            case tables_pb2.TABLE_STATUS_RUNNING:
                return f"You left. The engine plays for you until you come back: go on {self._way.again}"
            case tables_pb2.TABLE_STATUS_OPEN:
                return f"You left table {before.code} and gave up your seat there."
        return f"You left table {before.code}. {THANKS}"

    def _is_running(self) -> bool:
        return self._seen.view.status == tables_pb2.TABLE_STATUS_RUNNING

    async def _add_bots(self, bot: str, all_seats: bool) -> int:
        free = [seat.seat for seat in self._seen.view.seats if not seat.HasField("player")]
        for seat in free if all_seats else free[:1]:
            await self._cheeseboard.seat_bot(self._table_id, bot or next(iter(BOTS)), seat=seat)
        return 0

    def _present(self) -> None:
        """Show the table as it is now."""
        if self._terminal.redraws:
            self._terminal.show(*self._screen())
        else:
            self._print()

    def _screen(self) -> tuple[RenderableType, str]:
        view = self._seen.view
        left = countdown(self._seen.seconds_left())
        if self._pages:
            turn = "It is your turn; " if is_asked(view) else ""
            return self._pages[0], f"{left}{turn}Enter to go on"
        body = board_page(
            self._terminal.console,
            table_sections(self._game, self._seen),
            head_line(self._game, view, self._seen.connection, self._way.out),
            tuple(self._seen.log),
            Text(self._notice.text or warning(view), style="bold yellow"),
        )
        return body, left + self._question()

    def _question(self) -> str:
        return SURE if self._asked_to_leave else prompt(self._game, self._seen.view, self._seen.people, self._way.out)

    def _print(self) -> None:
        """Print what is new, and ask if something is asked."""
        while self._pages:
            self._terminal.say(self._pages.popleft())
        if self._notice.text:
            self._terminal.say(self._notice.text)
            self._notice.forget()
        asked = asks(self._seen.view)
        if asked is None or self._waits() or (asked == self._asked and self._may_type.is_set()):
            return
        if asked != self._asked:
            self._terminal.say(*([told] if (told := warning(self._seen.view)) else []))
            self._terminal.say(*in_lines(self._game, self._seen))
        left = countdown(self._seen.seconds_left())
        self._terminal.say(f"> {left}{self._question()}")
        self._asked = asked
        self._may_type.set()
