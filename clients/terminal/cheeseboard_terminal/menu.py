"""Before a table: what the player wants to do, and what to agree on for a new one."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from cheeseboard_client import table_options
from cheeseboard_terminal.games.contract import Game
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.people import called
from cheeseboard_terminal.terminal import Terminal

BOTS = {"careful": "careful ones, who think", "random": "random ones, who play anything they may"}
BACK = ("q", "quit", "exit", "back")
HELP = ("?", "help", "rules")
CLOCKS = {
    "none": (0, 0, "no clock"),
    "slow": (60, 120, "60 seconds a move and 2 minutes in reserve"),
    "quick": (20, 60, "20 seconds a move and a minute in reserve"),
}


@dataclass(frozen=True)
class Plan:
    """A table to set up."""

    game: Game
    seats: int
    answers: Mapping[str, str]
    clock: str
    bots: str
    """The kind of bots that take all other seats; empty for a table of friends."""
    listed: bool = False
    deck: str | None = None
    """The text of a file of the game's own."""

    def options(self) -> tables_pb2.TableOptions:
        """Return the table's options. Raises ValueError for a file that cannot be read."""
        move_seconds, bank_seconds, _ = CLOCKS[self.clock]
        return table_options(
            self.game.options(self.answers, self.deck),
            self.seats,
            move_seconds=move_seconds,
            bank_seconds=bank_seconds,
            listed=self.listed,
            allow_spectators=False,
        )


class Back(Exception):
    """The player wants back to where the question came from."""


async def ask(terminal: Terminal, body: RenderableType, question: str, game: Game | None = None) -> str:
    """Return what is typed. `?` shows the rules, and asks of which game before one is chosen; q and back raise Back."""
    while True:
        word = await terminal.ask(body, question)
        if word.casefold() in BACK:
            raise Back
        if word.casefold() not in HELP:
            return word
        with suppress(Back):
            await read(terminal, *(game or await _game(terminal)).rules())


async def _game(terminal: Terminal) -> Game:
    """Ask for a game, and nothing but a game."""
    titles = {name: game.title for name, game in GAMES.items()}
    return GAMES[await pick(terminal, Text("The rules of which game?", style="bold"), titles)]


async def read(terminal: Terminal, *pages: RenderableType) -> None:
    """Show pages, each until the player goes on; q leaves them."""
    for page in pages:
        if (await terminal.ask(page, "Enter to go on")).casefold() in BACK:
            return


async def pick(
    terminal: Terminal,
    title: RenderableType,
    choices: Mapping[str, str],
    default: str | None = None,
    out: str = "back",
    game: Game | None = None,
) -> str:
    """Ask until one of the choices is named, by its number or by its key; an empty line takes the default.

    Keys that are numbers themselves stand for themselves. Raises Back for q and back; `out` says where that leads.
    """
    keys = list(choices)
    numbers = keys if all(key.isdigit() for key in keys) else [str(at) for at, _ in enumerate(keys, 1)]
    usual = default or keys[0]
    wrong = ""
    while True:
        rows = Table.grid(padding=(0, 2))
        for number, key in zip(numbers, keys, strict=True):
            rows.add_row(Text(f"  {number}", style="bold"), Text(choices[key]))
        body = Group(title, Text(""), rows, Text(wrong, style="bold yellow"))
        question = f"Your choice [{numbers[keys.index(usual)]}] (? rules, q {out})"
        word = (await ask(terminal, body, question, game)).casefold()
        if not word or word in keys:
            return word or usual
        if word in numbers:
            return keys[numbers.index(word)]
        wrong = "Please type one of the numbers, or just Enter for the one in brackets."


async def plan(terminal: Terminal, game: Game, seats: tuple[int, int], bots: Mapping[str, str]) -> Plan:
    """Ask what to agree on for a new table; with `bots` (kind → words) it is one against bots."""
    title = Text(f"{game.title}: a new table", style="bold")

    async def agreed(question: str, choices: Mapping[str, str], default: str | None = None) -> str:
        return await pick(terminal, Group(title, Text(question)), choices, default, game=game)

    counts = {str(count): f"{count} players" for count in range(seats[0], seats[1] + 1)}
    count = int(await agreed("How many players?", counts, str(min(4, seats[1]))))
    answers = {each.name: await agreed(each.question, each.choices) for each in game.settings}
    clocks = {name: words for name, (_, _, words) in CLOCKS.items()}
    clock = await agreed("How much time?", clocks, "none" if bots else "slow")
    if bots:
        kind = await agreed("Which bots?", bots)
        return Plan(game, count, answers, clock, kind)
    listed = await agreed("Who may join?", {"code": "whoever knows the code", "all": "anyone"})
    return Plan(game, count, answers, clock, "", listed == "all")


def summary_line(table: lobby_pb2.TableSummary) -> str:
    """Return a table of a list in one line."""
    name = table.options.game.WhichOneof("game") or ""
    game = GAMES.get(name)
    taken = [called(seat.player) for seat in table.seats if seat.HasField("player")]
    return f"{table.code}  {game.title if game else name}, {len(taken)} of {table.options.seats}: {', '.join(taken)}"
