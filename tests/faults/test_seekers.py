"""Finding a game in the short form of `make faults`: everything that is promised holds while all of it is killed."""

import random
from pathlib import Path

from tests.faults.scenarios import SETTINGS
from tests.faults.seekers import everything_killed
from tests.support.stack import running_stack


async def test_kills_cost_no_ticket_and_no_place(tmp_path: Path):
    """Nobody is at two tables, no ticket is lost, nobody's time in line begins anew."""
    with running_stack(tmp_path, engines=3, scorings=0, settings=SETTINGS) as stack:
        sought = await everything_killed(stack, people=12, kills=3, store_kills=1, dice=random.Random("seekers"))
    assert sought.broken == []
