"""Whole games against the recount, which was written from the rulebook alone and judges every event anew."""

import pytest

from cheeseboard.engine.v1 import tables_pb2 as tables
from engine_service.rules.game import Seat
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.kits import KITS
from tests.rules.walks import Step, walk
from tests.support.recount import recount

GAMES_EACH = 4
WIRE = WIRES["cheez_tricks"]


def recorded(step: Step, viewer: Seat | None) -> list[tables.TableEvent]:
    """Return a game's record as a viewer reads it."""
    told = [WIRE.event_out(CHEEZ_TRICKS.seen(event, viewer)) for event in step.log]
    return [tables.TableEvent(sequence=number, cheez_tricks=event) for number, event in enumerate(told, 1)]


def table_options(options: Options, seats: int) -> tables.TableOptions:
    return tables.TableOptions(game=tables.GameOptions(cheez_tricks=WIRE.options_out(options)), seats=seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_recount_finds_nothing(seats: int) -> None:
    """Both levels and decks of a table's own; read by every seat and a spectator; the counts are those of the game."""
    for number, options in enumerate([*KITS["cheez_tricks"].option_sets(seats)] * GAMES_EACH):
        last = list(walk(CHEEZ_TRICKS, options, seats, derived(bytes(32), f"recount/{number}"), time_outs=4))[-1]
        for viewer in (None, *range(seats)):
            counted = recount(table_options(options, seats), recorded(last, viewer))
            assert counted.totals == last.state.totals
            assert counted.places == last.state.places
