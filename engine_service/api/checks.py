"""Checks of requests that need no table: each names the field that is wrong."""

import base64
import binascii
from typing import Any

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from engine_service.rules.game import BadOption
from engine_service.store.head import Head
from engine_service.tables.table import TableOptions
from engine_service.wire.game_wire import GameWire, Malformed
from engine_service.wire.registry import WIRES
from service_runtime.errors import Refused

LONGEST_REQUEST_ID = 64
LONGEST_NAME = 32
LONGEST_SECONDS = 86_400
DEFAULT_CLOCK = tables_pb2.Clock(move_seconds=30, bank_seconds=60)


def bad(field: str, why: str, reason: str = "BAD_REQUEST") -> Refused:
    """Return the refusal of one field."""
    return Refused(reason, violations=((field, why),))


def request_id(given: str) -> str:
    """Return the request's id."""
    if not 1 <= len(given) <= LONGEST_REQUEST_ID:
        raise bad("request_id", f"must be 1 to {LONGEST_REQUEST_ID} characters")
    return given


def display_name(given: str, field: str = "display_name") -> str:
    """Return a name to show, without what does not print; empty if none is given."""
    name = " ".join("".join(letter if letter.isprintable() else " " for letter in given).split())
    if len(name) > LONGEST_NAME:
        raise bad(field, f"must be at most {LONGEST_NAME} characters")
    return name


def page_size(given: int, default: int, most: int) -> int:
    """Return how many entries a page has."""
    if not 0 <= given <= most:
        raise bad("page_size", f"must be 1 to {most}")
    return given or default


def page_token(given: str) -> tuple[int, str] | None:
    """Return where the page before ended: a number and a name."""
    if not given:
        return None
    try:
        number, _, name = base64.urlsafe_b64decode(given.encode()).decode().partition(":")
        return int(number), name
    except (ValueError, binascii.Error):
        raise bad("page_token", "must be one that a page before came with") from None


def token_of(number: int, name: str = "") -> str:
    """Return the token of a page that ends there."""
    return base64.urlsafe_b64encode(f"{number}:{name}".encode()).decode()


def resume_point(given: str) -> Head | None:
    """Return the head a watcher stopped at, or None to begin with a snapshot."""
    if not given:
        return None
    try:
        return Head.of_resume_point(given)
    except ValueError:
        raise bad("resume_point", "must be one that a frame or a view came with") from None


def wire_of(game: str | None, field: str) -> GameWire:
    """Return the game that a oneof names."""
    if game is None:
        raise bad(field, "must name a game")
    if game not in WIRES:
        raise bad(field, "this game is not offered here", "UNKNOWN_GAME")
    return WIRES[game]


def table_options(given: tables_pb2.TableOptions) -> tuple[str, TableOptions[Any]]:
    """Return the game and what the table is set up with."""
    wire = wire_of(given.game.WhichOneof("game"), "options.game")
    game, prefix = wire.game, f"options.game.{wire.game.name}"
    if not game.min_seats <= given.seats <= game.max_seats:
        raise bad("options.seats", f"must be {game.min_seats} to {game.max_seats}", "BAD_OPTION")
    clock = given.clock if given.HasField("clock") else DEFAULT_CLOCK
    _seconds("options.clock.move_seconds", clock.move_seconds)
    _seconds("options.clock.bank_seconds", clock.bank_seconds)
    try:
        options = wire.options_in(getattr(given.game, game.name))
        game.check_options(options, given.seats)
    except Malformed as malformed:
        raise bad(f"{prefix}.{malformed.field}", malformed.why, malformed.reason) from None
    except BadOption as refused:
        raise bad(f"{prefix}.{refused.field}", refused.why, "BAD_OPTION") from None
    return game.name, TableOptions(
        game=options,
        seats=given.seats,
        move_seconds=clock.move_seconds,
        bank_seconds=clock.bank_seconds,
        allow_spectators=given.allow_spectators,
        listed=given.listed,
    )


def action(request: tables_pb2.SubmitMoveRequest, game: str) -> Any:
    """Return what the move does, in the terms of the table's game."""
    case = request.move.WhichOneof("game")
    if case != game:
        raise bad("move.game", f"must be a move of {game}")
    if request.window < 0:
        raise bad("window", "must not be negative")
    try:
        return WIRES[game].action_in(getattr(request.move, game))
    except Malformed as malformed:
        raise bad(f"move.{game}.{malformed.field}", malformed.why, malformed.reason) from None


def code(given: str) -> str:
    """Return a short code as it is stored."""
    return "".join(given.split()).upper()[:16]


def seat(request: lobby_pb2.JoinTableRequest | lobby_pb2.SeatBotRequest) -> int | None:
    """Return the seat that is asked for, if one is."""
    return request.seat if request.HasField("seat") else None


def _seconds(field: str, given: int) -> None:
    if not 0 <= given <= LONGEST_SECONDS:
        raise bad(field, f"must be 0 to {LONGEST_SECONDS}", "BAD_OPTION")
