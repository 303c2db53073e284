"""The rules in short, in our own words."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_terminal.games.cheesy_heist.cards import card_text

FULL_RULES = "engine_service/rules/games/cheesy_heist/RULES.md"

_CARDS = {
    proto.CARD_CHEESE: "(16) collect them",
    proto.CARD_CAT: "(12) with one you cannot win; played, it makes all drop their cards",
    proto.CARD_THIEF: "(6) takes a card out of a hand, unseen",
    proto.CARD_GRATER: "(5) looks at two cards of a hand and shuffles them into the draw pile",
    proto.CARD_GIFT: "(5) gives one of your Cats away",
    proto.CARD_VAULT: "(5) against the Cat: keep up to three cards, drop the rest",
    proto.CARD_DECOY: "(5) against the Cat: nobody loses a card, and the turn is over",
}
_KEYS = {
    "3": "what has the number 3; Enter takes an only choice",
    "v, y": "quick: play a Vault, a Decoy",
    "draw, cat, drop": "the words for a card, your Cat, and all your cards",
    "1 3": "after your Vault: keep the first and third card; 0 keeps none",
    "scores": "how the last game ended, again",
    "q": "go away and keep your seat; with a clock, the engine plays for you",
    "leave": "give your cards to the engine until you come back",
}


def rules() -> Sequence[RenderableType]:
    """Return two pages: how one plays, and what one may look up."""
    return _playing(), _details()


def _playing() -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for card, what in _CARDS.items():
        table.add_row(card_text(card), Text(what))
    table.add_row(Text("Mirages", style="cyan"), Text("(21) three alike, or Moon, Sponge and Soap: look at a hand"))
    return Group(
        Text("Cheesy Heist in short (1 of 2)", style="bold"),
        Text(""),
        Text("Who holds five Cheese (of five players: four) and no Cat at a turn's end wins."),
        Text("On your turn play what you like, then draw a card or let a Cat loose."),
        Text(""),
        table,
        Text(""),
        Text("The Cat: drop your cards, or defend yourself before all others have dropped."),
        Text("The seconds before the question are the least time that everyone has."),
        Text("Then all take dropped cards, one by one, from the left of the Cat's player."),
    )


def _details() -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for key, what in _KEYS.items():
        table.add_row(Text(key, style="bold"), Text(what))
    return Group(
        Text("Cheesy Heist in short (2 of 2)", style="bold"),
        Text(""),
        Text("A Defence is wasted when all others have finished; the choice says so."),
        Text("A Decoy kept in your Vault may be played while others have not finished."),
        Text("Nothing left to draw: the last drop. Then the most Cheese without a Cat wins;"),
        Text("if everyone has a Cat, everyone loses."),
        Text(""),
        table,
        Text(""),
        Text(f"All rules: {FULL_RULES}", style="dim"),
    )
