"""The scoring table of Cheat Trick: the article's examples, splits and accusations, places, and what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from scoring_service.tables import cheat_trick
from scoring_service.tables.game_table import FactsMalformed, PlayedRound

TORY, RODNEY, RAMONA, SARA = range(4)
EXTRAS, ANY = cheat.SPLIT_RULE_EXTRAS, cheat.SPLIT_RULE_ANY
NOTHING: list[int] = []


def facts(
    bids: list[int],
    passed: list[int],
    tricks: list[int],
    *accusations: cheat.Accusation,
    rule: cheat.SplitRule = cheat.SPLIT_RULE_UNSPECIFIED,
    splits: tuple[list[int], ...] = (),
) -> cheat.RoundFacts:
    return cheat.RoundFacts(
        bids=bids,
        pass_order=passed,
        tricks=tricks,
        accusations=accusations,
        split_rule=rule,
        splits=[cheat.TeamSplit(tricks=split) for split in splits],
    )


def caught(accuser: int, seat: int, gave: bool = True) -> cheat.Accusation:
    return cheat.Accusation(accuser=accuser, seat=seat, trick=1, right=True, gave=gave)


def own_points(of: cheat.RoundFacts) -> list[int]:
    return [seat.points for seat in cheat_trick.score(of).detail.cheat_trick.seats]


def test_the_individual_example() -> None:
    """Sara passes first with one, Tory second with one, Rodney third with two, Ramona last with three. Their tricks add
    up to 13, which is a slip; the points are as printed."""
    example = facts([1, 2, 3, 1], [SARA, TORY, RODNEY, RAMONA], [6, 2, 5, 0])
    assert cheat_trick.score(example).points == (10, 0, 8, -1)


@pytest.mark.parametrize("splits", [([4, 1], [1, 8]), (NOTHING, NOTHING), ([4, 1], NOTHING)])
def test_the_team_example(splits: tuple[list[int], ...]) -> None:
    """Ramona gives Tory her extra trick: 0 together. Rodney gives Sara his three: 12. The best splits are the same."""
    bids, passed, tricks = [4, 1, 1, 5], [RODNEY, RAMONA, TORY, SARA], [3, 4, 2, 5]
    example = facts(bids, passed, tricks, rule=EXTRAS, splits=splits)
    assert cheat_trick.score(example).points == (0, 12, 0, 12)
    assert own_points(example) == [0, 0, 0, 12]


def test_three_players() -> None:
    """Nineteen tricks, values one to three."""
    assert cheat_trick.score(facts([2, 1, 9], [1, 0, 2], [4, 5, 10])).points == (4, 4, 3)


def test_accusations_move_tricks_before_they_are_counted() -> None:
    """One from Tory to Sara; what could not be given moves nothing."""
    moved = facts([1, 1, 1, 1], [0, 1, 2, 3], [6, 3, 5, 0], caught(SARA, TORY), caught(RODNEY, SARA, gave=False))
    assert [seat.tricks for seat in cheat_trick.score(moved).detail.cheat_trick.seats] == [5, 3, 5, 1]
    assert cheat_trick.score(moved).points == (4, 4, 12, 0)


def test_any_split_gives_all_to_the_better_seat() -> None:
    """With nothing said, Sara's tricks are worth four and get all nine; with extras she would get eight."""
    bids, passed, tricks = [4, 1, 1, 5], [RODNEY, RAMONA, TORY, SARA], [3, 4, 2, 5]
    free = facts(bids, passed, tricks, rule=ANY, splits=(NOTHING, NOTHING))
    assert [seat.tricks for seat in cheat_trick.score(free).detail.cheat_trick.seats] == [5, 0, 0, 9]
    assert own_points(free) == [3, -1, -2, 16]


@given(st.permutations(range(4)), st.data())
def test_the_best_split_is_the_best(passed: list[int], data: st.DataObject) -> None:
    """No split that may be said brings more."""
    bids = data.draw(st.lists(st.integers(1, 14), min_size=4, max_size=4))
    tricks = data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
    rule = data.draw(st.sampled_from([EXTRAS, ANY]))
    best = cheat_trick.score(facts(bids, passed, tricks, rule=rule, splits=(NOTHING, NOTHING))).points
    for own in range(tricks[0] + tricks[2] + 1):
        try:
            split = [own, tricks[0] + tricks[2] - own]
            said = cheat_trick.score(facts(bids, passed, tricks, rule=rule, splits=(split, NOTHING))).points
        except FactsMalformed:
            continue
        assert said[0] <= best[0]


def test_places() -> None:
    """Most points of all rounds, also below nothing; who ties shares: partners always do."""

    def places(*rounds: tuple[int, ...]) -> tuple[int, ...]:
        return cheat_trick.rank([PlayedRound(cheat.RoundFacts(), points) for points in rounds])

    assert places((10, 0, 8, -1), (-20, 0, 0, 1)) == (4, 2, 1, 2)
    assert places((0, 12, 0, 12)) == (3, 1, 3, 1)
    assert places((-5, -5, -5)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("malformed", "field"),
    [
        (facts([1, 1], [0, 1], [1, 1]), "bids"),
        (facts([1, 1, 20], [0, 1, 2], [1, 1, 1]), "bids"),
        (facts([1, 0, 1], [0, 1, 2], [1, 1, 1]), "bids"),
        (facts([1, 1, 1], [0, 1, 1], [1, 1, 1]), "pass_order"),
        (facts([1, 1, 1], [0, 1], [1, 1, 1]), "pass_order"),
        (facts([1, 1, 1], [0, 1, 2], [1, 1]), "tricks"),
        (facts([1, 1, 1], [0, 1, 2], [9, 9, 9]), "tricks"),
        (facts([1, 1, 1], [0, 1, 2], [-1, 1, 1]), "tricks"),
        (facts([1, 1, 1], [0, 1, 2], [1, 1, 1], caught(1, 1)), "accusations[0]"),
        (facts([1, 1, 1], [0, 1, 2], [1, 1, 1], caught(1, 3)), "accusations[0]"),
        (facts([1, 1, 1], [0, 1, 2], [1, 0, 1], caught(0, 1)), "accusations"),
        (facts([1, 1, 1], [0, 1, 2], [1, 1, 1], cheat.Accusation(seat=1, gave=True)), "accusations[0].gave"),
        (facts([1, 1, 1], [0, 1, 2], [1, 1, 1], rule=ANY, splits=([], [])), "split_rule"),
        (facts([1] * 4, [0, 1, 2, 3], [3] * 4, splits=([], [])), "split_rule"),
        (facts([1] * 4, [0, 1, 2, 3], [3] * 4, rule=ANY), "splits"),
        (facts([1] * 4, [0, 1, 2, 3], [3] * 4, rule=ANY, splits=([3, 4], [])), "splits[0].tricks"),
        (facts([1] * 4, [0, 1, 2, 3], [3] * 4, rule=ANY, splits=([], [6])), "splits[1].tricks"),
        (facts([2] * 4, [0, 1, 2, 3], [3] * 4, rule=EXTRAS, splits=([1, 5], [])), "splits[0].tricks"),
        (facts([2] * 4, [0, 1, 2, 3], [3] * 4, rule=ANY, splits=([-1, 7], [])), "splits[0].tricks"),
    ],
)
def test_what_no_round_can_have_been(malformed: cheat.RoundFacts, field: str) -> None:
    with pytest.raises(FactsMalformed) as caught_:
        cheat_trick.score(malformed)
    assert caught_.value.field == field
