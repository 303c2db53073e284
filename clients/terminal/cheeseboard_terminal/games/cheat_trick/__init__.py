"""Cheat Trick in the terminal."""

from collections.abc import Mapping, Sequence

from google.protobuf.message import Message
from rich.console import RenderableType
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_client import Record
from cheeseboard_terminal.games.cheat_trick import board, choosing, scores
from cheeseboard_terminal.games.cheat_trick.rules import rules
from cheeseboard_terminal.games.cheat_trick.telling import CheatTrickTeller
from cheeseboard_terminal.games.contract import Answer, Section, Setting
from cheeseboard_terminal.people import People

VETOES = {"two": 2, "none": 0, "one": 1, "five": 5}
SPLITS = {"extras": proto.SPLIT_RULE_EXTRAS, "any": proto.SPLIT_RULE_ANY}


class CheatTrick:
    """See `contract.Game`."""

    name = "cheat_trick"
    title = "Cheat Trick"
    settings: Sequence[Setting] = (
        Setting("vote", "With the vote?", {"full": "Vote and declarations", "simplified": "Simplified: without"}),
        Setting(
            "reneging",
            "Not following though one could?",
            {"forbidden": "It is forbidden", "catchable": "Whoever dares may; others may catch it"},
        ),
        Setting("suits", "Which ranks?", {"alike": "All suits alike", "maternal": "Red suits have ranks of their own"}),
        Setting(
            "teams",
            "Alone or in teams? (teams: four players)",
            {
                "alone": "Everyone alone",
                "extras": "Teams, whose partners may give tricks above their bid",
                "any": "Teams, whose partners may give any tricks",
            },
        ),
        Setting(
            "vetoes",
            "How many vetoes has everyone in the game?",
            {"two": "Two", "none": "None", "one": "One", "five": "Five", "unlimited": "As many as one likes"},
        ),
    )

    def options(self, answers: Mapping[str, str], deck: str | None) -> Message:
        """Return the game's options; it has no file of its own."""
        if deck:
            raise ValueError("Cheat Trick has no cats")
        options = proto.Options(
            simplified=answers["vote"] == "simplified",
            reneging=proto.RENEGING_CATCHABLE if answers["reneging"] == "catchable" else proto.RENEGING_FORBIDDEN,
            maternal_suits=answers["suits"] == "maternal",
            teams=answers["teams"] in SPLITS,
            split=SPLITS.get(answers["teams"], proto.SPLIT_RULE_UNSPECIFIED),
        )
        if answers["vetoes"] == "unlimited":
            options.no_veto_limit = True
        else:
            options.veto_limit = VETOES[answers["vetoes"]]
        return options

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
        """Return whether one may knock or accuse."""
        return choosing.beside(view)

    def choose(self, view: tables_pb2.TableView, line: str) -> tables_pb2.Offer | Answer:
        """Return what a line names."""
        return choosing.choose(view, line)

    def usual(self, view: tables_pb2.TableView) -> tables_pb2.Offer | Answer | None:
        """Return what Enter stands for."""
        return choosing.usual(view)

    def teller(self, view: tables_pb2.TableView) -> CheatTrickTeller:
        """Return a teller that goes on from this view."""
        return CheatTrickTeller(view.cheat_trick)

    def rounds_scored(self, view: tables_pb2.TableView) -> int:
        """Return how many rounds have their points."""
        return len(view.cheat_trick.scored)

    def score_sheet(
        self, view: tables_pb2.TableView, people: People, round_number: int, record: Record | None
    ) -> RenderableType:
        """Return how the points of a round came to be."""
        return scores.score_sheet(view, people, round_number, record)

    def ranking(self, view: tables_pb2.TableView, people: People) -> RenderableType | None:
        """Return the final ranking, None while the game goes on."""
        return scores.ranking(view.cheat_trick, people) if view.cheat_trick.places else None

    def rules(self) -> Sequence[RenderableType]:
        """Return the rules in short, in pages."""
        return rules()

    def options_line(self, view: tables_pb2.TableView) -> str:
        """Return what differs from the usual game."""
        options = view.options.game.cheat_trick
        parts = [
            "simplified" if options.simplified else "",
            "reneges can be caught" if options.reneging == proto.RENEGING_CATCHABLE else "",
            "maternal suits" if options.maternal_suits else "",
            "teams" if options.teams else "",
        ]
        return ", ".join(part for part in parts if part) or "all alone"
