"""From the command line to the last word: a stack to play on, a player, the lobby."""

import asyncio
import os
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from cheeseboard_client import Cheeseboard, CheeseboardError
from cheeseboard_local.own_stack import Addresses, StackFailed, is_running, own_stack
from cheeseboard_terminal import identity
from cheeseboard_terminal.identity import Identity
from cheeseboard_terminal.invocation import command
from cheeseboard_terminal.lobby import Guest, Lobby, Wish
from cheeseboard_terminal.menu import Back, ask
from cheeseboard_terminal.people import clean
from cheeseboard_terminal.terminal import InputEnded, Terminal, WentAway
from cheeseboard_terminal.words import in_words

USUAL = Addresses(
    os.environ.get("CHEESEBOARD_ENGINE_LISTEN", "127.0.0.1:50051"),
    os.environ.get("CHEESEBOARD_SCORING_LISTEN", "127.0.0.1:50052"),
)
"""Where a stack of this computer listens, also one that was told to listen elsewhere."""
OWN = "own"
"""What the engine of an own stack is called on file: its ports differ each time, its players do not."""


@dataclass(frozen=True)
class Settings:
    """What the command line says."""

    home: Path
    wish: Wish
    addresses: Addresses | None = None
    """None: the usual ones, or a stack of one's own if nothing runs there."""
    name: str = ""
    token: str = ""
    """An operator's token; without one the player is a guest."""
    own: bool = False
    """Start a stack for this game whether or not one is running."""
    plain: bool = False


async def play(settings: Settings) -> int:
    """Play until the player has had enough; return the exit code."""
    async with Terminal(settings.plain) as terminal, AsyncExitStack() as hold:
        try:
            said, code = await _play(settings, terminal, hold), 0
        except CheeseboardError as error:
            said, code = in_words(error), 1
        except StackFailed as failure:
            said, code = f"No game could be set up here:\n{failure}", 1
        except WentAway as away:
            said, code = str(away), 0
        except (InputEnded, asyncio.CancelledError):  # The end of a pipe, or Ctrl-C in the menu.
            said, code = "", 0
        terminal.end(said or "Goodbye!")
    return code


async def _play(settings: Settings, terminal: Terminal, hold: AsyncExitStack) -> str:
    who = Identity.load(settings.home)
    name = await _name(settings, who, terminal)
    addresses, called = await _stack(settings, terminal, hold)
    if settings.token:
        cheeseboard = Cheeseboard.connect(addresses.engine, addresses.scoring, token=settings.token)
        known = Guest(name, _again(settings), alone=called != addresses.engine)
        return await Lobby(terminal, await hold.enter_async_context(cheeseboard), known).run(settings.wish)
    who.name = name
    who.save()
    cheeseboard = await hold.enter_async_context(await identity.guest(who, addresses, called))

    async def rename(wanted: str) -> None:
        await cheeseboard.sign_in_guest(wanted)
        who.name = wanted
        who.save()

    try:
        known = Guest(name, _again(settings), called != addresses.engine, rename)
        return await Lobby(terminal, cheeseboard, known).run(settings.wish)
    finally:
        identity.keep_token(who, called, cheeseboard)


def _again(settings: Settings) -> str:
    """Return the command that comes back to the table: as the same player, to the same engine."""
    more = ["--own"] if settings.own else []
    more += ["--home", str(settings.home)] if settings.home != identity.default_home() else []
    if settings.addresses and settings.addresses != USUAL:
        more += ["--engine", settings.addresses.engine, "--scoring", settings.addresses.scoring]
    return command("--resume", *more)


async def _name(settings: Settings, who: Identity, terminal: Terminal) -> str:
    if settings.name or who.name:
        return clean(settings.name, 32) or who.name
    if settings.token:
        return "there"  # The token says who it is.
    title = Text.assemble(("Welcome to Cheeseboard!\n", "bold yellow"), "You can change the name later from the menu.")
    try:
        return clean(await ask(terminal, title, "What should the others call you? [Mouse] (q quit)"), 32) or "Mouse"
    except Back:
        raise InputEnded from None


async def _stack(settings: Settings, terminal: Terminal, hold: AsyncExitStack) -> tuple[Addresses, str]:
    """Return where to play, and what that engine is called on file."""
    addresses = settings.addresses or USUAL
    if not settings.own and await is_running(addresses):
        return addresses, addresses.engine
    if not settings.own and settings.addresses:
        raise StackFailed(f"Nobody answers at {addresses.engine}.")
    why = "An engine of its own is started" if settings.own else "No engine is running here: one is started"
    told = [Text(f"{why} for this game.", style="bold")]
    terminal.show(told[0], "")

    def progress(line: str) -> None:
        told.append(Text(clean(line, 200), style="dim"))
        terminal.show(Text("\n").join(told) if terminal.redraws else told[-1], "")

    try:
        return await hold.enter_async_context(own_stack(settings.home / "stack", progress)), OWN
    except StackFailed:
        # Another game may hold that folder: then this one is played without a memory.
        folder = hold.enter_context(tempfile.TemporaryDirectory(prefix="cheeseboard-"))
        return await hold.enter_async_context(own_stack(Path(folder), progress)), ""
