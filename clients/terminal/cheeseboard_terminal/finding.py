"""Finding a game with whoever looks for one too: what to agree on, and the wait."""

import asyncio
import itertools
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from cheeseboard.engine.v1 import matchmaking_pb2
from cheeseboard_client import Cheeseboard, Match, accepted_game
from cheeseboard_client.errors import AlreadyWaiting
from cheeseboard_terminal.games.contract import Game
from cheeseboard_terminal.menu import BACK, CLOCKS, HELP, Back, pick
from cheeseboard_terminal.prompts import countdown
from cheeseboard_terminal.terminal import Terminal

CLOCK = "slow"
"""The same for everyone who looks: another clock would be another line."""
BOTS_AFTER_SECONDS = 20
ANY = "any"
MOST_WISHES = 8
"""So many games may be looked for at once."""


@dataclass(frozen=True)
class Seeking:
    """What a player looks for."""

    game: Game
    most: int
    """Seats; fewer will do after a while."""
    answers: Mapping[str, str]
    """To the game's settings; `any` where every choice will do."""
    bots: bool = False
    """Whether bots may fill up when nobody comes."""

    def accepted(self, fewest: int) -> list[matchmaking_pb2.AcceptedGame]:
        """Return the games that would be welcome, with at least so many seats."""
        move_seconds, bank_seconds, _ = CLOCKS[CLOCK]
        each = [
            list(setting.choices) if self.answers[setting.name] == ANY else [self.answers[setting.name]]
            for setting in self.game.settings
        ]
        names = [setting.name for setting in self.game.settings]
        return [
            accepted_game(
                self.game.options(dict(zip(names, chosen, strict=True)), None),
                self.most,
                min_seats=fewest,
                move_seconds=move_seconds,
                bank_seconds=bank_seconds,
            )
            for chosen in itertools.product(*each)
        ]


async def seeking(terminal: Terminal, game: Game, seats: tuple[int, int]) -> Seeking:
    """Ask what to look for."""
    title = Text(f"{game.title}: find a game", style="bold")

    def asking(question: str) -> RenderableType:
        return Group(title, Text(question))

    counts = {str(count): f"up to {count} players" for count in range(seats[0], seats[1] + 1)}
    most = int(await pick(terminal, asking("How many players at the table?"), counts, str(min(4, seats[1])), game=game))
    answers: dict[str, str] = {}
    wishes = 1
    for each in game.settings:
        several = wishes * len(each.choices) <= MOST_WISHES
        choices = {**each.choices, ANY: "whatever is found first"} if several else each.choices
        answers[each.name] = await pick(terminal, asking(each.question), choices, game=game)
        wishes *= len(each.choices) if answers[each.name] == ANY else 1
    fill = {"wait": "wait on", "bots": f"let bots fill up after {BOTS_AFTER_SECONDS} seconds"}
    bots = await pick(terminal, asking("And if nobody comes?"), fill, game=game)
    return Seeking(game, most, answers, bots == "bots")


async def found(terminal: Terminal, cheeseboard: Cheeseboard, wish: Seeking, fewest: int) -> str:
    """Return the table that was found, with a seat for the player. Raises Back when the player gives up."""
    waiting = _Waiting(terminal, wish)
    finding = asyncio.create_task(_find(cheeseboard, wish, fewest, waiting))
    try:
        while not finding.done():
            waiting.show()
            typing = asyncio.create_task(terminal.line())
            try:
                await asyncio.wait((finding, typing), timeout=waiting.redraw_seconds, return_when="FIRST_COMPLETED")
                if typing.done() and not finding.done():
                    waiting.typed(typing.result())
            finally:
                typing.cancel()
                await asyncio.wait((typing,))
        match = finding.result()
    finally:
        finding.cancel()  # Which gives the ticket up.
        with suppress(asyncio.CancelledError, Exception):
            await finding
    await match.frames.aclose()
    return match.table_id


async def _find(cheeseboard: Cheeseboard, wish: Seeking, fewest: int, waiting: "_Waiting") -> Match:
    accepts = wish.accepted(fewest)
    bots_after = BOTS_AFTER_SECONDS if wish.bots else None
    try:
        return await cheeseboard.find_match(accepts, bots_after_seconds=bots_after, told=waiting.take)
    except AlreadyWaiting as before:  # Left by a program that was ended; two wishes at once cannot be.
        await cheeseboard.cancel_ticket(before.facts["ticket_id"])
        return await cheeseboard.find_match(accepts, bots_after_seconds=bots_after, told=waiting.take)


class _Waiting:
    """What is shown meanwhile: on a screen every second, on paper once."""

    def __init__(self, terminal: Terminal, wish: Seeking) -> None:
        self._terminal = terminal
        self._wish = wish
        self._began = time.monotonic()
        self._ticket = matchmaking_pb2.Ticket()
        self._shown = False
        self._pages: list[RenderableType] = []
        self._said = ""

    @property
    def redraw_seconds(self) -> float | None:
        """After how long the screen is out of date."""
        return 1.0 if self._terminal.redraws else None

    def take(self, ticket: matchmaking_pb2.Ticket) -> None:
        """Learn how the ticket stands."""
        self._ticket = ticket

    def typed(self, line: str) -> None:
        """Answer what is typed meanwhile; raises Back when the player gives up."""
        word, self._said, self._shown = line.casefold(), "", False
        if self._pages:
            self._pages.pop(0)
        elif word in BACK:
            raise Back
        elif word in HELP:
            self._pages.extend(self._wish.game.rules())
        elif word:
            self._said = "Players are looked for. Type q to give up, or ? to read the rules meanwhile."

    def show(self) -> None:
        """Show how the wait goes, or what is read meanwhile."""
        if self._shown and not self._terminal.redraws:
            return
        self._shown = True
        if self._pages:
            self._terminal.show(self._pages[0], "Enter to go on")
        else:
            self._terminal.show(self._standing(), "q give up (? rules)")

    def _standing(self) -> RenderableType:
        title = Text(f"Looking for players: {self._wish.game.title}, up to {self._wish.most}", style="bold")
        waited = countdown(time.monotonic() - self._began).strip()
        lines = [title, Text(f"The clock gives {CLOCKS[CLOCK][2]}.", style="dim")]
        lines += [Text(f"\nYou have waited {waited}.")] if self._terminal.redraws else []
        if self._ticket.position:
            lines.append(Text(f"Your place in line: {self._ticket.position}."))
        if self._ticket.HasField("estimate_seconds") and self._ticket.estimate_seconds:
            lines.append(Text(f"Others waited about {countdown(self._ticket.estimate_seconds).strip()} longer."))
        return Group(*lines, *([Text(f"\n{self._said}", style="bold yellow")] if self._said else []))
