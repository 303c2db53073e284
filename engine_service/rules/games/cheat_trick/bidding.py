"""Bidding, read from the calls that were made. [CHT 4]"""

from collections.abc import Sequence

from engine_service.rules.game import Seat

from .cards import TRICKS
from .seating import next_among
from .state import Call, Phase, State

LOWEST_BID = 1
"""What the standing bid opens at, and the bid of whoever never raised."""


def standing_bid(calls: Sequence[Call]) -> int:
    """Return the bid that a raise must exceed."""
    return max((call.tricks for call in calls if call.tricks is not None), default=LOWEST_BID)


def bid_of(calls: Sequence[Call], seat: Seat) -> int:
    """Return what a seat has bid: its last raise, or the lowest bid."""
    return max((call.tricks for call in calls if call.seat == seat and call.tricks is not None), default=LOWEST_BID)


def pass_order(calls: Sequence[Call]) -> tuple[Seat, ...]:
    """Return who passed, in order. The place of a seat in it, from 1, is what its tricks are worth. [CHT 4.6]"""
    return tuple(call.seat for call in calls if call.tricks is None)


def bidder(state: State) -> Seat | None:
    """Return whose turn it is to bid; None when everybody passed."""
    passed = pass_order(state.calls)
    still_in = [seat for seat in range(state.seats) if seat not in passed]
    if not still_in:
        return None
    return next_among(still_in, state.calls[-1].seat, state.seats) if state.calls else state.leader


def can_only_pass(state: State, seat: Seat) -> bool:
    """Return whether a bidder has nothing to choose: nothing is above the standing bid, or it was the last one in
    already and has raised itself. [CHT 4.5, 4.7]"""
    alone = len(pass_order(state.calls)) == state.seats - 1
    raised_itself = alone and state.calls[-1] == Call(seat, standing_bid(state.calls))
    return raised_itself or standing_bid(state.calls) == TRICKS[state.seats]


def asked_to_bid(state: State) -> Seat | None:
    """Return who is asked to bid, if anyone is."""
    return bidder(state) if state.phase is Phase.BID else None
