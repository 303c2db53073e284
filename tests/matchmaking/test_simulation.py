"""The table in the docs is what the schedule leads to, and nobody waits for ever."""

import re

from engine_service.matchmaking.schedule import FEWER_AFTER_SECONDS, WINDOWS
from tests.matchmaking.simulation import PAGE, simulate, table


def test_the_page_tells_what_the_schedule_leads_to():
    """`make simulate` writes it anew."""
    assert table() in PAGE.read_text()


def test_the_page_tells_the_schedule():
    """Every step of it."""
    told = [int(row) for row in re.findall(r"^\| (\d+) s \| ", PAGE.read_text(), flags=re.MULTILINE)]
    assert told == sorted({*(int(seconds) for seconds, _ in WINDOWS), int(FEWER_AFTER_SECONDS)})


def test_nobody_is_left_but_who_came_last_and_alone():
    """With ratings as far apart as they come."""
    for seed in range(5):
        assert simulate(1.0, 12.0, tickets=200, seed=seed).unmatched <= 1
