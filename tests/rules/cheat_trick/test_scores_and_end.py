"""[CHT 8, 9.8] What the points of a round bring, and how a game ends."""

import pytest

from engine_service.rules.game import IllegalMove
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.events import (
    DealRevealed,
    GameEnded,
    PacketDealt,
    RoundPlayed,
    RoundScored,
    RoundStarted,
    VetoedDealsRevealed,
)
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.state import Phase
from tests.rules.kits import KITS
from tests.rules.walks import Step, walk


def steps(options: Options = Options(), seats: int = 4, seed: bytes = bytes(32)) -> list[Step]:  # noqa: B008
    return list(walk(CHEAT_TRICK, options, seats, seed))


def test_a_round_that_is_played_waits_for_its_points() -> None:
    """[CHT 8.2] Nobody is asked; points of another round are refused; then the next deal comes with them."""
    played = next(step for step in steps() if isinstance(step.events[-1], RoundPlayed))
    ended = CHEAT_TRICK.round_ended(played.events[-1])
    assert ended is not None
    assert CHEAT_TRICK.actors(played.state) == ()
    scores = KITS["cheat_trick"].score(played.state, ended)
    events = CHEAT_TRICK.decide(played.state, scores)
    assert [type(event) for event in events] == [RoundScored, DealRevealed, RoundStarted, PacketDealt]
    with pytest.raises(IllegalMove, match="WINDOW_CLOSED"):
        CHEAT_TRICK.decide(played.state, type(scores)(2, scores.points, scores.totals, (), scores.detail))


def test_what_a_scored_round_says() -> None:
    """[CHT 8.1] Bid, value, tricks and points of each seat: tricks less bid, times value."""
    for step in steps(Options(reneging=2)):
        for event in step.events:
            if isinstance(event, RoundScored):
                for seat in event.score.seats:
                    assert seat.own_points == seat.points == (seat.counted - seat.bid) * seat.trick_value
                assert sum(seat.counted for seat in event.score.seats) == 14
                assert sorted(seat.trick_value for seat in event.score.seats) == [1, 2, 3, 4]


def test_partners_have_the_points_of_their_team() -> None:
    """[CHT 9.8] And so the same place."""
    last = steps(Options(teams=True))[-1]
    for score in last.state.scored:
        for seat, partner in ((0, 2), (1, 3)):
            both = score.seats[seat].own_points + score.seats[partner].own_points
            assert score.seats[seat].points == score.seats[partner].points == both
    assert sorted(last.state.places) in ([1, 1, 3, 3], [1, 1, 1, 1])


@pytest.mark.parametrize("seats", [3, 4])
def test_the_end(seats: int) -> None:
    """[CHT 8.3] After the last round the vetoed deals are opened, places are given, and nobody is asked any more."""
    last = steps(seats=seats)[-1]
    assert [type(event) for event in last.events] == [RoundScored, DealRevealed, VetoedDealsRevealed, GameEnded]
    order = sorted(last.state.totals, reverse=True)
    assert last.state.places == tuple(order.index(total) + 1 for total in last.state.totals)
    assert last.state.phase is Phase.OVER
    assert CHEAT_TRICK.is_over(last.state)
