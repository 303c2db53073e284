"""A crowd in its short form: an engine keeps its memory and its promises to the others, and nothing stays of tables.

How long the others wait is a figure of the long form.
"""

import random
from pathlib import Path

from tests.faults import crowds
from tests.faults.crowds import Crowd
from tests.faults.players import Manners

SIZE = 150
"""More than a caller may send at once."""
SETTINGS = {
    **crowds.SETTINGS,
    "CHEESEBOARD_BOT_MIN_MS": "0",
    "CHEESEBOARD_BOT_MAX_MS": "0",
    "CHEESEBOARD_OPEN_SECONDS": "3",
    "CHEESEBOARD_ABANDONED_SECONDS": "3",
    "CHEESEBOARD_FINISHED_SECONDS": "1",
}


async def test_a_crowd_of_all_kinds_breaks_nothing(tmp_path: Path):
    """Nobody who reads, abandoned tables, bad moves by call and by stream, and what is no message, all at once."""
    async with crowds.site(tmp_path, SETTINGS) as stack:
        others = Manners(repeats=0.0, thinks_seconds=0.02)
        crowd = await crowds.run(
            stack, Crowd("everything", SIZE, most_mb=40), random.Random("crowd"), 2.0, others, tables=2
        )
    assert crowd.broken == []
    assert crowd.told["tables"] + crowd.told["games"] == SIZE
    assert crowd.told["RATE_LIMITED"] and crowd.told["BAD_REQUEST"] and crowd.told["UNKNOWN_CARD"]
