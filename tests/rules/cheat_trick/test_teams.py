"""[CHT 9] Teams: splits, who may say them, and what is done when nobody does."""

import pytest
from msgspec.structs import replace

from engine_service.rules.game import BadOption
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import Accuse, LeaveSplit, MaySplit, Split
from engine_service.rules.games.cheat_trick.events import RoundPlayed, SplitLeft, SplitsAsked, TricksSplit
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.state import Phase, State

from .tabletop import (
    ANY,
    CATCHABLE,
    asked,
    beside,
    by,
    decided,
    events_of,
    laid_out,
    offered,
    only,
    played,
    plays,
    skipped,
    timed_out,
    why,
)

TEAMS = Options(teams=True)
TORY, RODNEY, RAMONA, SARA = range(4)
EXAMPLE = {TORY: 4, SARA: 5}
"""The bids of the article's example above 1."""


def at_the_split(won: tuple[int, ...] = (3, 4, 2, 4), bids: dict[int, int] = EXAMPLE, split: int = 1) -> State:
    """Return a round before its last trick, which seat 3 will take."""
    table = laid_out(["H1", "H2", "H3", "H4"], options=Options(teams=True, split=split), bids=bids)
    return skipped(table, won)


def asked_for_splits(won: tuple[int, ...] = (3, 4, 2, 4), bids: dict[int, int] = EXAMPLE, split: int = 1) -> State:
    return played(at_the_split(won, bids, split), "H4 H3 H2 H1")


def range_of(state: State, seat: int) -> MaySplit:
    return only(offered(state, seat), MaySplit)


def test_teams_need_four_players() -> None:
    """[CHT 9.1] Three are refused, with the reason."""
    CHEAT_TRICK.check_options(TEAMS, 4)
    with pytest.raises(BadOption, match="two teams of two need 4 players, not 3"):
        CHEAT_TRICK.check_options(TEAMS, 3)


def test_partners_sit_across_from_each_other() -> None:
    """[CHT 9.1] Without teams nobody has a partner."""
    assert CHEAT_TRICK.sides(TEAMS, 4) == ((TORY, RAMONA), (RODNEY, SARA))
    assert CHEAT_TRICK.sides(Options(), 4) == ((TORY,), (RODNEY,), (RAMONA,), (SARA,))


def test_the_teams_are_asked_when_all_tricks_are_played() -> None:
    """[CHT 9.2] All partners in one window; without teams the round just ends."""
    events = events_of(at_the_split(), *plays("H4 H3 H2 H1"))
    assert isinstance(events[-1], SplitsAsked)
    assert asked(asked_for_splits()) == [0, 1, 2, 3]
    alone = skipped(laid_out(["H1", "H2", "H3", "H4"]), (3, 4, 2, 4))
    assert isinstance(events_of(alone, *plays("H4 H3 H2 H1"))[-1], RoundPlayed)


def test_extras() -> None:
    """[CHT 9.3] Only what is above one's own bid may be given: Ramona one, Rodney three, Tory and Sara none."""
    table = asked_for_splits()
    assert table.won == (3, 4, 2, 5)
    assert range_of(table, TORY) == MaySplit(least=3, most=4, total=5)
    assert range_of(table, RAMONA) == MaySplit(least=1, most=2, total=5)
    assert range_of(table, RODNEY) == MaySplit(least=1, most=4, total=9)
    assert range_of(table, SARA) == MaySplit(least=5, most=8, total=9)
    assert why(table, TORY, Split(2, 3)) == ("SPLIT_NOT_ALLOWED", {"least": 3, "most": 4})
    assert why(table, RODNEY, Split(0, 9))[0] == "SPLIT_NOT_ALLOWED"


def test_any() -> None:
    """[CHT 9.4] From nothing to all."""
    table = asked_for_splits(split=ANY)
    assert range_of(table, TORY) == MaySplit(least=0, most=5, total=5)
    assert only(decided(table, RODNEY, Split(0, 9)), TricksSplit).tricks == (0, 9)


