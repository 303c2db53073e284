"""The rules in short, in our own words."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard_terminal.games.cheez_tricks.cats import KINDS

_KINDS = {
    "black": "whoever wins the trick with its number: at once",
    "white": "the first to win so many tricks: at once",
    "siamese": "whoever wins the trick that holds its card: at once",
    "grey": "whoever owns most of a number, a cheese or tricks in the end",
    "orange": "whoever owns fewest of them in the end (Wild Cat only)",
    "tuxedo": "whoever won exactly so many tricks in the end",
}


def rules() -> RenderableType:
    """Return one page."""
    table = Table.grid(padding=(0, 2))
    for kind, wants in _KINDS.items():
        title, style = KINDS[kind]
        table.add_row(Text(f"{title} cat", style=style), Text(wants))
    return Group(
        Text("Cheez-Tricks in short", style="bold"),
        Text("You are mice. Win tricks for points, but mind the three cats of the round."),
        Text("Four cheeses are the suits: S Swiss, R Roquefort, P Parmesan, B Brie. Whoever leads plays any"),
        Text("card; all others must play the same cheese if they hold it, else any card. The highest card of"),
        Text("the cheese led wins, unless trump was played: then the highest trump. The winner leads next."),
        Text("Trump is drawn in round 1; later the player with the fewest points chooses it."),
        Text(""),
        Text("The cats catch:"),
        table,
        Text("All who tie are caught. To own the most, one must own one; owning none is the fewest."),
        Text(""),
        Text("Each trick is worth 2 if no cat caught you, 1 with one cat, 0 with two, 3 with all three.", style="bold"),
        Text("Most points after all rounds win; a tie goes to the best single round, then it is shared."),
        Text("House Cat: won cards that count lie open. Wild Cat: all cats, and won cards are face down."),
    )
