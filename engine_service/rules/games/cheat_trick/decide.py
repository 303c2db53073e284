"""What becomes of a command: events, or a refusal that changes nothing."""

from collections.abc import Callable

from engine_service.rules.game import Move, RecordScores, Seat, TimeOut

from .accusing import asked_last
from .actions import Accuse, Action, Declare, Done, Knock, LeaveSplit, Pass, PlayCard, Raise, Split, Vote
from .asking import default, offers, permits, trick_number, voters
from .bidding import bid_of, bidder, can_only_pass, pass_order
from .cards import TRICKS, ranks
from .dealing import next_deal, rest_of_deal
from .ending import after_last_trick, after_split, settlement
from .events import (
    AccusationMade,
    AccusingDone,
    BiddingEnded,
    BidRaised,
    CardPlayed,
    Declared,
    Event,
    Knocked,
    Passed,
    SplitLeft,
    TricksSplit,
    TrickWon,
    Voted,
)
from .evolve import evolve
from .following import reneged, winner
from .refusals import out_of_turn, refusal
from .scoring import record_scores
from .seating import team_of
from .state import Phase, State

Events = tuple[Event, ...]


def decide(state: State, command: Move[Action] | TimeOut | RecordScores) -> Events:
    """Return what a command brings about, or raise IllegalMove. Every accepted command yields at least one event."""
    if isinstance(command, Move):
        return _move(state, command)
    if isinstance(command, TimeOut):
        return _time_out(state, command)
    return record_scores(state, command)


def _move(state: State, move: Move[Action]) -> Events:
    if not any(permits(offer, move) for offer in offers(state, move.seat)):
        raise refusal(state, move)
    return _done(state, move.seat, move.action, by_engine=False)


def _time_out(state: State, command: TimeOut) -> Events:
    not_asked = out_of_turn(state, command.seat, command.window)
    if not_asked is not None:
        raise not_asked
    assert command.seat is not None, "this game has no pauses"
    return _done(state, command.seat, default(state, command.seat), by_engine=True)


def _done(state: State, seat: Seat, action: Action, by_engine: bool) -> Events:
    """Return the event that an action is, and all that follows from it."""
    match action:
        case Declare(phrase=phrase, suit=suit):
            return (Declared(seat, phrase, suit),)
        case Vote(veto=veto):
            return _followed(state, Voted(seat, veto, by_engine), _after_vote)
        case Raise(tricks=tricks):
            return _followed(state, BidRaised(seat, tricks), _after_call)
        case Pass():
            return _followed(state, Passed(seat, by_engine), _after_call)
        case PlayCard(card=card):
            return _followed(state, CardPlayed(seat, card, by_engine), _after_card)
        case Knock():
            return (Knocked(trick_number(state), seat),)
        case Accuse(trick=trick, seat=accused):
            verdict = AccusationMade(seat, accused, trick, right=reneged(state, trick, accused))
            return _followed(state, verdict, _after_accusing)
        case Done():
            return _followed(state, AccusingDone(seat, by_engine), _after_accusing)
        case Split(own=own, partners=partners):
            team = team_of(seat)
            by_seat = (own, partners) if seat == team else (partners, own)
            return _followed(state, TricksSplit(team, by_seat, seat), after_split)
        case LeaveSplit():
            return _followed(state, SplitLeft(seat, by_engine), after_split)


def _followed(state: State, event: Event, then: Callable[[State], Events]) -> Events:
    return (event, *then(evolve(state, event)))


def _after_vote(state: State) -> Events:
    if state.vetoed and (state.vetoed[-1].round, state.vetoed[-1].deal) == (state.round, state.deal):
        return next_deal(state)
    return (rest_of_deal(state),) if len(state.voted) == len(voters(state)) else ()


def _after_call(state: State) -> Events:
    """Return the passes of those who can do nothing else, and the end of bidding. [CHT 4.7]"""
    seat = bidder(state)
    if seat is None:
        bids = tuple(bid_of(state.calls, each) for each in range(state.seats))
        return (BiddingEnded(bids, pass_order(state.calls)),)
    return _followed(state, Passed(seat, by_engine=True), _after_call) if can_only_pass(state, seat) else ()


def _after_card(state: State) -> Events:
    if len(state.plays) < state.seats:
        return ()
    rank_of = ranks(state.options.maternal_suits)
    taker = winner(state.leader, state.plays, state.trump, rank_of, state.seats)
    return _followed(state, TrickWon(trick_number(state), taker), _after_trick)


def _after_trick(state: State) -> Events:
    return after_last_trick(state) if len(state.tricks) == TRICKS[state.seats] else ()


def _after_accusing(state: State) -> Events:
    over = state.phase is Phase.LAST_QUESTION and not asked_last(state)
    return settlement(state) if over else ()
