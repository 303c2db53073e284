"""From an offer to the move it offers, for every game: no rules, only the shape of the contracts.

A concrete offer and its move share the name and the type of their case (`play_card`); a parametric offer does not, and
its move is the caller's to fill in.
"""

import uuid

from google.protobuf.message import Message

from cheeseboard.engine.v1 import tables_pb2

Choice = tables_pb2.Offer | tables_pb2.Move | Message
"""An offer of a view, a move, or the move message of one game."""


def new_request_id() -> str:
    """Return an id that no other request has."""
    return uuid.uuid4().hex


def move_of(choice: Choice) -> tables_pb2.Move:
    """Return the move for a choice.

    Raises ValueError for a parametric offer and TypeError for a message that is no move of any game.
    """
    if isinstance(choice, tables_pb2.Move):
        return choice
    if isinstance(choice, tables_pb2.Offer):
        return _offered(choice)
    return _wrapped(choice)


def _wrapped(action: Message) -> tables_pb2.Move:
    move = tables_pb2.Move()
    for field in move.DESCRIPTOR.fields:
        of_game = getattr(move, field.name)
        if isinstance(action, type(of_game)):
            of_game.CopyFrom(action)
            return move
    raise TypeError(f"{action.DESCRIPTOR.full_name} is no move of any game")


def _offered(offer: tables_pb2.Offer) -> tables_pb2.Move:
    game = offer.WhichOneof("game")
    if game is None:
        raise ValueError("the offer is of a game that this release does not know")
    move = tables_pb2.Move()
    offered, action = getattr(offer, game), getattr(move, game)
    case = offered.WhichOneof("choice")
    into = action.DESCRIPTOR.fields_by_name.get(case or "")
    if into is None or into.message_type is not offered.DESCRIPTOR.fields_by_name[case].message_type:
        raise ValueError(f"the offer {case!r} leaves something to choose: fill in a move yourself")
    chosen = getattr(action, into.name)
    chosen.CopyFrom(getattr(offered, into.name))
    chosen.SetInParent()  # A choice without fields is still made.
    return move


def move_request(
    table_id: str, choice: Choice, window: int | None, request_id: str | None
) -> tables_pb2.SubmitMoveRequest:
    """Return the request that does a choice; an offer brings its own window, other choices need one."""
    if window is None and isinstance(choice, tables_pb2.Offer):
        window = choice.window
    if window is None:
        raise ValueError("a move needs the window of the question it answers")
    return tables_pb2.SubmitMoveRequest(
        table_id=table_id, request_id=request_id or new_request_id(), window=window, move=move_of(choice)
    )
