"""What viewers of one step share: a table made once for all shows each what it would be shown alone."""

import pytest

from cheeseboard.engine.v1 import tables_pb2 as pb
from engine_service.rules.registry import GAMES
from engine_service.store.head import Head
from engine_service.tables.policy import Policy
from engine_service.tables.stored import Stored
from engine_service.tables.table import Sitter, Table, TableOptions
from engine_service.tables.views import Views, prompt, table_view
from engine_service.wire.registry import WIRES

from .kits import KITS
from .walks import AnyGame, Step, walk


def stored_at(game: AnyGame, options: object, step: Step) -> Stored:
    """Return a table at which the game stands as after this step."""
    seats = int(step.state.seats)
    table = Table(
        table_id="p00-shared",
        code="SHARED",
        game=game.name,
        options=TableOptions(options, seats, 30, 60, allow_spectators=True, listed=False),
        key=bytes(32),
        created_ms=0,
        seats=tuple(Sitter(f"player {seat}", f"Player {seat}") for seat in range(seats)),
        status="running",
        game_number=1,
        state=step.state,
    )
    return Stored(table, Head(len(step.log), bytes(8)), 0, 0)


@pytest.mark.parametrize("name", GAMES)
def test_each_viewer_is_shown_what_it_would_be_shown_alone(name: str) -> None:
    """Whoever looked before: nothing of one seat's own comes into what the next one gets."""
    game, wire, policy = GAMES[name], WIRES[name], Policy()
    options = KITS[name].option_sets(4)[0]
    for step in list(walk(game, options, 4, b"shared".ljust(32)))[::3]:
        stored = stored_at(game, options, step)
        views = Views(stored)
        for viewer in (None, 0, 1, 2, 3, None, 0):
            shown = pb.TableView()
            views.show(viewer, prompt(stored, viewer, policy), to=shown)
            assert shown == table_view(stored, viewer, policy)
            assert getattr(shown, name) == wire.view_out(game.view(step.state, viewer))
            assert shown.HasField("viewer") == (viewer is not None)
