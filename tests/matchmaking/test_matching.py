"""Who plays whom: what must hold of every match, and that none is missed."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from engine_service.matchmaking.matching import Seeker, full_match, match_with_bots, spread
from engine_service.matchmaking.schedule import FEWER_AFTER_SECONDS, STEPS_MS, WINDOWS, window

NOW_MS = 100_000


@st.composite
def lines(draw: st.DrawFn) -> tuple[list[Seeker], int]:
    """Up to seven tickets in a line, and its seats."""
    seats = draw(st.integers(2, 5))
    count = draw(st.integers(1, 7))
    return [
        Seeker(
            ticket_id=f"t{number}",
            players=draw(st.integers(1, min(3, seats))),
            rating=draw(st.integers(0, 40)),
            entered_ms=NOW_MS - draw(st.sampled_from((0, 1000, 5000, 12_000, 15_000, 25_000, 40_000))),
            most=draw(st.booleans()),
            bots_at_ms=draw(st.sampled_from((None, NOW_MS - 1, NOW_MS + 1))),
        )
        for number in range(count)
    ], seats


def is_match(group: tuple[Seeker, ...], seats: int) -> bool:
    """Tell whether these may play: told in other words than by the code."""
    leader = min(group, key=lambda seeker: (seeker.entered_ms, seeker.ticket_id))
    waited = NOW_MS - leader.entered_ms
    wide = [width for seconds, width in WINDOWS if seconds * 1000 <= waited][-1]
    near = all(abs(seeker.rating - leader.rating) <= wide for seeker in group)
    patient = leader.most or waited >= FEWER_AFTER_SECONDS * 1000
    return near and patient and sum(seeker.players for seeker in group) == seats


@given(lines())
def test_a_match_is_a_match_and_none_is_missed(given_line: tuple[list[Seeker], int]):
    """Exactly all seats, within the window of who waited longest; and if there is one with the anchor, one is found."""
    (anchor, *others), seats = given_line
    found = full_match(anchor, others, seats, NOW_MS)
    possible = [
        (anchor, *rest)
        for size in range(len(others) + 1)
        for rest in itertools.combinations(others, size)
        if is_match((anchor, *rest), seats)
    ]
    assert (found is not None) == bool(possible)
    if found is not None:
        assert anchor in found and len(set(found)) == len(found) and is_match(found, seats)
        assert found[0].place == min(seeker.place for seeker in found)
        leaders = {min(group, key=lambda seeker: seeker.place).place for group in possible}
        assert found[0].place == min(leaders)


@given(lines())
def test_bots_fill_up_only_where_everyone_plays_with_them(given_line: tuple[list[Seeker], int]):
    """And never before a ticket's own time."""
    (anchor, *others), seats = given_line
    found = match_with_bots(anchor, others, seats, NOW_MS)
    assert (found is None) == (anchor.bots_at_ms is None or anchor.bots_at_ms > NOW_MS)
    if found is not None:
        assert found[0] is anchor
        assert all(seeker.bots_at_ms is not None and seeker.bots_at_ms <= NOW_MS for seeker in found)
        assert sum(seeker.players for seeker in found) <= seats


def test_who_waited_longest_is_served_first():
    """Though others are nearer in rating."""
    old = Seeker("old", 1, 30.0, NOW_MS - 60_000, most=True)
    near = Seeker("near", 1, 25.0, NOW_MS - 1000, most=True)
    new = Seeker("new", 1, 25.0, NOW_MS, most=True)
    assert full_match(new, [near, old], 2, NOW_MS) == (old, new)


def test_among_the_young_the_nearest_rating_is_taken():
    """As long as it may be chosen."""
    leader = Seeker("leader", 1, 25.0, NOW_MS - 7000, most=True)
    others = [Seeker(f"o{n}", 1, 25.0 + distance, NOW_MS - 6000, True) for n, distance in enumerate((3.5, -0.5, 1))]
    found = full_match(leader, others, 3, NOW_MS)
    assert found is not None and [seeker.ticket_id for seeker in found] == ["leader", "o1", "o2"]
    assert spread(found) == 1.5


def test_the_window_never_narrows_and_ends_open():
    """However long somebody waits; and each step is looked at, the one to fewer seats too."""
    widths = [window(waited) for waited in range(0, 60_000, 500)]
    assert widths == sorted(widths) and widths[-1] == math.inf
    assert STEPS_MS == (0, 5000, 10_000, 15_000, 20_000, 30_000)
