"""How a table is laid out on the screen: the game's board, what happened, and a place to type."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_terminal.games.contract import Game, Section
from cheeseboard_terminal.pace import pace
from cheeseboard_terminal.people import People
from cheeseboard_terminal.seen import Seen

BOARD_WIDTH = 80
WIDE = 110
"""From this width on, what happened stands beside the board."""


def board_page(
    console: Console, sections: Sequence[Section], head: Text, log: Sequence[Text], notice: Text
) -> RenderableType:
    """Return the screen of a table for the size the console has now, one row less: the prompt's."""
    width, height = console.size
    if width >= WIDE:
        return _wide(console, sections, head, log, notice)
    board = Group(head, *_stacked(sections, airy=height >= 34))
    room = height - _rows(console, board) - _rows(console, notice) - 2
    if room < 1:  # Many long captures: the board itself tells them.
        return Group(board, notice)
    recent = [_cut(line) for line in log[-room:]]
    fill = [Text("")] * (room - len(recent))
    return Group(board, Rule("What happened", align="left", style="dim"), *recent, *fill, notice)


def _wide(
    console: Console, sections: Sequence[Section], head: Text, log: Sequence[Text], notice: Text
) -> RenderableType:
    width, height = console.size
    board = Group(head, *_stacked(sections, airy=height >= 30))
    beside = Group(
        Rule("What happened", align="left", style="dim"),
        *_recent(console, log, width - BOARD_WIDTH - 4, height - 4),
    )
    table = Table.grid(padding=(0, 3))
    table.add_column(width=BOARD_WIDTH)
    table.add_column(width=width - BOARD_WIDTH - 4)
    table.add_row(board, beside)
    return Group(table, *[Text("")] * max(0, height - _rows(console, table) - _rows(console, notice) - 1), notice)


def _recent(console: Console, log: Sequence[Text], width: int, room: int) -> list[Text]:
    """Return the last lines that fit, folded to the width."""
    shown: list[Text] = []
    for line in reversed(log):
        room -= len(line.wrap(console, width))
        if room < 0:
            break
        shown.insert(0, line)
    return shown


def _rows(console: Console, body: RenderableType) -> int:
    return len(console.render_lines(body, pad=False))


def _stacked(sections: Sequence[Section], airy: bool) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for section in sections:
        parts += [Text("")] if airy else []
        parts += [Rule(section.title, align="left", style="dim"), section.body]
    return parts


def _cut(text: Text) -> Text:
    shown = text.copy()
    shown.no_wrap, shown.overflow = True, "ellipsis"
    return shown


def head_line(game: Game, view: tables_pb2.TableView, connection: str, out: str = "menu") -> Text:
    """Return the top line: game, options, code, and how the connection fares; `out` is where q leads."""
    text = Text.assemble((game.title, "bold"), f" · {game.options_line(view)} · table ", (view.code, "bold"))
    if not connection and not view.prompt.scoring_delayed:  # There is one line for all.
        text.append(f" · ? rules · q {out}", style="dim")
    if view.prompt.scoring_delayed:
        text.append("  the scores are late; waiting", style="yellow")
    if connection:
        text.append(f"  {connection}", style="bold yellow")
    return text


def table_sections(game: Game, seen: Seen) -> Sequence[Section]:
    """Return what the table shows in its state: seats, the game's board, or the ranking."""
    view, people = seen.view, seen.people
    if not view.table_id:
        return [Section(Text(""), Text("Looking at the table…"))]
    if view.status == tables_pb2.TABLE_STATUS_OPEN or not seen.has_game:
        return [Section(Text("Waiting for players"), waiting_room(view, people))]
    ranking = game.ranking(view, people) if view.status == tables_pb2.TABLE_STATUS_FINISHED else None
    return [Section(Text("The end"), ranking)] if ranking else game.sections(view, people)


def in_lines(game: Game, seen: Seen) -> Sequence[RenderableType]:
    """Return what one must know to answer the question that is asked, for a terminal that only prints."""
    match seen.view.status:
        case tables_pb2.TABLE_STATUS_OPEN:
            return [waiting_room(seen.view, seen.people)]
        case tables_pb2.TABLE_STATUS_RUNNING:
            return game.briefly(seen.view, seen.people)
    return []


def waiting_room(view: tables_pb2.TableView, people: People) -> RenderableType:
    """Return who sits where before the game."""
    seats = Table.grid(padding=(0, 3))
    for seat in view.seats:
        name = people.name(seat.seat) if seat.HasField("player") else "free"
        host = people.standing(seat.seat) if seat.HasField("player") else ""
        host = "host" if view.HasField("host") and view.host == seat.seat else host
        style = "" if seat.HasField("player") else "dim"
        seats.add_row(f"Seat {seat.seat + 1}", Text(name, style=style), Text(host, style="dim"))
    invitation = Text.assemble("Tell your friends this code: ", (view.code, "bold yellow"))
    return Group(Text(""), seats, Text(""), invitation, Text(f"Pace: {pace(view.options.clock)}", style="dim"))


def is_free(view: tables_pb2.TableView) -> bool:
    """Return whether a seat is free."""
    return any(not seat.HasField("player") for seat in view.seats)


def is_host(view: tables_pb2.TableView) -> bool:
    """Return whether the viewer is the host."""
    return view.HasField("host") and view.HasField("viewer") and view.host == view.viewer
