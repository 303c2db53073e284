"""Splits: how a team may say which of its tricks count for whom. [CHT 9]"""

from engine_service.rules.game import Seat

from .actions import MaySplit
from .bidding import bid_of
from .options import EXTRAS
from .seating import TEAMS, partner_of, team_of
from .state import Phase, State


def split_for(state: State, seat: Seat) -> MaySplit:
    """Return what a seat may say of its team's tricks. [CHT 9.3, 9.4]"""
    partner = partner_of(seat)
    total = state.won[seat] + state.won[partner]
    if state.options.split != EXTRAS:
        return MaySplit(least=0, most=total, total=total)
    return MaySplit(least=_kept(state, seat), most=total - _kept(state, partner), total=total)


def _kept(state: State, seat: Seat) -> int:
    """Return the tricks that a seat cannot give away: those up to its own bid."""
    return min(state.won[seat], bid_of(state.calls, seat))


def has_choice(state: State, team: int) -> bool:
    """Return whether more than one split is possible for a team."""
    split = split_for(state, TEAMS[team][0])
    return split.least < split.most


def is_settled(state: State, team: int) -> bool:
    """Return whether a team's split is known."""
    return any(split.team == team for split in state.splits)


def asked_to_split(state: State) -> tuple[Seat, ...]:
    """Return the partners that may still speak. [CHT 9.6]"""
    if state.phase is not Phase.SPLIT:
        return ()
    return tuple(
        [seat for seat in range(state.seats) if seat not in state.silent and not is_settled(state, team_of(seat))]
    )


def by_team(state: State) -> tuple[tuple[int, ...], ...]:
    """Return what each team said, for the facts of the round."""
    said = {split.team: split.tricks for split in state.splits}
    return tuple(said[team] for team in range(len(TEAMS)))
