"""Records of random games, as a viewer reads them, with the options of their table."""

from cheeseboard.engine.v1 import tables_pb2 as tables
from engine_service.rules.game import Seat
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.wire.registry import WIRES
from tests.rules.walks import Step, walk

WIRE = WIRES["cheat_trick"]


def played_out(options: Options, seats: int, seed: bytes) -> Step:
    """Return the last step of a random game."""
    return list(walk(CHEAT_TRICK, options, seats, seed, time_outs=4))[-1]


def recorded(step: Step, viewer: Seat | None) -> list[tables.TableEvent]:
    """Return a game's record."""
    told = [WIRE.event_out(CHEAT_TRICK.seen(event, viewer)) for event in step.log]
    return [tables.TableEvent(sequence=number, cheat_trick=event) for number, event in enumerate(told, 1)]


def table_options(options: Options, seats: int) -> tables.TableOptions:
    return tables.TableOptions(game=tables.GameOptions(cheat_trick=WIRE.options_out(options)), seats=seats)
