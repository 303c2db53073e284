"""Windows as a table's players know them: never the same twice, though every game of the table counts from 1 again."""

from typing import Any

from engine_service.tables.table import Table
from service_runtime.errors import Refused

AnyTable = Table[Any, Any]

PER_GAME = 1_000_000
"""More than a game has. A JSON number holds the windows of nine billion games."""


def told(table: AnyTable, window: int) -> int:
    """Return how players know a window of the running game; 0, which answers no question, is 0 for all."""
    return window and (table.game_number - 1) * PER_GAME + window


def meant(table: AnyTable, window: int) -> int:
    """Return the running game's window that a player names. Refuses those of other games."""
    if not window:
        return 0
    game, within = divmod(window - 1, PER_GAME)
    if game < table.game_number - 1:
        raise Refused("WINDOW_CLOSED", facts={"window": window})
    if game > table.game_number - 1:
        raise Refused("NOT_ASKED_FOR")
    return within + 1