@pytest.mark.parametrize(("own", "partners"), [(3, 3), (4, 2), (0, 0), (-1, 6), (6, -1)])
def test_a_split_must_add_up(own: int, partners: int) -> None:
    """[CHT 9.2] To the team's tricks, with none below nothing."""
    table = asked_for_splits(split=ANY)
    reason, facts = why(table, TORY, Split(own, partners))
    if own + partners == 5:
        assert (reason, facts) == ("SPLIT_NOT_ALLOWED", {"least": 0, "most": 5})
    else:
        assert (reason, facts) == ("SPLIT_DOES_NOT_ADD_UP", {"total": 5})


def test_only_opponents_are_accused() -> None:
    """[CHT 9.5] The partner's play is as one's own."""
    table = played(laid_out(["H1", "H2", "H3", "H4"], options=Options(teams=True, reneging=CATCHABLE)), "H4 H3")
    assert why(table, TORY, Accuse(1, 1, RAMONA), window=0) == ("OWN_PLAY", {"seat": RAMONA})
    assert beside(table, TORY, Accuse(1, 1, SARA)).accusations


def test_the_first_word_of_a_team_stands() -> None:
    """[CHT 9.6] By seats, whoever speaks; the second partner is too late, the other team still has its own word."""
    table = by(asked_for_splits(), RAMONA, Split(own=1, partners=4))
    assert (table.splits[0].team, table.splits[0].tricks) == (0, (4, 1))
    assert asked(table) == [RODNEY, SARA]
    assert why(table, TORY, Split(3, 2))[0] == "WINDOW_CLOSED"
    events = decided(table, RODNEY, Split(own=1, partners=8))
    assert events[0] == TricksSplit(team=1, tricks=(1, 8), seat=RODNEY)
    assert only(events, RoundPlayed).facts.splits == ((4, 1), (1, 8))
    window = table.closed + 1
    assert why(by(table, SARA, Split(5, 4)), RODNEY, Split(4, 5), window)[0] == "WINDOW_CLOSED"


def test_silence_of_one_partner_leaves_the_word_to_the_other() -> None:
    """[CHT 9.6] Of both: nothing is said, and the facts say so."""
    table = by(asked_for_splits(), TORY, LeaveSplit())
    assert asked(table) == [RODNEY, RAMONA, SARA]
    assert why(table, TORY, Split(4, 1))[0] == "WINDOW_CLOSED"
    spoken = by(table, RAMONA, Split(1, 4))
    assert spoken.splits[0].tricks == (4, 1)
    events = timed_out(table, RAMONA)
    assert events == (SplitLeft(RAMONA, by_engine=True), TricksSplit(team=0, tricks=()))
    table = by(by(table, RAMONA, LeaveSplit()), RODNEY, LeaveSplit())
    assert only(timed_out(table, SARA), RoundPlayed).facts.splits == ((), ())


def test_seconds_for_a_split_are_an_option() -> None:
    """[CHT 9.6] Fifteen if nothing else was agreed on."""
    table = asked_for_splits()
    for options, seconds in ((table.options, 15), (replace(table.options, split_seconds=40), 40)):
        asked_for = CHEAT_TRICK.actors(replace(table, options=options))
        assert [question.seconds for question in asked_for] == [seconds] * 4


def test_a_team_without_a_choice_is_not_asked() -> None:
    """[CHT 9.7] Nobody of seats 0 and 2 is above its bid; then neither of seats 1 and 3, and the round is over."""
    table = asked_for_splits((3, 4, 1, 5), {TORY: 4, SARA: 6})
    assert (asked(table), table.splits[0].tricks) == ([RODNEY, SARA], (3, 1))
    events = events_of(at_the_split((7, 1, 0, 5), {TORY: 9, SARA: 10}), *plays("H4 H3 H2 H1"))
    assert [type(event) for event in events[-4:]] == [SplitsAsked, TricksSplit, TricksSplit, RoundPlayed]


def test_facts_of_a_team_round() -> None:
    """[CHT 9.8] The scoring table learns the rule of the split, and what was said."""
    table = by(asked_for_splits(), TORY, Split(4, 1))
    facts = only(decided(table, SARA, Split(8, 1)), RoundPlayed).facts
    assert (facts.bids, facts.pass_order, facts.tricks) == ((4, 1, 1, 5), (3, 2, 1, 0), (3, 4, 2, 5))
    assert (facts.split_rule, facts.splits) == (1, ((4, 1), (1, 8)))
    assert by(table, SARA, Split(8, 1)).phase is Phase.SCORING
