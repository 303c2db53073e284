"""What happens at any table whatever is played there, told in one line each."""

from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_terminal.people import People, called

_ENDS = {
    tables_pb2.END_REASON_NO_SCORES: "its scores did not come in time",
    tables_pb2.END_REASON_ABANDONED: "nobody was here for too long",
    tables_pb2.END_REASON_ALL_LEFT: "everybody left",
    tables_pb2.END_REASON_DONE: "the time for another game is over",
}


def told(event: tables_pb2.TableEvent, people: People) -> Text | None:
    """Return a line for an event of the table, None for events of a game."""
    match event.WhichOneof("event"):
        case "player_joined":
            return _joined(event.player_joined)
        case "player_left":
            return Text(f"Seat {event.player_left.seat + 1} is free again.")
        case "host_changed":
            return Text(f"{people.does(event.host_changed.seat, 'host')} the table now.")
        case "game_opened":
            return Text(f"Game {event.game_opened.game_number} begins.", style="bold")
        case "seat_went_away":
            went = event.seat_went_away
            why = "left" if went.left else "ran out of time"
            whom = "you" if went.seat == people.viewer else "this seat"
            return Text(f"{people.name(went.seat)} {why}: the engine plays for {whom}.", style="yellow")
        case "seat_returned":
            return Text(f"{people.does(event.seat_returned.seat, 'come back')} to the table.")
        case "rematch_wanted":
            return Text(f"{people.does(event.rematch_wanted.seat, 'want')} another game.")
        case "game_voided":
            return Text(f"The game ends without a result: {_why(event.game_voided.reason)}.", style="bold red")
        case "table_closed":
            return Text(f"The table is closed: {_why(event.table_closed.reason)}.", style="bold red")
    return None


def _joined(event: tables_pb2.PlayerJoined) -> Text:
    kind = f" ({event.player.bot} bot)" if event.player.bot else ""
    return Text(f"{called(event.player)}{kind} takes seat {event.seat + 1}.")


def _why(reason: "tables_pb2.EndReason.ValueType") -> str:
    return _ENDS.get(reason, "no reason was given")
