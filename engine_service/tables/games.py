"""From a table to the rules it is played by."""

from typing import Any

from engine_service.rules.game import Game
from engine_service.rules.registry import GAMES
from engine_service.tables.table import Table


def game_of(table: Table[Any, Any]) -> Game[Any, Any, Any, Any]:
    """Return the rules of the table's game."""
    return GAMES[table.game]
