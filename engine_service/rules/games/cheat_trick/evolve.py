"""What each event does to the state. No rules are here: an event says what became of things, this writes it down."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from .events import (
    AccusationMade,
    AccusingDone,
    BiddingEnded,
    BidRaised,
    CardPlayed,
    DealCompleted,
    DealRevealed,
    Declared,
    Event,
    GameEnded,
    GameStarted,
    Knocked,
    LastQuestionAsked,
    PacketDealt,
    Passed,
    RoundPlayed,
    RoundScored,
    RoundStarted,
    SplitLeft,
    SplitsAsked,
    TricksSettled,
    TricksSplit,
    TrickWon,
    VetoedDealsRevealed,
    Voted,
)
from .state import Accusation, Call, Declaration, KnockMade, Phase, State, TeamSplit, Trick, VetoedDeal


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event; None is the state before the first."""
    if isinstance(event, GameStarted):
        return _game_started(event)
    assert state is not None, "a game begins with GameStarted"
    return _AFTER[type(event)](state, event)


def _game_started(event: GameStarted) -> State:
    none = (0,) * event.seats
    return State(
        options=event.options,
        seats=event.seats,
        rounds=event.rounds,
        key=event.key,
        vetoes=none,
        won=none,
        totals=none,
    )


def _round_started(state: State, event: RoundStarted) -> State:
    """Keep what lasts a whole game; everything else begins anew."""
    return State(
        options=state.options,
        seats=state.seats,
        rounds=state.rounds,
        key=state.key,
        closed=state.closed,
        round=event.round,
        dealer=event.dealer,
        vetoed=state.vetoed,
        vetoes=state.vetoes,
        leader=event.first,
        won=(0,) * state.seats,
        totals=state.totals,
        scored=state.scored,
    )


def _packet_dealt(state: State, event: PacketDealt) -> State:
    return replace(
        state,
        deal=event.deal,
        commitment=event.commitment,
        seed=event.seed,
        hands=event.hands,
        pack=event.pack,
        declarations=(),
        voted=(),
    )


def _declared(state: State, event: Declared) -> State:
    declaration = Declaration(event.seat, event.phrase, event.suit)
    return replace(state, declarations=(*state.declarations, declaration))


def _voted(state: State, event: Voted) -> State:
    state = replace(state, closed=state.closed + 1)
    if not event.veto:
        return replace(state, voted=(*state.voted, event.seat))
    return replace(
        state,
        vetoed=(*state.vetoed, VetoedDeal(state.round, state.deal, state.seed)),
        vetoes=_one_more(state.vetoes, event.seat),
    )


def _deal_completed(state: State, event: DealCompleted) -> State:
    return replace(
        state,
        phase=Phase.BID,
        hands=event.hands,
        pack=(),
        turned_up=event.turned_up,
        open_cards=event.open_cards,
        trump=event.trump,
    )


def _bid_raised(state: State, event: BidRaised) -> State:
    return replace(state, calls=(*state.calls, Call(event.seat, event.tricks)), closed=state.closed + 1)


def _passed(state: State, event: Passed) -> State:
    return replace(state, calls=(*state.calls, Call(event.seat, None)), closed=state.closed + 1)


def _bidding_ended(state: State, event: BiddingEnded) -> State:
    return replace(state, phase=Phase.TRICKS)


def _card_played(state: State, event: CardPlayed) -> State:
    seat, card, hands = event.seat, event.card, state.hands
    hand = tuple([held for held in hands[seat] if held != card])
    return replace(
        state,
        hands=(*hands[:seat], hand, *hands[seat + 1 :]),
        plays=(*state.plays, card),
        closed=state.closed + 1,
    )


def _trick_won(state: State, event: TrickWon) -> State:
    return replace(
        state,
        tricks=(*state.tricks, Trick(state.leader, state.plays, event.seat)),
        won=_one_more(state.won, event.seat),
        plays=(),
        leader=event.seat,
    )


def _knocked(state: State, event: Knocked) -> State:
    return replace(state, knocks=(*state.knocks, KnockMade(event.trick, event.seat)))


def _accusation_made(state: State, event: AccusationMade) -> State:
    accusation = Accusation(event.accuser, event.seat, event.trick, event.right)
    return replace(state, accusations=(*state.accusations, accusation))


def _last_question_asked(state: State, event: LastQuestionAsked) -> State:
    return replace(state, phase=Phase.LAST_QUESTION)


def _quiet(state: State, event: AccusingDone | SplitLeft) -> State:
    return replace(state, silent=(*state.silent, event.seat))


def _tricks_settled(state: State, event: TricksSettled) -> State:
    return replace(state, won=event.tricks, gave=event.gave, silent=(), closed=state.closed + 1)


def _splits_asked(state: State, event: SplitsAsked) -> State:
    return replace(state, phase=Phase.SPLIT)


def _tricks_split(state: State, event: TricksSplit) -> State:
    return replace(state, splits=(*state.splits, TeamSplit(event.team, event.tricks)))


def _round_played(state: State, event: RoundPlayed) -> State:
    return replace(state, phase=Phase.SCORING, closed=state.closed + 1)


def _round_scored(state: State, event: RoundScored) -> State:
    return replace(state, scored=(*state.scored, event.score), totals=event.totals)


def _revealed(state: State, event: DealRevealed | VetoedDealsRevealed) -> State:
    return state


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=Phase.OVER, places=event.places)


def _one_more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])


_AFTER: dict[type, Callable[[State, Any], State]] = {
    RoundStarted: _round_started,
    PacketDealt: _packet_dealt,
    Declared: _declared,
    Voted: _voted,
    DealCompleted: _deal_completed,
    BidRaised: _bid_raised,
    Passed: _passed,
    BiddingEnded: _bidding_ended,
    CardPlayed: _card_played,
    TrickWon: _trick_won,
    Knocked: _knocked,
    AccusationMade: _accusation_made,
    LastQuestionAsked: _last_question_asked,
    AccusingDone: _quiet,
    TricksSettled: _tricks_settled,
    SplitsAsked: _splits_asked,
    SplitLeft: _quiet,
    TricksSplit: _tricks_split,
    RoundPlayed: _round_played,
    RoundScored: _round_scored,
    DealRevealed: _revealed,
    VetoedDealsRevealed: _revealed,
    GameEnded: _game_ended,
}
