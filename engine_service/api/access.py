"""Who may do what at a table: seats belong to players, whatever connection they come by."""

from typing import Any

from engine_service.tables.table import Sitter, Table
from service_runtime.errors import Refused
from service_runtime.identity import Caller


def seat_of(table: Table[Any, Any], caller: Caller) -> int:
    """Return the caller's seat. Refuses NOT_SEATED."""
    seat = table.seat_of(caller.player_id)
    if seat is None:
        raise Refused("NOT_SEATED", "the caller has no seat at this table")
    return seat


def sitter_of(caller: Caller, display_name: str) -> Sitter:
    """Return the caller as it takes a seat."""
    return Sitter(player_id=caller.player_id, name=display_name or caller.name)
