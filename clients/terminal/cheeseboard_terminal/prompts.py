"""What is asked of the player at a table, in one line."""

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_terminal.games.contract import Game
from cheeseboard_terminal.people import People, listing
from cheeseboard_terminal.table_page import is_free, is_host

TIME_RAN_OUT = "Your time ran out, and the engine moved. If that goes on, it plays for you."


def prompt(game: Game, view: tables_pb2.TableView, people: People, out: str = "menu") -> str:
    """Return the question, or what is waited for; `out` is where q leads."""
    match view.status:
        case tables_pb2.TABLE_STATUS_OPEN:
            return _before_the_game(view, out)
        case tables_pb2.TABLE_STATUS_FINISHED:
            return f"Waiting for the others (q {out})" if _wants_rematch(view) else f"r another game, q {out}"
        case tables_pb2.TABLE_STATUS_RUNNING if is_away(view):
            return f"The engine plays for you: Enter to go on yourself (q {out})"
        case tables_pb2.TABLE_STATUS_RUNNING if is_asked(view):
            return game.prompt(view)
        case tables_pb2.TABLE_STATUS_RUNNING:
            asked = [question.seat for question in view.prompt.questions if question.HasField("seat")]
            beside = f" ({may})" if (may := game.beside(view)) else ""
            return (
                f"Waiting for {listing(list(map(people.mention, asked)))}{beside}"
                if asked
                else "Waiting for the scores"
            )
    return ""


def asks(view: tables_pb2.TableView) -> tuple[object, ...] | None:
    """Return what tells one question to the player from the next, None when nothing is asked of it."""
    match view.status:
        case tables_pb2.TABLE_STATUS_OPEN if is_host(view):
            return "open", sum(seat.HasField("player") for seat in view.seats)
        case tables_pb2.TABLE_STATUS_FINISHED if not _wants_rematch(view):
            return "finished", view.game_number
        case tables_pb2.TABLE_STATUS_RUNNING if is_away(view):
            return "away", view.game_number
        case tables_pb2.TABLE_STATUS_RUNNING if is_asked(view):
            return "move", view.game_number, max(offer.window for offer in view.prompt.offers)
    return None


def is_asked(view: tables_pb2.TableView) -> bool:
    """Return whether a question is put to the viewer; what may be done beside the turn answers none."""
    return any(offer.window for offer in view.prompt.offers)


def is_away(view: tables_pb2.TableView) -> bool:
    """Return whether the engine plays for the viewer until it calls again."""
    return view.HasField("viewer") and view.seats[view.viewer].away


def warning(view: tables_pb2.TableView) -> str:
    """Return what to tell a player who let the time run out and is still counted as being there; else nothing."""
    if view.status != tables_pb2.TABLE_STATUS_RUNNING or not view.HasField("viewer"):
        return ""
    return TIME_RAN_OUT if view.seats[view.viewer].missed else ""


def countdown(seconds: float | None) -> str:
    """Return "0:23 "; empty without a clock."""
    return "" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02d} "


def _before_the_game(view: tables_pb2.TableView, out: str) -> str:
    if not is_host(view):
        return f"Waiting for the host to start (leave: give up your seat, q {out})"
    return f"b add a bot, f fill up with bots, q {out}" if is_free(view) else f"s start, q {out}"


def _wants_rematch(view: tables_pb2.TableView) -> bool:
    return not view.HasField("viewer") or view.seats[view.viewer].wants_rematch
