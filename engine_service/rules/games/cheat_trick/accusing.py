"""Accusations: which plays may be accused, and what right ones move in the end. [CHT 6]"""

from engine_service.rules.game import Seat

from .actions import Accuse
from .following import tricks_so_far
from .options import CATCHABLE
from .seating import after, partner_of
from .state import Phase, State


def may_accuse(state: State, seat: Seat) -> bool:
    """Return whether a seat still has the right to accuse: reneges can be caught, and it was never wrong this round."""
    open_now = state.phase in (Phase.TRICKS, Phase.LAST_QUESTION) and seat not in state.silent
    return open_now and state.options.reneging == CATCHABLE and not was_wrong(state, seat)


def was_wrong(state: State, seat: Seat) -> bool:
    """Return whether a seat accused wrongly this round. [CHT 6.6]"""
    return any(accusation.accuser == seat and not accusation.right for accusation in state.accusations)


def is_own(state: State, accuser: Seat, seat: Seat) -> bool:
    """Return whether a seat's plays are the accuser's own, or its partner's. [CHT 6.3, 9.5]"""
    return seat == accuser or (state.options.teams and seat == partner_of(accuser))


def spent(state: State) -> set[Accuse]:
    """Return the plays that were accused rightly before. [CHT 6.5]"""
    return {Accuse(state.round, made.trick, made.seat) for made in state.accusations if made.right}


def plays_made(state: State) -> tuple[Accuse, ...]:
    """Return every play of the round, in the order they were made."""
    return tuple(
        [
            Accuse(state.round, number, after(leader, state.seats, position))
            for number, (leader, cards) in enumerate(tricks_so_far(state), 1)
            for position in range(len(cards))
        ]
    )


def accusable(state: State, seat: Seat) -> tuple[Accuse, ...]:
    """Return the plays that a seat may accuse now, whatever the truth. [CHT 6.3, 6.4]"""
    if not may_accuse(state, seat):
        return ()
    out = spent(state)
    return tuple([play for play in plays_made(state) if play not in out and not is_own(state, seat, play.seat)])


def asked_last(state: State) -> tuple[Seat, ...]:
    """Return who is asked whether it accuses anybody else, after the last trick. [CHT 6.7]"""
    return tuple([seat for seat in range(state.seats) if accusable(state, seat)])


def settled(state: State) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Return the tricks of each seat when right accusations moved theirs, in their order, and which did. [CHT 6.8]"""
    tricks, gave = list(state.won), []
    for accusation in state.accusations:
        moves = accusation.right and tricks[accusation.seat] > 0
        tricks[accusation.seat] -= moves
        tricks[accusation.accuser] += moves
        gave.append(moves)
    return tuple(tricks), tuple(gave)
