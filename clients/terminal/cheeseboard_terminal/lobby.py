"""From the menu to a table and back, until the player has had enough."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from cheeseboard_client import Cheeseboard, CheeseboardError, Refused
from cheeseboard_terminal import menu
from cheeseboard_terminal.finding import Seeking, found, seeking
from cheeseboard_terminal.games.contract import Game
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.invocation import command
from cheeseboard_terminal.people import clean
from cheeseboard_terminal.sitting import Sitting, Way
from cheeseboard_terminal.terminal import Terminal
from cheeseboard_terminal.words import in_words

MOST_LISTED = 15
RATED = "A rating is the strength that somebody has surely shown. Everyone begins at 0."
GOING = (tables_pb2.TABLE_STATUS_OPEN, tables_pb2.TABLE_STATUS_RUNNING)


@dataclass(frozen=True)
class Wish:
    """What the command line asks for; all empty means the menu."""

    plan: menu.Plan | None = None
    find: Seeking | None = None
    join: str = ""
    resume: bool = False


@dataclass
class Guest:
    """Who the player is here."""

    name: str
    again: str
    """What to type to come back."""
    alone: bool
    """Whether the engine runs for this player only."""
    rename: Callable[[str], Awaitable[None]] | None = None
    """Takes another name; None for a player whose token says the name."""


_ALONE = "This engine was started for you alone and ends with your game: nobody else can join."


def _alone() -> RenderableType:
    return Group(
        Text("A table for friends needs an engine that they reach too.", style="bold"),
        Text(f"{_ALONE}\n"),
        Text("On one computer: run `make run` in another window, then start this program again, each player with"),
        Text(f"    {command('--home', 'OTHER_FOLDER', '--name', 'NAME')}"),
        Text("From other computers, to the address where that engine listens (CHEESEBOARD_ENGINE_LISTEN):"),
        Text(f"    {command('--engine', 'HOST:PORT', '--scoring', 'HOST:PORT')}"),
    )


def _same_player(name: str) -> str:
    other = command("--home", "OTHER_FOLDER", "--name", "NAME")
    return f"You already sit at this table, as {name}.\nTo be another player on this computer, start\n    {other}"


class Lobby:
    """The player between tables."""

    def __init__(self, terminal: Terminal, cheeseboard: Cheeseboard, guest: Guest) -> None:
        self._terminal = terminal
        self._cheeseboard = cheeseboard
        self._guest = guest
        self._said = ""
        self._out = "menu"

    async def run(self, wish: Wish) -> str:
        """Do what is wished, or show the menu until the player quits; return what to say at the end."""
        if wish.plan or wish.find or wish.join or wish.resume:
            self._out = "quit"
            await self._told(self._wished_table(wish))
            return self._said
        while await self._menu():
            pass
        return self._said

    async def _wished_table(self, wish: Wish) -> None:
        if wish.plan:
            await self._set_up(wish.plan)
        elif wish.find:
            await self._find(wish.find)
        elif wish.join:
            await self._join(wish.join)
        elif mine := await self._mine():
            await self._go_on(mine[0].code)
        else:
            self._said = "You sit at no table here."

    async def _menu(self) -> bool:
        """Show the menu once and do what is picked; return whether to show it again."""
        choices = {
            "bots": "Play against bots",
            "friends": "Open a table for friends",
            "find": "Find a game with other players",
            "join": "Join a table by its code",
            "tables": "Look for open tables",
            "ratings": "See the leaderboard",
            "rules": "Read the rules",
            **({"name": "Change your name"} if self._guest.rename else {}),
            "quit": "Quit",
        }
        for table in await self._mine():
            choices = {f"resume {table.code}": f"Go on at table {menu.summary_line(table)}", **choices}
        title = Group(
            Text.assemble(("Cheeseboard", "bold yellow"), f"   Hello, {self._guest.name}!"),
            Text(self._said, style="yellow"),
        )
        try:
            picked = await menu.pick(self._terminal, title, choices, out="quit")
        except menu.Back:
            picked = "quit"
        self._said = ""
        if picked != "quit":
            await self._told(self._do(picked))
        return picked != "quit"

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something; a refusal is what there is to say then."""
        try:
            with suppress(menu.Back):
                await work
        except CheeseboardError as error:
            self._said = in_words(error)

    async def _do(self, picked: str) -> None:
        match picked.partition(" "):
            case "resume", _, code:
                await self._go_on(code)
            case "bots", _, _:
                game, seats = await self._game()
                await self._set_up(await menu.plan(self._terminal, game, seats, menu.BOTS))
            case "friends" | "find", _, _ if self._guest.alone:
                await menu.read(self._terminal, _alone())
            case "friends", _, _:
                game, seats = await self._game()
                await self._set_up(await menu.plan(self._terminal, game, seats, {}))
            case "find", _, _:
                game, seats = await self._game()
                await self._find(await seeking(self._terminal, game, seats))
            case "join", _, _:
                code = await menu.ask(self._terminal, Text("Join a table", style="bold"), "Its code (Enter: back)")
                await (self._join(code) if code else asyncio.sleep(0))
            case "tables", _, _:
                await self._look_around()
            case "ratings", _, _:
                await menu.read(self._terminal, await self._ratings())
            case "rules", _, _:
                game, _ = await self._game()
                await menu.read(self._terminal, *game.rules())
            case "name", _, _:
                await self._rename()

    async def _game(self) -> tuple[Game, tuple[int, int]]:
        """Return the game to play and its fewest and most seats; ask if there are several."""
        offered = {each.game: each for each in await self._cheeseboard.list_games() if each.game in GAMES}
        titles = {name: GAMES[name].title for name in offered}
        title = Text("Which game?", style="bold")
        name = await menu.pick(self._terminal, title, titles) if len(titles) > 1 else next(iter(titles))
        return GAMES[name], (offered[name].min_seats, offered[name].max_seats)

    async def _set_up(self, plan: menu.Plan) -> None:
        try:
            options = plan.options()
        except ValueError as unreadable:
            self._said = f"The deck cannot be read: {clean(str(unreadable), 200)}"
            return
        table = await self._cheeseboard.create_table(options)
        if plan.bots:
            for _ in range(plan.seats - 1):
                await self._cheeseboard.seat_bot(table.table_id, plan.bots)
            await self._cheeseboard.start(table.table_id)
        await self._sit(table.table_id)

    async def _find(self, wish: Seeking) -> None:
        fewest = {each.game: each.min_seats for each in await self._cheeseboard.list_games()}
        table_id = await found(self._terminal, self._cheeseboard, wish, fewest.get(wish.game.name, wish.most))
        await self._sit(table_id, came="Players were found: the game begins.")

    async def _go_on(self, code: str) -> None:
        await self._sit((await self._cheeseboard.join(code)).table_id, came="You came back to the table.")

    async def _join(self, code: str) -> None:
        """Take a seat at the table with a code or a number of its own; say so if the player has one already."""
        mine = [table for table in await self._mine() if code.upper() in (table.code.upper(), table.table_id.upper())]
        try:
            table_id = (await self._cheeseboard.join(code)).table_id
        except Refused as refused:
            if refused.reason != "TABLE_NOT_FOUND":
                raise
            alone = f" {_ALONE}" if self._guest.alone else ""
            self._said = f"There is no table with the code {clean(code, 20)} here.{alone}"
            return
        if mine:
            await self._sit(table_id, came="You came back to the table.", greeting=_same_player(self._guest.name))
        else:
            await self._sit(table_id)

    async def _rename(self) -> None:
        title = Text("The name that the others see; tables where you sit keep the old one.", style="bold")
        if self._guest.rename and (name := clean(await menu.ask(self._terminal, title, "Your name (Enter: back)"), 32)):
            await self._guest.rename(name)
            self._guest.name = name

    async def _sit(self, table_id: str, came: str = "", greeting: str = "") -> None:
        view = await self._cheeseboard.view(table_id)
        game = GAMES.get(view.options.game.WhichOneof("game") or "")
        if game is None:
            self._said = "At this table a game is played that this client does not know yet."
            return
        command = f"with {self._guest.again}"
        again = f"{command} (or from the menu)" if self._out == "quit" else f"from the menu, or {command}"
        way = Way(self._out, again, came)
        self._said = await Sitting(self._terminal, self._cheeseboard, table_id, game, way, greeting).run()

    async def _mine(self) -> list[lobby_pb2.TableSummary]:
        """Return the tables the player can go back to; none when that cannot be learned now."""
        try:
            return [table for table in await self._cheeseboard.my_tables() if table.status in GOING]
        except CheeseboardError as error:
            self._said = in_words(error)
            return []

    async def _look_around(self) -> None:
        tables: dict[str, str] = {}
        async for table in self._cheeseboard.list_tables():
            tables[table.table_id] = menu.summary_line(table)
            if len(tables) == MOST_LISTED:
                break
        title = Text("Open tables" if tables else "Nobody waits at an open table now.", style="bold")
        picked = await menu.pick(self._terminal, title, {"back": "Back", **tables})
        if picked != "back":
            await self._join(picked)

    async def _ratings(self) -> RenderableType:
        game, _ = await self._game()
        table = Table.grid(padding=(0, 3))
        table.add_row(*(Text(head, style="dim") for head in ("rank", "player", "rating", "games", "won")))
        rows = 0
        async for row in self._cheeseboard.leaderboard(game.name):
            name = clean(row.display_name, 24)
            table.add_row(str(row.rank), Text(name), f"{row.rating:.1f}", str(row.games), str(row.wins))
            rows += 1
            if rows == MOST_LISTED:
                break
        note = "Games with bots are not rated." if rows else "Nobody is rated yet: games with bots do not count."
        title = Text(f"{game.title}: leaderboard", style="bold")
        return Group(title, Text(""), table, Text(""), Text(RATED, "dim"), Text(note, "dim"))
