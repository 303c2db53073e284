"""The tables that a player sits at: what the directory hints at, looked at and mended."""

from engine_service.store.directory import Directory
from engine_service.tables.commands import Tables
from engine_service.tables.stored import Stored
from service_runtime.errors import Refused


async def tables_of(tables: Tables, directory: Directory, player_id: str) -> list[Stored]:
    """Return the tables a player sits at, and mend the hint that led to them."""
    found = []
    for table_id in await directory.tables_of(player_id):
        try:
            stored = await tables.load(table_id)
        except Refused as refused:
            if refused.reason != "TABLE_NOT_FOUND":
                continue
            stored = None
        if stored is None or stored.table.seat_of(player_id) is None:
            await directory.forget(player_id, table_id)
        else:
            found.append(stored)
    return found


async def refuse_too_many(tables: Tables, directory: Directory, player_id: str, table_id: str = "") -> None:
    """Refuse a player another table (TOO_MANY), unless it is one of those it sits at."""
    most = tables.policy.tables_per_player
    noted = await directory.tables_of(player_id)
    if table_id in noted or len(noted) < most:
        return
    going_on = [s for s in await tables_of(tables, directory, player_id) if s.table.status in ("open", "running")]
    if len(going_on) >= most:
        raise Refused("TOO_MANY", "too many tables at once", facts={"most": most, "player_id": player_id})
