"""What a table remembers of requests: so many answers of each player, and the newest of those who left."""

from typing import Any

from msgspec.structs import replace

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.store.head import Head
from engine_service.tables.requests import OF_LEAVERS, REMEMBERED, Answer, Request, earlier_answer, remembering
from engine_service.tables.table import Sitter, Table, TableOptions

ANN, BEN = Sitter("ann", "Ann"), Sitter("ben", "Ben")
SETUP = TableOptions(Options(), 2, 0, 0, allow_spectators=False, listed=False)
TABLE: Table[Any, Any] = Table("00" + "a" * 18, "ABCDEF", "cheez_tricks", SETUP, b"k" * 32, 0, (ANN, BEN))


def request(player: Sitter, number: int) -> Request:
    message = tables_pb2.SubmitMoveRequest(window=number)
    return Request.of(player.player_id, f"r{number}", message)


def after(table: Table[Any, Any], player: Sitter, numbers: range) -> Table[Any, Any]:
    for number in numbers:
        table = remembering(table, request(player, number), Answer(Head(number, bytes(8)), 0))
    return table


def known(table: Table[Any, Any], player: Sitter, numbers: range) -> list[int]:
    return [number for number in numbers if earlier_answer(table, request(player, number)) is not None]


def test_the_last_answers_of_each_player_are_kept() -> None:
    table = after(after(TABLE, ANN, range(1, 41)), BEN, range(1, 4))
    assert known(table, ANN, range(1, 41)) == list(range(41 - REMEMBERED, 41))
    assert known(table, BEN, range(1, 41)) == [1, 2, 3]


def test_who_leaves_pushes_out_nobody_who_left_later() -> None:
    table = replace(after(TABLE, ANN, range(1, 41)), seats=(None, BEN))
    table = replace(after(table, BEN, range(1, 6)), seats=(None, None))
    table = after(table, BEN, range(6, 7))
    assert known(table, BEN, range(1, 7)) == [2, 3, 4, 5, 6]
    assert known(table, ANN, range(1, 41)) == list(range(41 - OF_LEAVERS, 41))


def test_the_same_id_for_something_else_is_refused_and_other_methods_differ() -> None:
    body = lobby_pb2.LeaveTableRequest(request_id="r1").SerializeToString()
    assert lobby_pb2.RematchRequest.FromString(body).SerializeToString() == body
    requests = [
        Request.of("ann", "r1", kind.FromString(body))
        for kind in (lobby_pb2.LeaveTableRequest, lobby_pb2.RematchRequest)
    ]
    assert requests[0].body != requests[1].body
