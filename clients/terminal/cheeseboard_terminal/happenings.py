"""What a sitting reacts to, besides the frames of the table."""

from dataclasses import dataclass

from rich.console import RenderableType

from cheeseboard_client import CheeseboardError, Frame


@dataclass(frozen=True)
class Typed:
    """The player typed a line."""

    line: str


@dataclass(frozen=True)
class Page:
    """Something to read was made ready."""

    body: RenderableType


@dataclass(frozen=True)
class Done:
    """A call to the engine came back."""

    error: CheeseboardError | None
    """What was wrong, if anything."""
    sequence: int
    """The table has moved on at least to here."""


@dataclass(frozen=True)
class Over:
    """The sitting ends."""

    farewell: str


class Tick:
    """A second went by."""


Happening = Frame | Typed | Page | Done | Over | Tick
