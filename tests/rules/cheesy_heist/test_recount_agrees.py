"""Whole games against the recount, which was written from the rulebook alone and judges every event anew."""

from collections import Counter

import pytest

from cheeseboard.engine.v1 import tables_pb2 as tables
from engine_service.rules.game import Seat
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.kits import KITS
from tests.rules.walks import Step, walk
from tests.support.recount.cheesy_heist import recount_heist

GAMES_EACH = 2
WIRE = WIRES["cheesy_heist"]


def recorded(step: Step, viewer: Seat | None) -> list[tables.TableEvent]:
    """Return a game's record as a viewer reads it."""
    told = [WIRE.event_out(CHEESY_HEIST.seen(event, viewer)) for event in step.log]
    return [tables.TableEvent(sequence=number, cheesy_heist=event) for number, event in enumerate(told, 1)]


def table_options(options: Options, seats: int) -> tables.TableOptions:
    return tables.TableOptions(game=tables.GameOptions(cheesy_heist=WIRE.options_out(options)), seats=seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_recount_finds_nothing(seats: int) -> None:
    """To the goal and to the last drop; read by every seat and a spectator; the result is that of the game."""
    happened: Counter[str] = Counter()
    for number, options in enumerate([*KITS["cheesy_heist"].option_sets(seats)] * GAMES_EACH):
        last = list(walk(CHEESY_HEIST, options, seats, derived(bytes(32), f"recount/{number}"), time_outs=4))[-1]
        for viewer in (None, *range(seats)):
            counted = recount_heist(table_options(options, seats), recorded(last, viewer))
            assert counted.places == last.state.places
            assert counted.winners == tuple(seat for seat, score in enumerate(last.state.score) if score.won)
            happened.update(counted.happened)
    assert set(happened) >= {"vault_played", "decoy_played", "thief_played", "grater_played", "last_drop_called"}
