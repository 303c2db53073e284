"""The rules in short, in our own words."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard_terminal.games.cheez_tricks.cats import KINDS

_KINDS = {
    "black": "who wins the trick with its number: at once",
    "white": "the first to win so many tricks: at once",
    "siamese": "who wins the trick that holds its card: at once",
    "grey": "who owns most of a number, a cheese or tricks in the end",
    "orange": "who owns fewest of them in the end (Wild Cat only)",
    "tuxedo": "who won exactly so many tricks in the end",
}


def rules() -> RenderableType:
    """Return one page."""
    table = Table.grid(padding=(0, 2))
    for kind, wants in _KINDS.items():
        title, style = KINDS[kind]
        table.add_row(Text(f"{title} cat", style=style), Text(wants))
    return Group(
        Text("Cheez-Tricks in short", style="bold"),
        Text(
            "You are mice: win tricks, but mind the three cats of the round. Four cheeses are the suits: S Swiss, "
            "R Roquefort, P Parmesan, B Brie. Who leads plays any card; the others must play the same cheese if they "
            "hold it, else any card. The highest of the cheese led wins, or the highest trump if any was played, "
            "and leads next. Trump is drawn in round 1; later whoever has the fewest points chooses it."
        ),
        Text(""),
        Text("A cat catches", style="bold"),
        table,
        Text("All who tie are caught. Owning none may be fewest, but never most."),
        Text(""),
        Text("A trick is worth 2; 1 if one cat caught you; 0 with two; 3 with all three.", style="bold"),
        Text("Most points win; in a tie the best single round, else the victory is shared."),
        Text("House Cat: won cards that count lie open. Wild Cat: all won cards face down."),
        Text(""),
        Text("Type a card's number or name (S7), scores for the last sheet, leave to give up.", style="dim"),
    )
