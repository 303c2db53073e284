"""What anyone sees: the only door from a state or an event to a viewer. [CHT 10]

Everything is built field by field from nothing; a field that is not named here stays unseen.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine_service.rules.game import Seat

from .bidding import bid_of, pass_order
from .cards import TRICKS, Card
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
from .options import CATCHABLE
from .seating import after
from .state import Phase, State
from .views import (
    DealCompletedSeen,
    GameStartedSeen,
    PacketDealtSeen,
    Play,
    RoundPlayedSeen,
    SeatView,
    Seen,
    TrickView,
    View,
)


def public(state: State) -> View:
    """Return what everyone sees of the state."""
    passed = pass_order(state.calls)
    return View(
        phase=state.phase,
        round=state.round,
        rounds=state.rounds,
        deal=state.deal,
        dealer=state.dealer,
        trump=state.trump,
        turned_up=state.turned_up,
        declarations=state.declarations,
        voted=state.voted,
        calls=state.calls,
        hand=(),
        seats=tuple([_seat(state, seat, passed) for seat in range(state.seats)]),
        trick=_trick(state),
        last_trick=_last_trick(state),
        tricks_in_round=TRICKS[state.seats],
        knocks=state.knocks,
        accusations=state.accusations,
        splits=state.splits,
        scored=state.scored,
        commitment=state.commitment,
        places=state.places,
        maternal_suits=state.options.maternal_suits,
        teams=state.options.teams,
    )


def own(told: View, state: State, seat: Seat) -> View:
    """Return what a seat sees: what everyone does, and its hand."""
    return replace(told, hand=state.hands[seat])


def veils(state: State, event: Event) -> bool:
    """Return whether an event turns the trick before face down, so that nobody may look back any more. [CHT 10.4]"""
    leads = isinstance(event, CardPlayed) and not state.plays
    return leads and bool(state.tricks) and state.options.reneging == CATCHABLE


def _seat(state: State, seat: Seat, passed: tuple[Seat, ...]) -> SeatView:
    return SeatView(
        hand_count=len(state.hands[seat]),
        bid=bid_of(state.calls, seat),
        passed_as=passed.index(seat) + 1 if seat in passed else 0,
        tricks=state.won[seat],
        vetoes=state.vetoes[seat],
        open_card=_open_card(state, seat),
        total=state.totals[seat],
    )


def _open_card(state: State, seat: Seat) -> Card | None:
    card = state.open_cards[seat] if state.open_cards else None
    return card if card in state.hands[seat] else None


def _plays(leader: Seat, cards: tuple[Card, ...], seats: int) -> tuple[Play, ...]:
    return tuple([Play(after(leader, seats, i), card) for i, card in enumerate(cards)])


def _trick(state: State) -> TrickView | None:
    if state.phase is not Phase.TRICKS:
        return None
    return TrickView(len(state.tricks) + 1, _plays(state.leader, state.plays, state.seats))


def _last_trick(state: State) -> TrickView | None:
    """Return the trick before: it lies open until the next lead, the last of a round until it is scored. [CHT 10.3]"""
    if state.plays or not state.tricks or state.phase is Phase.OVER:
        return None
    last = state.tricks[-1]
    return TrickView(len(state.tricks), _plays(last.leader, last.cards, state.seats), last.winner)


def seen(event: Event, seat: Seat | None) -> Seen:
    """Return an event as a seat (None: a spectator) sees it."""
    told: Seen = _SEEN[type(event)](event, seat)
    return told


def _game_started(event: GameStarted, seat: Seat | None) -> Seen:
    return GameStartedSeen(rounds=event.rounds)


def _round_started(event: RoundStarted, seat: Seat | None) -> Seen:
    return RoundStarted(round=event.round, dealer=event.dealer, first=event.first)


def _packet_dealt(event: PacketDealt, seat: Seat | None) -> Seen:
    return PacketDealtSeen(
        deal=event.deal,
        commitment=event.commitment,
        hand=() if seat is None else event.hands[seat],
        hand_count=len(event.hands[0]),
    )


def _declared(event: Declared, seat: Seat | None) -> Seen:
    return Declared(seat=event.seat, phrase=event.phrase, suit=event.suit)


def _voted(event: Voted, seat: Seat | None) -> Seen:
    return Voted(seat=event.seat, veto=event.veto, by_engine=event.by_engine)


def _deal_completed(event: DealCompleted, seat: Seat | None) -> Seen:
    return DealCompletedSeen(
        hand=() if seat is None else event.hands[seat],
        hand_count=len(event.hands[0]),
        turned_up=event.turned_up,
        open_cards=event.open_cards,
        trump=event.trump,
    )


def _bid_raised(event: BidRaised, seat: Seat | None) -> Seen:
    return BidRaised(seat=event.seat, tricks=event.tricks)


def _passed(event: Passed, seat: Seat | None) -> Seen:
    return Passed(seat=event.seat, by_engine=event.by_engine)


def _bidding_ended(event: BiddingEnded, seat: Seat | None) -> Seen:
    return BiddingEnded(bids=event.bids, pass_order=event.pass_order)


def _card_played(event: CardPlayed, seat: Seat | None) -> Seen:
    return CardPlayed(seat=event.seat, card=event.card, by_engine=event.by_engine)


def _trick_won(event: TrickWon, seat: Seat | None) -> Seen:
    return TrickWon(trick=event.trick, seat=event.seat)


def _knocked(event: Knocked, seat: Seat | None) -> Seen:
    return Knocked(trick=event.trick, seat=event.seat)


def _accusation_made(event: AccusationMade, seat: Seat | None) -> Seen:
    return AccusationMade(accuser=event.accuser, seat=event.seat, trick=event.trick, right=event.right)


def _last_question_asked(event: LastQuestionAsked, seat: Seat | None) -> Seen:
    return LastQuestionAsked()


def _accusing_done(event: AccusingDone, seat: Seat | None) -> Seen:
    return AccusingDone(seat=event.seat, by_engine=event.by_engine)


def _tricks_settled(event: TricksSettled, seat: Seat | None) -> Seen:
    return TricksSettled(tricks=event.tricks, gave=event.gave)


def _splits_asked(event: SplitsAsked, seat: Seat | None) -> Seen:
    return SplitsAsked()


def _split_left(event: SplitLeft, seat: Seat | None) -> Seen:
    return SplitLeft(seat=event.seat, by_engine=event.by_engine)


def _tricks_split(event: TricksSplit, seat: Seat | None) -> Seen:
    return TricksSplit(team=event.team, tricks=event.tricks, seat=event.seat)


def _round_played(event: RoundPlayed, seat: Seat | None) -> Seen:
    return RoundPlayedSeen(round=event.round)


def _round_scored(event: RoundScored, seat: Seat | None) -> Seen:
    return RoundScored(score=event.score, totals=event.totals)


def _deal_revealed(event: DealRevealed, seat: Seat | None) -> Seen:
    return DealRevealed(
        round=event.round, deal=event.deal, seed=event.seed, hands=event.hands, turned_up=event.turned_up
    )


def _vetoed_deals_revealed(event: VetoedDealsRevealed, seat: Seat | None) -> Seen:
    return VetoedDealsRevealed(deals=event.deals)


def _game_ended(event: GameEnded, seat: Seat | None) -> Seen:
    return GameEnded(places=event.places)


_SEEN: dict[type, Callable[[Any, Seat | None], Seen]] = {
    GameStarted: _game_started,
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
    AccusingDone: _accusing_done,
    TricksSettled: _tricks_settled,
    SplitsAsked: _splits_asked,
    SplitLeft: _split_left,
    TricksSplit: _tricks_split,
    RoundPlayed: _round_played,
    RoundScored: _round_scored,
    DealRevealed: _deal_revealed,
    VetoedDealsRevealed: _vetoed_deals_revealed,
    GameEnded: _game_ended,
}
