"""The rules in short, in our own words."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

FULL_RULES = "engine_service/rules/games/cheat_trick/RULES.md"
_KEYS = {
    "p · v": "vote: play this deal, or veto it",
    "d marriage hearts": "declare before your vote: court, family, marriage, siblings, mother, father",
    "5 · p": "bid a number of tricks, or pass",
    "3 or HQ": "a card, by the number above it or its name; Ps princess, Pc prince, F fool",
    "k": "knock: claim the highest trump, true or not, once a trick",
    "a 3 2": "accuse seat 2 of a renege in trick 3, at any time (if reneges can be caught)",
    "4 · l": "split: so many tricks count for you; or leave it to your partner",
    "scores · q · leave": "the last score sheet; go away and keep your seat; give it to the engine",
}


def rules() -> Sequence[RenderableType]:
    """Return three pages: how one plays, what a table may agree on, and what one can type."""
    return _playing(), _variations(), _keys()


def _playing() -> RenderableType:
    return Group(
        Text("Cheat Trick in short (1 of 3)", style="bold"),
        Text(
            "Bid how many tricks you will take, then take more. The suits are C clubs, D diamonds, H hearts and S "
            "spades, each king, queen, prince, princess, 10 to 1; and there is one fool. All goes counter-clockwise."
        ),
        Text(""),
        Text("Vote", style="bold"),
        Text(
            "After half of the deal each voter says: play or veto. Before it you may declare cards that you hold, or "
            "say you hold. A veto brings a new deal. Then the rest is dealt; an open card sets trump, the fool none."
        ),
        Text("Bid", style="bold"),
        Text(
            "Raise the bid or pass. Who never raises has bid 1. The first to pass gets 1 point for each trick above "
            "its bid and loses 1 for each below; the second 2, and so on. The last one in may raise once more."
        ),
        Text("Tricks", style="bold"),
        Text(
            "Follow the suit led if you can. The highest trump takes the trick, else the highest card of the suit led. "
            "The fool may be played at any time and takes nothing; if it is led, the next card sets the suit."
        ),
    )


def _variations() -> RenderableType:
    return Group(
        Text("Cheat Trick in short (2 of 3)", style="bold"),
        Text("Catchable reneges", style="bold"),
        Text(
            "Any card may be played, also one that does not follow. Who accuses such a play rightly gets one of the "
            "offender's tricks; who accuses wrongly may not accuse again this round. Earlier tricks lie face down: "
            "remember them. After the last trick there is a last chance to accuse."
        ),
        Text("Teams", style="bold"),
        Text(
            "Seats 1 and 3 against 2 and 4. Before the score, partners may give each other tricks. The first who names "
            "a split speaks for both; if nobody does, the best one counts. Both have the points of the team."
        ),
        Text("Maternal suits", style="bold"),
        Text("Diamonds and hearts rank queen, king, princess, prince, then 1 to 10: the 10 is lowest."),
        Text("Three players", style="bold"),
        Text("Nineteen cards each, three of them dealt face up; the dealer's sets trump. The dealer votes too."),
        Text("Simplified", style="bold"),
        Text("No vote and no declarations."),
    )


def _keys() -> RenderableType:
    keys = Table.grid(padding=(0, 2))
    for key, means in _KEYS.items():
        keys.add_row(Text(f"  {key}", style="bold"), Text(means))
    return Group(
        Text("Cheat Trick in short (3 of 3)", style="bold"),
        Text("What you can type", style="bold"),
        keys,
        Text(""),
        Text("On the screen", style="bold"),
        Text("▶ is asked · 3 × 2 bid three, each trick worth two · ★ takes the trick so far"),
        Text("[HQ] may be played · !HQ! would be a renege"),
        Text(""),
        Text(f"All the rules: {FULL_RULES}", style="dim"),
    )
