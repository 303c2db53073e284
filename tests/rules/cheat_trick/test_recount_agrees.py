"""Whole games against the recount, which was written from the article alone and judges every event anew."""

import pytest

from cheeseboard.engine.v1 import tables_pb2 as tables
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.shuffle import derived
from tests.rules.kits import KITS
from tests.support.recount.cheat_trick import CheatCount, recount_cheat_trick
from tests.support.recount.log import Log

from .records import played_out, recorded, table_options
from .tabletop import CATCHABLE

GAMES_EACH = 2


def counted(options: Options, seats: int, record: list[tables.TableEvent]) -> CheatCount:
    return recount_cheat_trick(table_options(options, seats), Log(record, "cheat_trick"))


@pytest.mark.parametrize("seats", [3, 4])
def test_the_recount_finds_nothing(seats: int) -> None:
    """All options; read by every seat and a spectator; the counts are those of the game."""
    for number, options in enumerate([*KITS["cheat_trick"].option_sets(seats)] * GAMES_EACH):
        last = played_out(options, seats, derived(bytes(32), f"recount/{number}"))
        for viewer in (None, number % seats):
            count = counted(options, seats, recorded(last, viewer))
            assert (count.totals, count.places) == (last.state.totals, last.state.places)


def test_the_recount_finds_what_is_wrong() -> None:
    """Each of these changes to a true record is named: it is no rubber stamp."""
    options = Options(teams=True, reneging=CATCHABLE)
    record = recorded(played_out(options, 4, bytes(32)), None)
    found = 0
    for kind, field in (
        ("voted", "seat"),
        ("bid_raised", "seat"),
        ("passed", "seat"),
        ("card_played", "seat"),
        ("trick_won", "seat"),
        ("knocked", "trick"),
        ("accusation_made", "right"),
        ("accusing_done", "seat"),
        ("tricks_split", "team"),
        ("vetoed_deals_revealed", ""),
    ):
        changed = [tables.TableEvent.FromString(event.SerializeToString()) for event in record]
        at, event = next((i, e) for i, e in enumerate(changed) if e.cheat_trick.HasField(kind))  # type: ignore[arg-type]
        message = getattr(event.cheat_trick, kind)
        if field == "right":
            message.right = not message.right
        elif field:
            setattr(message, field, (getattr(message, field) + 1) % 4)
        else:
            del changed[at]
            changed = [tables.TableEvent(sequence=n, cheat_trick=e.cheat_trick) for n, e in enumerate(changed, 1)]
        with pytest.raises(AssertionError):
            counted(options, 4, changed)
        found += 1
    assert found == 10
