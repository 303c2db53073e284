"""The cats in words: what each wants, whom it caught and why."""

from collections.abc import Sequence

from rich.text import Text

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_terminal.games.cheez_tricks.cards import long, short, suit_name
from cheeseboard_terminal.people import People

KINDS = {
    "black": ("Black", "bold bright_black"),
    "white": ("White", "bold white"),
    "siamese": ("Siamese", "bold khaki1"),
    "grey": ("Grey", "bold grey62"),
    "orange": ("Orange", "bold orange1"),
    "tuxedo": ("Tuxedo", "bold cyan"),
}


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th …"""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def tricks(number: int) -> str:
    """Return "1 trick", "3 tricks"."""
    return f"{number} trick" if number == 1 else f"{number} tricks"


def counted_name(counted: proto.Counted) -> str:
    """Return what is counted: "8s", "Brie cards", "tricks"."""
    match counted.WhichOneof("of"):
        case "value":
            return f"{counted.value}s"
        case "suit":
            return f"{suit_name(counted.suit)} cards"
    return "tricks"


def counted(cat: proto.Cat) -> proto.Counted | None:
    """Return what a grey or orange cat counts, None for other cats."""
    match cat.WhichOneof("kind"):
        case "grey":
            return cat.grey.most
        case "orange":
            return cat.orange.least
    return None


def name(cat: proto.Cat) -> str:
    """Return a cat's short name: "Black 7", "Siamese S7", "Grey 8s"."""
    kind = cat.WhichOneof("kind")
    title = KINDS[kind][0] if kind else "Cat"
    match kind:
        case "black":
            return f"{title} {cat.black.trick}"
        case "white":
            return f"{title} {cat.white.tricks}"
        case "siamese":
            return f"{title} {short(cat.siamese.card)}"
        case "tuxedo":
            return f"{title} {cat.tuxedo.tricks}"
    of = counted(cat)
    if of is None:
        return title
    return f"{title} {suit_name(of.suit) if of.WhichOneof('of') == 'suit' else counted_name(of)}"


def name_text(cat: proto.Cat) -> Text:
    """Return a cat's short name in its colour."""
    kind = cat.WhichOneof("kind")
    return Text(name(cat), style=KINDS[kind][1] if kind else "")


def wish(cat: proto.Cat) -> str:
    """Return whom a cat catches, in words."""
    match cat.WhichOneof("kind"):
        case "black":
            return f"catches who wins the {ordinal(cat.black.trick)} trick"
        case "white":
            return f"catches the first to win {tricks(cat.white.tricks)}"
        case "siamese":
            return f"catches who takes the {long(cat.siamese.card)}"
        case "grey":
            return f"catches who ends with most {counted_name(cat.grey.most)}"
        case "orange":
            return f"catches who ends with fewest {counted_name(cat.orange.least)}"
        case "tuxedo":
            return f"catches who ends with exactly {tricks(cat.tuxedo.tricks)}"
    return ""


def caught(on_table: proto.CatOnTable, people: People) -> Text:
    """Return whom a cat caught so far."""
    if on_table.caught_seats:
        return Text(f"☠ {people.names(on_table.caught_seats)}", style="bold red")
    return Text("nobody" if on_table.decided else "", style="dim")


def counts(of: proto.Counted, piles: Sequence[Sequence[proto.Card]], won: Sequence[int]) -> list[int]:
    """Return by seat how much of what is counted it owns: `piles` are the cards won, `won` the tricks."""
    match of.WhichOneof("of"):
        case "value":
            return [sum(card.value == of.value for card in pile) for pile in piles]
        case "suit":
            return [sum(card.suit == of.suit for card in pile) for pile in piles]
    return list(won)


def tally(numbers: Sequence[int], people: People, nothing: bool = False) -> str:
    """Return "Pinky: 2, You: 1", most first; with `nothing` also "Bot 3: 0"."""
    if not any(numbers):
        return "nobody has any"
    order = sorted((s for s, number in enumerate(numbers) if number or nothing), key=lambda s: -numbers[s])
    return ", ".join(f"{people.name(seat)}: {numbers[seat]}" for seat in order)
