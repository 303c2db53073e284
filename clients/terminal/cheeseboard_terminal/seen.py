"""What the player has seen of a table so far: the latest view, what happened, and how the connection fares."""

from collections import deque
from datetime import datetime

from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Alive, EngineClock, Frame, Interrupted, Snapshot, Step
from cheeseboard_terminal.games.contract import Game, Teller
from cheeseboard_terminal.pace import pace
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
        self._pause = tables_pb2.Question()
        """The last one that was seen, also when it is over."""

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
        pauses = [question for question in self.view.prompt.questions if not question.HasField("seat")]
        self._pause = pauses[0] if pauses else self._pause
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
        before, self.view = self.view, frame.view
        self._teller = self.game.teller(frame.view) if self.has_game else None
        lines: list[Text] = []
        if frame.reset:
            self._pause = tables_pb2.Question()  # Its number may come again.
            lines = [Text("A failure took back the last moves; this is how the table stands.", style="bold yellow")]
        elif frame.missed:
            lines = [Text("(what happened meanwhile is not told again)", style="dim")]
        if not before.table_id and frame.view.status == tables_pb2.TABLE_STATUS_RUNNING:
            lines += self._clock_line()
        elif before.table_id and frame.view.game_number != before.game_number:
            self.log.clear()
        self.log.extend(lines)
        return lines

    def _step(self, frame: Step) -> list[Text]:
        if frame.view:
            self.view = frame.view
        lines: list[Text] = []
        for event in frame.events:
            if event.HasField("game_opened"):
                self.log.clear()  # All that happened in the game before.
            told_now = self._tell(event)
            self.log.extend(told_now)
            lines += told_now
        return lines

    def _tell(self, event: tables_pb2.TableEvent) -> list[Text]:
        if line := told(event, self.people):
            return [line, *(self._clock_line() if event.HasField("game_opened") else [])]
        if event.WhichOneof("event") != self.game.name:
            return []
        self._teller = self._teller or self.game.teller(tables_pb2.TableView())
        return list(self._teller.tell(event, self.people))

    def _clock_line(self) -> list[Text]:
        clock = self.view.options.clock
        return [Text(f"The clock gives {pace(clock)}.")] if clock.move_seconds else []

    def seconds_left(self) -> float | None:
        """Return what is left of the time of the viewer's own question, else of the one that runs out first, None
        where nothing runs out. A pause is part of every question that was open in it: what it gave stays used up,
        and at a table without a clock there is all the time after it."""
        view = self.view
        own = [
            q for q in view.prompt.questions if view.HasField("viewer") and q.HasField("seat") and q.seat == view.viewer
        ]
        deadlines = [at for question in own or view.prompt.questions for at in self._deadlines(question)]
        left = max(0.0, self.clock.seconds_until(min(deadlines))) if deadlines else None
        return left if left or view.options.clock.move_seconds else None

    def _deadlines(self, question: tables_pb2.Question) -> list[datetime]:
        counting = [question, self._pause] if question.window < self._pause.window else [question]
        return [each.deadline.ToDatetime() for each in counting if each.HasField("deadline")]
