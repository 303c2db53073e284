"""The life of a table itself: when the engine looks at it again."""

from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.store.head import Head
from engine_service.tables.lifecycle import WAIT_MS, looks_again_ms
from engine_service.tables.stored import Stored
from engine_service.tables.table import Asked, Table, TableOptions


def test_what_a_table_asks_does_not_wait_until_nobody_watches_any_more() -> None:
    """An untouched table is kept for those who watch; its bots and its windows go on."""
    assert looks_again_ms(_asking(None)) == 5_000 + WAIT_MS
    assert looks_again_ms(_asking(4_000, None)) == 5_000 + WAIT_MS  # What is due already is done now.
    assert looks_again_ms(_asking(9_000, 7_000, None)) == 7_000


def _asking(*dues_ms: int | None) -> Stored:
    table = Table(
        table_id="00" + "a" * 18,
        code="ASKING",
        game="cheesy_heist",
        options=TableOptions(Options(), 4, 0, 0, allow_spectators=True, listed=False),
        key=bytes(32),
        created_ms=0,
        seats=(None,) * 4,
        asked=tuple(Asked(1, seat, 0, due_ms) for seat, due_ms in enumerate(dues_ms)),
    )
    return Stored(table, Head(1, bytes(8)), 5_000, 0)
