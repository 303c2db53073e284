"""Who sits where, in words. Names come from other people: they are shown as plain text, cleaned and cut."""

from collections.abc import Iterable, Sequence

from cheeseboard.engine.v1 import tables_pb2

LONGEST_NAME = 14


def clean(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text that cannot disturb the screen: printable, one line, not too long."""
    shown = "".join(letter for letter in text if letter.isprintable()).strip()
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def called(player: tables_pb2.Player) -> str:
    """Return the name to show for a player; a bot's without its kind, which stands beside it."""
    name = clean(player.display_name)
    return name.removeprefix(f"{player.bot} ".capitalize()).capitalize() if player.bot else name


def listing(words: Sequence[str]) -> str:
    """Return "a, b and c"; "nobody" for nothing."""
    if len(words) < 2:
        return words[0] if words else "nobody"
    return f"{', '.join(words[:-1])} and {words[-1]}"


class People:
    """The seats of a table as the viewer calls them."""

    def __init__(self, seats: Sequence[tables_pb2.Seat], viewer: int | None) -> None:
        self.seats = tuple(seats)
        self.viewer = viewer

    @classmethod
    def of(cls, view: tables_pb2.TableView) -> "People":
        """Return the people of a view."""
        return cls(view.seats, view.viewer if view.HasField("viewer") else None)

    def name(self, seat: int) -> str:
        """Return "You" for the viewer, else the name of who sits there."""
        if seat == self.viewer:
            return "You"
        player = self.seats[seat].player if seat < len(self.seats) else tables_pb2.Player()
        return called(player) or f"Seat {seat + 1}"

    def mention(self, seat: int) -> str:
        """Return the name as it stands within a sentence: "you" for the viewer."""
        return "you" if seat == self.viewer else self.name(seat)

    def names(self, seats: Iterable[int]) -> str:
        """Return the names of some seats as a list that begins a sentence: "You and Remy", "Remy and you"."""
        return listing([self.mention(seat) if at else self.name(seat) for at, seat in enumerate(seats)])

    def whose(self, seat: int) -> str:
        """Return "your" or "Remy's"."""
        return "your" if seat == self.viewer else f"{self.name(seat)}'s"

    def does(self, seat: int, verb: str, within: bool = False) -> str:
        """Return "You win" or "Remy wins" for the verb "win"; `within` a sentence it is "you win"."""
        who = self.mention(seat) if within else self.name(seat)
        return f"{who} {verb if seat == self.viewer else _third_person(verb)}"

    def standing(self, seat: int) -> str:
        """Return what is to be known of a seat beside its name: bot, away, gone; empty for a player who is there."""
        at = self.seats[seat]
        if at.player.bot:
            return at.player.bot
        if at.away:
            return "away"
        return "" if at.connected or seat == self.viewer else "not here"


def _third_person(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    ending = "es" if first.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return f"{first}{ending} {rest}".rstrip()
