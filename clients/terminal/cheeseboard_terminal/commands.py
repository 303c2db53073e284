"""What a typed line means at a table: a command of the shell, or a choice of the game."""

from dataclasses import dataclass

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_terminal.games.contract import Answer, Game, NotPossible


@dataclass(frozen=True)
class ShowRules:
    """Show the rules in short."""


@dataclass(frozen=True)
class ShowScores:
    """Show the last score sheet again."""


@dataclass(frozen=True)
class Quit:
    """Go away and keep the seat."""


@dataclass(frozen=True)
class Leave:
    """Give up the seat."""


@dataclass(frozen=True)
class AddBots:
    """Put a bot on a free seat, or on all of them."""

    bot: str
    all_seats: bool


@dataclass(frozen=True)
class Start:
    """Begin the game."""


@dataclass(frozen=True)
class Rematch:
    """Ask for another game."""


@dataclass(frozen=True)
class Choose:
    """Take an offer of the game, or fill one in."""

    offer: tables_pb2.Offer | Answer


Command = ShowRules | ShowScores | Quit | Leave | AddBots | Start | Rematch | Choose

_ANYWHERE: dict[str, Command] = {
    **dict.fromkeys(("?", "help", "rules"), ShowRules()),
    **dict.fromkeys(("q", "quit", "exit"), Quit()),
    "scores": ShowScores(),
    "leave": Leave(),
}
_FINISHED: dict[str, Command] = {
    **dict.fromkeys(("r", "rematch", "again", "y", "yes"), Rematch()),
    **dict.fromkeys(("n", "no"), Leave()),
}


def goes_anywhere(line: str) -> bool:
    """Return whether a line means the same in every state of the table."""
    return line.strip().casefold() in _ANYWHERE


def understood(game: Game, view: tables_pb2.TableView, line: str) -> Command:
    """Return what a line means now; raises NotPossible when it means nothing."""
    word = line.strip().casefold()
    if command := _ANYWHERE.get(word):
        return command
    match view.status:
        case tables_pb2.TABLE_STATUS_OPEN:
            return _before_the_game(word)
        case tables_pb2.TABLE_STATUS_FINISHED:
            if command := _FINISHED.get(word):
                return command
            raise NotPossible("Type r for another game, or q to go away.")
        case tables_pb2.TABLE_STATUS_RUNNING if not word and (usual := game.usual(view)):
            return Choose(usual)
        case tables_pb2.TABLE_STATUS_RUNNING if word:
            return Choose(game.choose(view, line))
    raise NotPossible("Type ? for the rules, q to go away.")


def _before_the_game(word: str) -> Command:
    first, _, rest = word.partition(" ")
    if first in ("b", "bot"):
        return AddBots(rest.strip(), all_seats=False)
    if first in ("f", "fill"):
        return AddBots(rest.strip(), all_seats=True)
    if word in ("s", "start"):
        return Start()
    raise NotPossible("Type b to add a bot, f to fill up with bots, s to start, q to go away.")
