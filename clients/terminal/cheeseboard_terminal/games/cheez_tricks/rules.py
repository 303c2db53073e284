"""The rules in short, in our own words."""

from collections.abc import Sequence

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


_KEYS = {
    "3 or S7": "a card, by the number above it or its name; Enter plays an only one",
    "scores": "the score sheet of the last round again",
    "q": "go away and keep your seat; with a clock, the engine plays when it runs out",
    "leave": "give your cards to the engine until you come back",
}
_DEALS = (
    ("players", "values of each cheese", "hand", "rounds"),
    ("2", "1 to 7 (8 cards are set aside unseen)", "10", "4"),
    ("3", "1 to 9", "12", "3"),
    ("4", "1 to 10", "10", "4"),
    ("5", "1 to 10", "8", "5"),
)
FULL_RULES = "engine_service/rules/games/cheez_tricks/RULES.md"


def rules() -> Sequence[RenderableType]:
    """Return two pages: how one plays, and what one may look up."""
    return _playing(), _details()


def _playing() -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for kind, wants in _KINDS.items():
        title, style = KINDS[kind]
        table.add_row(Text(f"{title} cat", style=style), Text(wants))
    return Group(
        Text("Cheez-Tricks in short (1 of 2)", style="bold"),
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
        Text("To own a card means that it lies in a trick you won."),
        Text(""),
        Text("A trick is worth 2; 1 if one cat caught you; 0 with two; 3 with all three.", style="bold"),
        Text("Most points win; in a tie the best single round, else the victory is shared."),
        Text("House Cat: won cards that count lie open. Wild Cat: all won cards face down."),
    )


def _details() -> RenderableType:
    deals = Table.grid(padding=(0, 3))
    for at, row in enumerate(_DEALS):
        deals.add_row(*(Text(cell, style="" if at else "dim") for cell in row))
    keys = Table.grid(padding=(0, 2))
    for key, means in _KEYS.items():
        keys.add_row(Text(f"  {key}", style="bold"), Text(means))
    return Group(
        Text("Cheez-Tricks in short (2 of 2)", style="bold"),
        deals,
        Text(
            "Who leads first in round 1 is drawn or agreed on; then the first lead passes clockwise, round by round. "
            "Of several with the fewest points, the one farthest clockwise from the first lead chooses trump."
        ),
        Text(""),
        Text("On the screen", style="bold"),
        Text("▶ is to play · ★ wins the trick so far · ☠ caught · [S7] may be played"),
        Text("first lead: leads the first trick of this round"),
        Text(""),
        Text("What you can type", style="bold"),
        keys,
        Text(""),
        Text(f"All the rules: {FULL_RULES}", style="dim"),
    )
