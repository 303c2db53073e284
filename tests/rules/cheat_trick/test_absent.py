"""[CHT 11] What is done for those who are not there."""

import pytest

from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import Done, LeaveSplit, Pass, PlayCard, Vote
from engine_service.rules.games.cheat_trick.events import AccusingDone, CardPlayed, Passed, SplitLeft, Voted
from engine_service.rules.games.cheat_trick.options import Options

from .tabletop import (
    CATCHABLE,
    CLUBS,
    asked,
    bidding,
    card,
    decided,
    laid_out,
    only,
    played,
    skipped,
    started,
    timed_out,
)

EVERYONE = (None, 0, 1, 2, 3)


def test_it_plays_on_passes_is_done_and_leaves_splits() -> None:
    """[CHT 11.1] It never declares, knocks or accuses."""
    assert timed_out(started())[0] == Voted(3, veto=False, by_engine=True)
    assert timed_out(bidding())[0] == Passed(3, by_engine=True)
    last = skipped(laid_out(["H1", "H2", "H3", "H4"], options=Options(reneging=CATCHABLE, teams=True)), (4, 3, 3, 3))
    last = played(last, "H4 H3 H2 H1")
    assert timed_out(last, 2) == (AccusingDone(2, by_engine=True),)
    split = skipped(laid_out(["H1", "H2", "H3", "H4"], options=Options(teams=True)), (4, 3, 3, 3))
    assert timed_out(played(split, "H4 H3 H2 H1"), 2) == (SplitLeft(2, by_engine=True),)


@pytest.mark.parametrize(
    ("hand", "led", "plays"),
    [
        ("H9 S2 D5", "", "S2"),
        ("C1 HK SK", "", "HK"),
        ("C3 C2 F", "", "C2"),
        ("F", "", "F"),
        ("S4 H4 D4", "", "D4"),
        ("H9 H3 S1 F", "H5", "H3"),
        ("C1 S3 D4", "H5", "S3"),
        ("C9 C4 F", "H5", "C4"),
        ("C9 C4 D1 F", "C5", "C4"),
    ],
)
def test_card_is_the_lowest_that_follows_trump_later_the_fool_last(hand: str, led: str, plays: str) -> None:
    """[CHT 11.2] Trump is clubs; ties fall in the order of the suits. The same where any card may be played."""
    for options in (Options(), Options(reneging=CATCHABLE)):
        if led:
            table = played(laid_out(["S9", "S8", hand, led], CLUBS, options), led)
        else:
            table = laid_out(["S9", "S8", "S7", hand], CLUBS, options)
        assert only(timed_out(table), CardPlayed).card == card(plays)


def test_the_tables_own_ranks_say_what_is_lowest() -> None:
    """[CHT 11.2] With maternal suits the 10 of hearts is below its 1."""
    table = laid_out(["S9", "S8", "S7", "H1 H10"], CLUBS, Options(maternal_suits=True))
    assert only(timed_out(table), CardPlayed).card == card("H10")


def test_everyone_sees_that_the_engine_did_it() -> None:
    """[CHT 11.3] And that a player did what a player did."""
    last = skipped(laid_out(["H1", "H2", "H3", "H4"], options=Options(reneging=CATCHABLE, teams=True)), (4, 3, 3, 3))
    split = skipped(laid_out(["H1", "H2", "H3", "H4"], options=Options(teams=True)), (4, 3, 3, 3))
    for table, action in (
        (started(), Vote(veto=False)),
        (bidding(), Pass()),
        (laid_out(["S9", "S8", "S7", "H1 H10"]), PlayCard(card("H1"))),
        (played(last, "H4 H3 H2 H1"), Done()),
        (played(split, "H4 H3 H2 H1"), LeaveSplit()),
    ):
        seat = asked(table)[0]
        for events, by_engine in ((timed_out(table), True), (decided(table, seat, action), False)):
            assert [CHEAT_TRICK.seen(events[0], viewer).by_engine for viewer in EVERYONE] == [by_engine] * 5
