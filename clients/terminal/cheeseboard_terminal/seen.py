"""What the player has seen of a table so far: the latest view, what happened, and how the connection fares."""

from collections import deque

from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Alive, EngineClock, Frame, Interrupted, Snapshot, Step
from cheeseboard_terminal.games.contract import Game, Teller
from cheeseboard_terminal.people import People
from cheeseboard_terminal.table_events import told


class Seen:
    """Takes frames in; holds nothing that no frame has told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.view = tables_pb2.TableView()
        self.log: deque[Text] = deque(maxlen=200)
        self.connection = ""
        self.clock = EngineClock()
        self._teller: Teller | None = None

    @property
    def people(self) -> People:
        """Who sits at the table."""
        return People.of(self.view)

    @property
    def has_game(self) -> bool:
        """Whether a game was begun at the table."""
        return self.view.WhichOneof("game") is not None

    def take(self, frame: Frame) -> list[Text]:
        """Take a frame in and return the lines that tell it."""
        if isinstance(frame, Interrupted):
            self.connection = "reconnecting…"
            return []
        self.connection = ""
        self.clock.observe(frame.server_time)
        lines = self._take(frame)
        self.log.extend(lines)
        return lines

    def _take(self, frame: Snapshot | Step | Alive) -> list[Text]:
        match frame:
            case Snapshot():
                return self._snapshot(frame)
            case Step():
                return self._step(frame)
            case Alive():
                for seat in self.view.seats:
                    seat.connected = seat.seat in frame.connected_seats
        return []

    def _snapshot(self, frame: Snapshot) -> list[Text]:
        self.view = frame.view
        self._teller = self.game.teller(frame.view) if self.has_game else None
        if frame.reset:
            return [Text("A failure took back the last moves; this is how the table stands.", style="bold yellow")]
        return [Text("(what happened meanwhile is not told again)", style="dim")] if frame.missed else []

    def _step(self, frame: Step) -> list[Text]:
        if frame.view:
            self.view = frame.view
        lines: list[Text] = []
        for event in frame.events:
            if line := told(event, self.people):
                lines.append(line)
            elif event.WhichOneof("event") == self.game.name:
                self._teller = self._teller or self.game.teller(tables_pb2.TableView())
                lines += self._teller.tell(event, self.people)
        return lines

    def seconds_left(self) -> float | None:
        """Return what is left of the time of the question that runs out first, None without a clock."""
        deadlines = [
            question.deadline.ToDatetime() for question in self.view.prompt.questions if question.HasField("deadline")
        ]
        return max(0.0, self.clock.seconds_until(min(deadlines))) if deadlines else None
