"""What the clients of one table asked, were answered and were shown: the witness that the checker hears.

It is written down as it arrives, knows no rules, and is kept apart from the SDK's own bookkeeping.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.scoring.v1 import scoring_pb2
from cheeseboard_client import Record, Snapshot, Step


class Deed(NamedTuple):
    """What a seat does, in the terms of the game: a card it plays, or a trump it names (value 0)."""

    seat: int
    suit: int
    value: int

    @classmethod
    def of_offer(cls, seat: int, offer: tables_pb2.Offer) -> "Deed":
        """Return what taking an offer is."""
        game = offer.cheez_tricks
        if game.HasField("play_card"):
            return cls(seat, game.play_card.card.suit, game.play_card.card.value)
        return cls(seat, game.choose_trump.suit, 0)

    @classmethod
    def of_event(cls, event: tables_pb2.TableEvent) -> "Deed | None":
        """Return what a player did with this event, None for what the engine or nobody did."""
        game = event.cheez_tricks
        played, trump = game.card_played, game.trump_set
        if game.HasField("card_played") and not played.by_engine:
            return cls(played.seat, played.card.suit, played.card.value)
        if game.HasField("trump_set") and trump.HasField("seat") and not trump.by_engine:
            return cls(trump.seat, trump.suit, 0)
        return None


class Answer(NamedTuple):
    """Where a move was said to have led."""

    sequence: int
    resume_point: str


@dataclass
class Asked:
    """A request to move, with everything it was answered."""

    request_id: str
    window: int
    deed: Deed
    answers: list[Answer] = field(default_factory=list)
    refused: bool = False
    """Whether it was refused when it was sent once more."""
    heard: int = 0
    """How many frames its player had been told when the last answer came."""


class Look(NamedTuple):
    """A view that a viewer was given, by whatever call."""

    viewer: int | None
    view: tables_pb2.TableView
    resume_point: str
    heard: int
    """How many frames the viewer had been told when it came."""


@dataclass
class Told:
    """The frames of one watch, over all its streams, in the order in which they came."""

    viewer: int | None
    frames: list[Snapshot | Step] = field(default_factory=list)

    @property
    def resume_point(self) -> str:
        """Where the next stream of this watch begins."""
        return self.frames[-1].resume_point if self.frames else ""


@dataclass
class Journal:
    """All that the clients of one table can bear witness of."""

    table_id: str
    asked: list[Asked] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)

    def ask(self, seat: int, offer: tables_pb2.Offer, request_id: str) -> Asked:
        """Note a request that is about to be sent."""
        asked = Asked(request_id, offer.window, Deed.of_offer(seat, offer))
        self.asked.append(asked)
        return asked

    def watch(self, viewer: int | None) -> Told:
        """Note a watch that begins."""
        told = Told(viewer)
        self.told.append(told)
        return told

    def told_to(self, viewer: int | None) -> Told:
        """Return the watch of a viewer."""
        return next(told for told in self.told if told.viewer == viewer)

    def look(self, viewer: int | None, answer: Snapshot) -> None:
        """Note a view that was asked for."""
        heard = len(self.told_to(viewer).frames)
        self.looks.append(Look(viewer, answer.view, answer.resume_point, heard))

    def all_looks(self) -> list[Look]:
        """Return every view that anyone was given, those of frames included."""
        framed = [
            Look(told.viewer, frame.view, frame.resume_point, number)
            for told in self.told
            for number, frame in enumerate(told.frames, 1)
            if frame.view is not None
        ]
        return [*self.looks, *framed]


@dataclass
class Final:
    """What the table says in the end, by viewer; None is a spectator."""

    view: tables_pb2.TableView
    records: dict[int | None, Record]
    """The record of the game."""
    logs: dict[int | None, tuple[tables_pb2.TableEvent, ...]]
    """The table's log from its third event on, as a watch that resumes there tells it."""
    board: scoring_pb2.GetScoreboardResponse | None
    heads: dict[int, str] | None = None
    """The resume points in the log, by number, where a failover may have lost others; None: nothing may be lost."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.view.status == tables_pb2.TABLE_STATUS_FINISHED

    def stands(self, sequence: int, resume_point: str) -> bool:
        """Tell whether what somebody was told is on the log, or would have to be."""
        return self.heads is None or self.heads.get(sequence) == resume_point
