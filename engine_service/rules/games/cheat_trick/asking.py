"""Who is asked what, what it may do, and what is done for it when it is absent."""

from collections.abc import Callable

from engine_service.rules.game import Move, Offer, Question, Seat

from .accusing import accusable, asked_last
from .actions import (
    PHRASES,
    Accuse,
    Action,
    Choice,
    Declare,
    Done,
    Knock,
    LeaveSplit,
    MayAccuse,
    MayDeclare,
    MayPlay,
    MayRaise,
    MaySplit,
    Pass,
    PlayCard,
    Raise,
    Split,
    Vote,
)
from .bidding import asked_to_bid, standing_bid
from .cards import FOOL, PACK, PLAYER_COUNTS, SUIT_OF, SUITS, TRICKS, Card, ranks
from .following import following
from .options import CATCHABLE
from .seating import after, round_from
from .splits import asked_to_split, split_for
from .state import Declaration, KnockMade, Phase, State

_HONEST = tuple(MayPlay(card, reneges=False) for card in PACK)
_RENEGES = tuple(MayPlay(card, reneges=True) for card in PACK)


def voters(state: State) -> tuple[Seat, ...]:
    """Return who votes on a deal, in order: the dealer last, with three players, else not at all. [CHT 3.1]"""
    order = round_from(after(state.dealer, state.seats), state.seats)
    return order if state.seats == min(PLAYER_COUNTS) else order[:-1]


def asked_seats(state: State) -> tuple[Seat, ...]:
    """Return everyone who is asked in the open window."""
    match state.phase:
        case Phase.TRICKS:
            return (after(state.leader, state.seats, len(state.plays)),)
        case Phase.VOTE:
            return (voters(state)[len(state.voted)],)
        case Phase.BID:
            bidding = asked_to_bid(state)
            return () if bidding is None else (bidding,)
        case Phase.LAST_QUESTION:
            return asked_last(state)
        case _:
            return asked_to_split(state)


def actors(state: State) -> tuple[Question, ...]:
    """Return the open questions: all in one window."""
    return tuple([Question(state.closed + 1, seat, _seconds(state)) for seat in asked_seats(state)])


def _seconds(state: State) -> int | None:
    if state.phase is Phase.LAST_QUESTION:
        return state.options.last_question_seconds
    return state.options.split_seconds if state.phase is Phase.SPLIT else None


def trick_number(state: State) -> int:
    """Return the number of the trick being played, or about to be led."""
    return len(state.tricks) + 1


def may_veto(state: State, seat: Seat) -> bool:
    """Return whether a seat has a veto left. [CHT 3.4]"""
    limit = state.options.veto_limit
    return limit is None or state.vetoes[seat] < limit


def may_knock(state: State, seat: Seat) -> bool:
    """Return whether a seat may knock now: once a trick, never without trump. [CHT 7.1-7.3]"""
    return state.phase is Phase.TRICKS and state.trump is not None and not has_knocked(state, seat)


def has_knocked(state: State, seat: Seat) -> bool:
    """Return whether a seat knocked in this trick."""
    return KnockMade(trick_number(state), seat) in state.knocks


def offers(state: State, seat: Seat) -> tuple[Offer[Choice], ...]:
    """Return all that a seat may do now: the answers to its question, and what stands beside the turn."""
    if not 0 <= seat < state.seats:
        return ()
    window = state.closed + 1
    answers = _ANSWERS[state.phase](state, seat) if seat in asked_seats(state) else []
    beside: list[Choice] = [Knock(state.round, trick_number(state))] if may_knock(state, seat) else []
    if plays := accusable(state, seat):
        beside.append(MayAccuse(plays))
    return (*[Offer(window, choice) for choice in answers], *[Offer(0, choice) for choice in beside])


def _votes(state: State, seat: Seat) -> list[Choice]:
    votes: list[Choice] = [Vote(veto=False), *([Vote(veto=True)] if may_veto(state, seat) else [])]
    left = tuple(
        [
            Declare(phrase, suit)
            for phrase in PHRASES
            for suit in SUITS
            if Declaration(seat, phrase, suit) not in state.declarations
        ]
    )
    return [*votes, MayDeclare(left)] if left else votes


def _calls(state: State, seat: Seat) -> list[Choice]:
    return [Pass(), MayRaise(least=standing_bid(state.calls) + 1, most=TRICKS[state.seats])]


def _plays(state: State, seat: Seat) -> list[Choice]:
    honest = following(state.hands[seat], state.plays)
    if state.options.reneging != CATCHABLE:
        return [_HONEST[card] for card in honest]
    return [_HONEST[card] if card in honest else _RENEGES[card] for card in state.hands[seat]]


def _done(state: State, seat: Seat) -> list[Choice]:
    return [Done()]


def _splits(state: State, seat: Seat) -> list[Choice]:
    return [split_for(state, seat), LeaveSplit()]


def _nothing(state: State, seat: Seat) -> list[Choice]:
    return []


_ANSWERS: dict[Phase, Callable[[State, Seat], list[Choice]]] = {
    Phase.VOTE: _votes,
    Phase.BID: _calls,
    Phase.TRICKS: _plays,
    Phase.LAST_QUESTION: _done,
    Phase.SPLIT: _splits,
    Phase.SCORING: _nothing,
    Phase.OVER: _nothing,
}


def permits(offer: Offer[Choice], move: Move[Action]) -> bool:
    """Return whether an offer made to the seat of a move allows it."""
    return offer.window == move.window and _allows(offer.choice, move.action)


def _allows(choice: Choice, action: Action) -> bool:
    match choice:
        case MayPlay(card=card):
            return isinstance(action, PlayCard) and action.card == card
        case MayDeclare(declarations=left):
            return action in left
        case MayRaise(least=least, most=most):
            return isinstance(action, Raise) and least <= action.tricks <= most
        case MayAccuse(plays=plays):
            return isinstance(action, Accuse) and action in plays
        case MaySplit(least=least, most=most, total=total):
            return isinstance(action, Split) and least <= action.own <= most and action.own + action.partners == total
        case _:
            return choice == action


def default(state: State, seat: Seat) -> Action:
    """Return what is done for an absent seat that is asked. [CHT 11]"""
    assert seat in asked_seats(state), "only a seat that is asked has a default"
    match state.phase:
        case Phase.VOTE:
            return Vote(veto=False)
        case Phase.BID:
            return Pass()
        case Phase.LAST_QUESTION:
            return Done()
        case Phase.SPLIT:
            return LeaveSplit()
        case _:
            return PlayCard(min(following(state.hands[seat], state.plays), key=lambda card: _cheapness(card, state)))


def _cheapness(card: Card, state: State) -> tuple[bool, bool, int, int]:
    rank_of = ranks(state.options.maternal_suits)
    return card == FOOL, SUIT_OF[card] == state.trump, rank_of[card], SUIT_OF[card]
