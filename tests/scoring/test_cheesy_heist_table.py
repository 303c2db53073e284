"""The scoring table of Cheesy Heist: who wins, who shares, when everyone loses, and what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard.scoring.v1 import scoring_pb2
from scoring_service.leaderboard import standing
from scoring_service.tables import cheesy_heist
from scoring_service.tables.game_table import FactsMalformed, PlayedRound
from service_runtime.redis_connection import RedisConnection
from tests.scoring.at_work import TABLE, board_of, ledger_on
from tests.scoring.rounds import round_ended, taken


def facts(*hands: tuple[int, int], last_drop: bool = True, goal: int = 5) -> heist.RoundFacts:
    """Facts of a game: (Cheese, Cats) by seat."""
    cheese, cats = [hand[0] for hand in hands], [hand[1] for hand in hands]
    return heist.RoundFacts(cheese=cheese, cats=cats, goal=goal, last_drop=last_drop)


def result(*hands: tuple[int, int], last_drop: bool = True) -> tuple[list[int], list[int]]:
    """Points and places."""
    of = facts(*hands, last_drop=last_drop)
    points = cheesy_heist.score(of).points
    return list(points), list(cheesy_heist.rank([PlayedRound(of, points)]))


def test_the_goal_wins() -> None:
    assert result((5, 0), (3, 0), (6, 1), last_drop=False) == ([1, 0, 0], [1, 2, 3])


def test_of_two_who_reach_it_the_one_with_more_wins() -> None:
    """The other is second, not first."""
    assert result((5, 0), (6, 0), last_drop=False) == ([0, 1], [2, 1])


def test_a_tie_is_a_shared_win() -> None:
    """And the next place is left out."""
    assert result((5, 0), (5, 0), (1, 0), last_drop=False) == ([1, 1, 0], [1, 1, 3])
    assert list(cheesy_heist.score(facts((5, 0), (5, 0))).detail.cheesy_heist.winners) == [0, 1]


def test_after_the_last_drop_the_most_cheese_without_a_cat_wins() -> None:
    assert result((2, 0), (1, 0), (9, 1), (0, 2)) == ([1, 0, 0, 0], [1, 2, 3, 4])
    assert result((0, 0), (9, 1)) == ([1, 0], [1, 2])


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everyone_loses(seats: int) -> None:
    """All share the last place, whatever their Cheese."""
    assert result(*[(seat, 1) for seat in range(seats)]) == ([0] * seats, [seats] * seats)


def test_places_without_a_cat_come_before_those_with_one() -> None:
    assert result((2, 0), (0, 0), (5, 1), (5, 1), (0, 0))[1] == [1, 2, 4, 4, 2]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=5))
def test_places_are_those_of_the_merits(hands: list[tuple[int, int]]) -> None:
    """Winners are first and nobody else is; more Cheese with as many Cats is never worse."""
    points, places = result(*hands)
    for seat, (cheese, cats) in enumerate(hands):
        assert (places[seat] == 1) == (points[seat] == 1)
        for other, (more, as_many) in enumerate(hands):
            if sum(points) and more >= cheese and bool(as_many) == bool(cats):
                assert places[other] <= places[seat]


@pytest.mark.parametrize(
    ("malformed", "field"),
    [
        (facts((5, 0)), "cheese"),
        (facts(*[(1, 0)] * 6), "cheese"),
        (facts((-1, 0), (5, 0)), "cheese"),
        (facts((9, 0), (8, 0)), "cheese"),
        (facts((5, 7), (5, 6)), "cats"),
        (heist.RoundFacts(cheese=[1, 2], cats=[1], goal=5, last_drop=True), "cats"),
        (facts((5, 0), (1, 0), goal=0), "goal"),
        (facts((5, 0), (1, 0), goal=17), "goal"),
        (facts((4, 0), (5, 1), last_drop=False), "last_drop"),
    ],
)
def test_facts_that_cannot_be(malformed: heist.RoundFacts, field: str) -> None:
    with pytest.raises(FactsMalformed) as caught:
        cheesy_heist.score(malformed)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("hands", "wins"), [(((5, 0), (1, 0)), [1, 0]), (((5, 0), (5, 0)), [1, 1]), (((5, 1), (1, 1)), [0, 0])]
)
async def test_wins_shared_wins_and_none_are_counted(
    connection: RedisConnection, hands: tuple[tuple[int, int], ...], wins: list[int]
) -> None:
    """On the leaderboard of this game; where everyone loses the game counts, and nobody has won it."""
    ended = round_ended(TABLE, 1, (6, 4), last=True)
    ended.game = "cheesy_heist"
    ended.facts.CopyFrom(scoring_pb2.RoundFacts(cheesy_heist=facts(*hands)))
    await ledger_on(connection).record(await taken(connection, ended))
    assert (await board_of(connection, TABLE)).game == "cheesy_heist"
    found = [await standing(connection, "cheesy_heist", player) for player in ("p-a", "p-b")]
    assert [(each.games, each.wins) for each in found if each is not None] == [(1, won) for won in wins]
    assert await standing(connection, "cheez_tricks", "p-a") is None
