"""[CHT 4] Bidding."""

import pytest

from engine_service.rules.games.cheat_trick.actions import Pass, Raise
from engine_service.rules.games.cheat_trick.bidding import bid_of
from engine_service.rules.games.cheat_trick.events import BiddingEnded, BidRaised, Passed
from engine_service.rules.games.cheat_trick.projection import public
from engine_service.rules.games.cheat_trick.state import Phase

from .tabletop import asked, bidding, called, events_of, offered, only, why


def calls(text: str) -> list[Pass | Raise]:
    return [Pass() if call == "pass" else Raise(int(call)) for call in text.split()]


def test_turns_run_counter_clockwise_and_over_those_who_passed() -> None:
    """[CHT 4.1] Raise or pass, nobody out of turn."""
    table = bidding()
    turns = [
        asked(called(table, so_far))[0] for so_far in ("", "2", "2 pass", "2 pass 3", "2 pass 3 4", "2 pass 3 4 5")
    ]
    assert turns == [3, 2, 1, 0, 3, 1]
    assert why(called(table, "2"), 3, Raise(3)) == ("NOT_YOUR_TURN", {"asked_seat": 2, "window": 2})


def test_the_bid_opens_at_one() -> None:
    """[CHT 4.2] A first raise to 1 is none; who never raises has 1."""
    assert why(bidding(), 3, Raise(1)) == ("BID_OUT_OF_RANGE", {"bid": 1, "least": 2, "most": 14})
    assert only(events_of(bidding(), *calls("pass pass pass pass")), BiddingEnded).bids == (1, 1, 1, 1)


@pytest.mark.parametrize("seats", [3, 4])
def test_how_far_a_raise_may_go(seats: int) -> None:
    """[CHT 4.3] To any number above the standing bid, up to the number of tricks."""
    most = {3: 19, 4: 14}[seats]
    table = called(bidding(seats), "5")
    seat = asked(table)[0]
    for refused in (-1, 0, 5, most + 1):
        assert why(table, seat, Raise(refused)) == ("BID_OUT_OF_RANGE", {"bid": refused, "least": 6, "most": most})
    for bid in (6, 7, most - 1):
        assert only(events_of(table, Raise(bid)), BidRaised) == BidRaised(seat, bid)


def test_who_passed_is_out() -> None:
    """[CHT 4.4] It keeps its last bid and is not asked again; a raise after passing is refused."""
    table = called(bidding(), "2 3 4 5 pass")
    assert why(table, 3, Raise(6))[0] == "NOT_YOUR_TURN"
    assert why(called(table, "6"), 3, Raise(7))[0] == "NOT_YOUR_TURN"
    assert bid_of(table.calls, 3) == 2


def test_the_last_one_in_has_one_more_turn() -> None:
    """[CHT 4.5] It may raise itself once or pass; either way that was it."""
    table = called(bidding(), "2 3 pass pass pass")
    assert asked(table) == [2]
    stays = events_of(table, Pass())
    assert [type(event) for event in stays] == [Passed, BiddingEnded]
    raises = events_of(table, Raise(6))
    assert [type(event) for event in raises] == [BidRaised, Passed, BiddingEnded]
    assert only(raises, Passed).by_engine
    assert only(raises, BiddingEnded).bids == (1, 1, 6, 2)
    after = called(table, "6")
    assert (after.phase, why(after, 2, Raise(7))[0]) == (Phase.TRICKS, "NOT_YOUR_TURN")


def test_the_last_one_in_may_never_have_bid() -> None:
    """[CHT 4.5] All others passed at once."""
    table = called(bidding(), "pass pass pass")
    assert asked(table) == [0]
    assert only(events_of(table, Raise(4)), BiddingEnded).bids == (4, 1, 1, 1)


@pytest.mark.parametrize(
    ("seats", "made", "order"), [(4, "2 pass 3 4 pass 5 pass pass", (2, 3, 0, 1)), (3, "pass 2 pass pass", (2, 0, 1))]
)
def test_trick_values(seats: int, made: str, order: tuple[int, ...]) -> None:
    """[CHT 4.6] By the order of passing; views show it as soon as a seat passed."""
    table = bidding(seats)
    assert only(events_of(table, *calls(made)), BiddingEnded).pass_order == order
    after = public(called(table, made))
    assert [after.seats[seat].passed_as for seat in order] == list(range(1, seats + 1))
    assert public(table).seats[0].passed_as == 0


def test_who_can_only_pass_is_passed() -> None:
    """[CHT 4.7] After the highest bid all others are, in turn, and the bidder itself last; the record shows it."""
    events = events_of(called(bidding(), "2"), Raise(14))
    assert events[1:5] == [Passed(seat, by_engine=True) for seat in (1, 0, 3, 2)]
    assert only(events, BiddingEnded) == BiddingEnded((1, 1, 14, 2), (1, 0, 3, 2))


def test_offers_of_a_bidder() -> None:
    """[CHT 4.3] One range and a pass."""
    table = called(bidding(), "4")
    (passes, raises) = offered(table, 2)
    assert (passes, raises.least, raises.most) == (Pass(), 5, 14)
