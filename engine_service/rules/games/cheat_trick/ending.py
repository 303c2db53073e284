"""How a round ends: the last question, what accusations move, splits, the facts that are scored. [CHT 6.7, 6.8, 9]"""

from functools import reduce

from .accusing import asked_last, settled
from .bidding import bid_of, pass_order
from .events import Event, LastQuestionAsked, RoundPlayed, SplitsAsked, TricksSettled, TricksSplit
from .evolve import evolve
from .facts import AccusationFact, RoundFacts
from .options import CATCHABLE
from .seating import TEAMS
from .splits import by_team, has_choice, is_settled
from .state import State

Events = tuple[Event, ...]


def after_last_trick(state: State) -> Events:
    """Return what comes when all cards are played."""
    if state.options.reneging != CATCHABLE:
        return _splits(state)
    asked = evolve(state, LastQuestionAsked())
    return (LastQuestionAsked(), *(() if asked_last(asked) else settlement(asked)))


def settlement(state: State) -> Events:
    """Return what comes when nobody accuses any more."""
    moved = TricksSettled(*settled(state))
    return (moved, *_splits(evolve(state, moved)))


def _splits(state: State) -> Events:
    """Ask the teams; who has but one split to choose from is not asked. [CHT 9.7]"""
    if not state.options.teams:
        return (_round_played(state),)
    as_won = tuple(
        TricksSplit(team, tuple(state.won[seat] for seat in TEAMS[team]))
        for team in range(len(TEAMS))
        if not has_choice(state, team)
    )
    events: Events = (SplitsAsked(), *as_won)
    return (*events, *_unless_asked(reduce(evolve, events, state)))


def after_split(state: State) -> Events:
    """Return what comes when a partner spoke, or left it: both silent, nothing is said. [CHT 9.6]"""
    nothing = tuple(
        TricksSplit(team, ())
        for team, seats in enumerate(TEAMS)
        if not is_settled(state, team) and all(seat in state.silent for seat in seats)
    )
    return (*nothing, *_unless_asked(reduce(evolve, nothing, state)))


def _unless_asked(state: State) -> Events:
    return (_round_played(state),) if len(state.splits) == len(TEAMS) else ()


def _round_played(state: State) -> RoundPlayed:
    won = [trick.winner for trick in state.tricks]
    facts = RoundFacts(
        bids=tuple(bid_of(state.calls, seat) for seat in range(state.seats)),
        pass_order=pass_order(state.calls),
        tricks=tuple(won.count(seat) for seat in range(state.seats)),
        accusations=tuple(
            AccusationFact(made.accuser, made.seat, made.trick, made.right, gave)
            for made, gave in zip(state.accusations, state.gave, strict=True)
        ),
        split_rule=state.options.split if state.options.teams else 0,
        splits=by_team(state) if state.options.teams else (),
    )
    return RoundPlayed(state.round, last=state.round == state.rounds, facts=facts)
