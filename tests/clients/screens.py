"""Screens as text: what a terminal of a size would show."""

from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text

from cheeseboard_terminal.games.contract import Game
from cheeseboard_terminal.seen import Seen
from cheeseboard_terminal.table_page import board_page, head_line, table_sections


def console(width: int = 80, height: int = 24) -> Console:
    """A terminal without colour."""
    return Console(
        width=width, height=height, file=StringIO(), no_color=True, force_terminal=False, highlight=False, markup=False
    )


def rows(body: RenderableType, width: int = 80, height: int = 24) -> list[str]:
    """Return the rows that a body takes."""
    screen = console(width, height)
    with screen.capture() as captured:
        screen.print(body)
    return captured.get().removesuffix("\n").split("\n")


def table_rows(game: Game, seen: Seen, width: int = 80, height: int = 24, notice: str = "") -> list[str]:
    """Return the rows of the whole table page."""
    page = board_page(
        console(width, height),
        table_sections(game, seen),
        head_line(game, seen.view, seen.connection),
        tuple(seen.log),
        Text(notice),
    )
    return rows(page, width, height)
