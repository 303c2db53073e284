"""The reaction window: who has finished, who still may defend, and when it closes. [CH 5, 6]"""

from engine_service.rules.game import Seat

from .state import Phase, State


def has_finished(state: State, seat: Seat) -> bool:
    """Return whether a seat has nothing to drop any more; while the least reaction time runs, nobody has. [CH 5.5]"""
    return state.time_over and has_dropped(state, seat)


def has_dropped(state: State, seat: Seat) -> bool:
    """Return whether a seat has dropped, or has no cards. [CH 5.4]"""
    return state.down[seat] or not state.hands[seat]


def is_choosing(state: State, seat: Seat) -> bool:
    """Return whether a seat chooses what to keep in a Cheese Vault; without a card left there is no choice. [CH 6.4]"""
    return state.phase is Phase.REACTION and state.vault_windows[seat] != 0 and not has_dropped(state, seat)


def too_late(state: State, seat: Seat) -> bool:
    """Return whether a Defence of this seat would be wasted: all others have finished. [CH 6.2]"""
    return all(has_finished(state, other) for other in range(state.seats) if other != seat)


def may_defend(state: State, seat: Seat) -> bool:
    """Return whether the window is open to a seat that holds cards, kept ones included. [CH 6.1, 6.7]"""
    return state.phase is Phase.REACTION and bool(state.hands[seat])


def is_complete(state: State) -> bool:
    """Return whether the window closes. [CH 5.4, 5.5]"""
    return all(has_finished(state, seat) for seat in range(state.seats))
