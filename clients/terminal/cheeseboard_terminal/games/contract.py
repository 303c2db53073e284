"""What a game brings to the shell. It draws, it explains, and it turns a line of input into one of the offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from google.protobuf.message import Message
from rich.console import RenderableType
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Record
from cheeseboard_terminal.people import People


class NotPossible(Exception):
    """What was typed is no choice now; the text says why in plain words."""


T = TypeVar("T")


def numbered(choices: Sequence[T], word: str) -> T:
    """Return the choice that digits name, counted from 1; raises NotPossible when there are not so many."""
    if len(word) > 3 or not 1 <= int(word) <= len(choices):
        raise NotPossible(f"There is no such number: type one from 1 to {len(choices)}.")
    return choices[int(word) - 1]


@dataclass(frozen=True)
class Answer:
    """What fills in an offer that leaves something to choose."""

    window: int
    move: Message
    """The game's own move."""


@dataclass(frozen=True)
class Section:
    """A part of the board."""

    title: Text
    body: RenderableType


@dataclass(frozen=True)
class Setting:
    """Something to agree on before the game."""

    name: str
    question: str
    choices: Mapping[str, str]
    """What to type → what it means; the first is the default."""


class Teller(Protocol):
    """Tells events in words; remembers what it needs to tell the next one."""

    def tell(self, event: tables_pb2.TableEvent, people: People) -> Sequence[Text]:
        """Return lines for an event of the game; none for events that the board shows well enough."""
        ...


class Game(Protocol):
    """One game's screen. `view` is always a table view that holds this game."""

    name: str
    """As in the cases of the protos."""
    title: str
    settings: Sequence[Setting]

    def options(self, answers: Mapping[str, str], deck: str | None) -> Message:
        """Return the game's options from what was chosen of `settings`, and the text of a file of its own, if given.

        Raises ValueError when the file cannot be read.
        """
        ...

    def sections(self, view: tables_pb2.TableView, people: People) -> Sequence[Section]:
        """Return the board, most important last: it stands next to the prompt."""
        ...

    def briefly(self, view: tables_pb2.TableView, people: People) -> Sequence[Text]:
        """Return what one must know to choose now, for a terminal that cannot redraw."""
        ...

    def prompt(self, view: tables_pb2.TableView) -> str:
        """Return the question that the viewer's offers answer, with what may be typed."""
        ...

    def beside(self, view: tables_pb2.TableView) -> str:
        """Return what may be typed while others are asked; empty for nothing."""
        ...

    def choose(self, view: tables_pb2.TableView, line: str) -> tables_pb2.Offer | Answer:
        """Return the offer that a line of input names, or fills in; raises NotPossible with the reason."""
        ...

    def usual(self, view: tables_pb2.TableView) -> tables_pb2.Offer | Answer | None:
        """Return what Enter alone stands for: the only choice, or the one that is offered first; None for nothing."""
        ...

    def teller(self, view: tables_pb2.TableView) -> Teller:
        """Return a teller that goes on from this view."""
        ...

    def rounds_scored(self, view: tables_pb2.TableView) -> int:
        """Return how many rounds have their points."""
        ...

    def score_sheet(
        self, view: tables_pb2.TableView, people: People, round_number: int, record: Record | None
    ) -> RenderableType:
        """Return how the points of a scored round came to be; the record, if it could be had, gives the reasons."""
        ...

    def ranking(self, view: tables_pb2.TableView, people: People) -> RenderableType | None:
        """Return the final ranking, None while the game goes on."""
        ...

    def rules(self) -> Sequence[RenderableType]:
        """Return the rules in short, in pages that fit the smallest screen."""
        ...

    def options_line(self, view: tables_pb2.TableView) -> str:
        """Return what the table agreed on, in a few words."""
        ...
