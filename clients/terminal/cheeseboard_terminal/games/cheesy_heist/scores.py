"""How a game ended: the hands, who won and why, and the final ranking."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_client import CheeseboardError, Record, verify_deal
from cheeseboard_terminal.games.cheesy_heist.cards import counted
from cheeseboard_terminal.people import People


def score_sheet(game: proto.View, people: People, record: Record | None) -> RenderableType:
    """Return the hands as they were counted, and whether every draw was checked."""
    return Group(
        Text("The hands are counted", style="bold"),
        Text(""),
        _hands(game, people),
        Text(""),
        Text(_why(game, people)),
        *_checked(record),
    )


def _hands(game: proto.View, people: People) -> Table:
    table = Table.grid(padding=(0, 3))
    table.add_row(*(Text(head, style="dim") for head in ("", "Cheese", "Cats", "hand")))
    for seat, score in enumerate(game.score):
        table.add_row(
            Text(people.name(seat), style="bold" if seat == people.viewer else ""),
            Text(str(score.cheese), style="bold yellow" if score.won else ""),
            Text(str(score.cats or "–"), style="red" if score.cats else "dim"),
            Text(counted(game.seats[seat].hand)),
        )
    return table


def _why(game: proto.View, people: People) -> str:
    winners = [seat for seat, score in enumerate(game.score) if score.won]
    if not winners:
        return "Everyone has a Cat: everyone loses."
    who = people.does(winners[0], "win") if len(winners) == 1 else f"{people.names(winners)} share the win"
    if game.last_drop:
        return f"{who}: the most Cheese after the last drop, among those without a Cat."
    return f"{who}: at least {game.goal} Cheese and no Cat when the turn ended."


def _checked(record: Record | None) -> Iterator[Text]:
    """Yield the outcome of checking every draw against the seed that was committed to before the deal."""
    if record is None:
        return
    try:
        if verify_deal(record.options, record.events):
            yield Text("✓ Deal, thefts and drops were checked: chance was fixed before the first card.", "dim green")
    except CheeseboardError as error:
        yield Text(f"✗ {error}", style="bold red")


def ranking(game: proto.View, people: People) -> RenderableType:
    """Return the final ranking."""
    table = Table.grid(padding=(0, 3))
    table.add_row(*(Text(head, style="dim") for head in ("place", "", "Cheese", "Cats")))
    for seat in sorted(range(len(game.places)), key=lambda seat: (game.places[seat], seat)):
        score = game.score[seat]
        table.add_row(
            Text(str(game.places[seat]), style="bold"),
            Text(people.name(seat), style="bold" if seat == people.viewer else ""),
            str(score.cheese),
            str(score.cats or "–"),
        )
    return Group(Text(_why(game, people), style="bold yellow"), Text(""), table)
