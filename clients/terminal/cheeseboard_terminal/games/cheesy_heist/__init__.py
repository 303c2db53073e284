"""Cheesy Heist in the terminal."""

from collections.abc import Mapping, Sequence

from google.protobuf.message import Message
from rich.console import RenderableType
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_client import Record
from cheeseboard_terminal.games.cheesy_heist import board, choosing, scores
from cheeseboard_terminal.games.cheesy_heist.rules import rules
from cheeseboard_terminal.games.cheesy_heist.telling import CheesyHeistTeller
from cheeseboard_terminal.games.contract import Answer, Section, Setting
from cheeseboard_terminal.people import People

GOALS = {"usual": None, "3": 3, "7": 7}


class CheesyHeist:
    """See `contract.Game`."""

    name = "cheesy_heist"
    title = "Cheesy Heist"
    settings: Sequence[Setting] = (
        Setting(
            "goal",
            "How much Cheese?",
            {"usual": "5, with five players 4", "3": "3: a short game", "7": "7: a long game"},
        ),
        Setting(
            "reaction",
            "How long has everyone to react to a Cat, at least?",
            {"8": "8 seconds", "4": "4 seconds, as at the kitchen table", "15": "15 seconds"},
        ),
        Setting(
            "vault",
            "How long may one choose what to keep in a Vault?",
            {"20": "20 seconds", "10": "10 seconds", "40": "40 seconds"},
        ),
        Setting(
            "collect",
            "How long may one choose a dropped card?",
            {"5": "5 seconds", "3": "3 seconds", "10": "10 seconds"},
        ),
    )

    def options(self, answers: Mapping[str, str], deck: str | None) -> Message:
        """Return the game's options; there is no file of its own."""
        if deck is not None:
            raise ValueError("this game has no deck of its own")
        return proto.Options(
            goal=GOALS[answers["goal"]],
            reaction_seconds=int(answers["reaction"]),
            vault_seconds=int(answers["vault"]),
            collect_seconds=int(answers["collect"]),
        )

    def sections(self, view: tables_pb2.TableView, people: People) -> Sequence[Section]:
        """Return the board."""
        return board.sections(view, people)

    def briefly(self, view: tables_pb2.TableView, people: People) -> Sequence[Text]:
        """Return the board in lines."""
        return board.briefly(view, people)

    def prompt(self, view: tables_pb2.TableView) -> str:
        """Return the question to the viewer."""
        return choosing.prompt(view)

    def beside(self, view: tables_pb2.TableView) -> str:
        """Return nothing: all that is done here is asked for."""
        return ""

    def usual(self, view: tables_pb2.TableView) -> tables_pb2.Offer | Answer | None:
        """Return the only offer, if there is only one."""
        return choosing.choose(view, "") if len(view.prompt.offers) == 1 else None

    def choose(self, view: tables_pb2.TableView, line: str) -> tables_pb2.Offer | Answer:
        """Return what a line names."""
        return choosing.choose(view, line)

    def teller(self, view: tables_pb2.TableView) -> CheesyHeistTeller:
        """Return a teller."""
        return CheesyHeistTeller()

    def rounds_scored(self, view: tables_pb2.TableView) -> int:
        """Return 1 once the hands are counted: a game has one round."""
        return 1 if view.cheesy_heist.score else 0

    def score_sheet(
        self, view: tables_pb2.TableView, people: People, round_number: int, record: Record | None
    ) -> RenderableType:
        """Return how the game ended."""
        return scores.score_sheet(view.cheesy_heist, people, record)

    def ranking(self, view: tables_pb2.TableView, people: People) -> RenderableType | None:
        """Return the final ranking, None while the game goes on."""
        return scores.ranking(view.cheesy_heist, people) if view.cheesy_heist.places else None

    def rules(self) -> Sequence[RenderableType]:
        """Return the rules in short, in pages."""
        return rules()

    def options_line(self, view: tables_pb2.TableView) -> str:
        """Return the reaction time."""
        return f"{view.options.game.cheesy_heist.reaction_seconds} s to react"
