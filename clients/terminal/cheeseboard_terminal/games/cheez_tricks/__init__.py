"""Cheez-Tricks in the terminal."""

from collections.abc import Mapping, Sequence

from google.protobuf.message import Message
from rich.console import RenderableType
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_client import Record
from cheeseboard_client.deals import read_cat_deck
from cheeseboard_terminal.games.cheez_tricks import board, choosing, scores
from cheeseboard_terminal.games.cheez_tricks.rules import rules
from cheeseboard_terminal.games.cheez_tricks.telling import CheezTricksTeller
from cheeseboard_terminal.games.contract import Section, Setting
from cheeseboard_terminal.people import People

LEVELS = {"house": proto.LEVEL_HOUSE_CAT, "wild": proto.LEVEL_WILD_CAT}


class CheezTricks:
    """See `contract.Game`."""

    name = "cheez_tricks"
    title = "Cheez-Tricks"
    settings: Sequence[Setting] = (
        Setting(
            "level",
            "How hard?",
            {"house": "House Cat: fewer cats, open cards", "wild": "Wild Cat: all cats, won cards hidden"},
        ),
    )

    def options(self, answers: Mapping[str, str], deck: str | None) -> Message:
        """Return the game's options; the file of its own is a deck of cats."""
        return proto.Options(level=LEVELS[answers["level"]], cat_deck=read_cat_deck(deck) if deck else [])

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

    def choose(self, view: tables_pb2.TableView, line: str) -> tables_pb2.Offer:
        """Return the offer that a line names."""
        return choosing.choose(view, line)

    def usual(self, view: tables_pb2.TableView) -> tables_pb2.Offer | None:
        """Return the only offer, if there is only one."""
        return view.prompt.offers[0] if len(view.prompt.offers) == 1 else None

    def teller(self, view: tables_pb2.TableView) -> CheezTricksTeller:
        """Return a teller that goes on from this view."""
        return CheezTricksTeller(view.cheez_tricks)

    def rounds_scored(self, view: tables_pb2.TableView) -> int:
        """Return how many rounds have their points."""
        return len(view.cheez_tricks.scored)

    def score_sheet(
        self, view: tables_pb2.TableView, people: People, round_number: int, record: Record | None
    ) -> RenderableType:
        """Return how the points of a round came to be."""
        return scores.score_sheet(view.cheez_tricks, people, round_number, record)

    def ranking(self, view: tables_pb2.TableView, people: People) -> RenderableType | None:
        """Return the final ranking, None while the game goes on."""
        return scores.ranking(view.cheez_tricks, people) if view.cheez_tricks.places else None

    def rules(self) -> Sequence[RenderableType]:
        """Return the rules in short, in pages."""
        return rules()

    def options_line(self, view: tables_pb2.TableView) -> str:
        """Return the level, and whether the cats are the table's own."""
        options = view.options.game.cheez_tricks
        level = "Wild Cat" if options.level == proto.LEVEL_WILD_CAT else "House Cat"
        return f"{level}, own cats" if options.cat_deck else level
