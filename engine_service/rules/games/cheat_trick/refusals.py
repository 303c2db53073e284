"""Why a move is refused that no offer permits. Facts hold nothing that the mover may not know."""

from engine_service.rules.game import IllegalMove, Move, Seat

from .accusing import is_own, plays_made, spent, was_wrong
from .actions import (
    PHRASES,
    Accuse,
    Action,
    Declare,
    Done,
    Knock,
    LeaveSplit,
    Pass,
    PlayCard,
    Raise,
    Split,
    Vote,
)
from .asking import asked_seats, has_knocked, may_veto, trick_number
from .bidding import standing_bid
from .cards import PACK, SUIT_NAMES, SUITS, TRICKS, card_name
from .following import led_suit
from .options import CATCHABLE
from .splits import split_for
from .state import Phase, State

_ASKED_FOR = {
    Phase.VOTE: (Vote, Declare),
    Phase.BID: (Raise, Pass),
    Phase.TRICKS: (PlayCard,),
    Phase.LAST_QUESTION: (Done,),
    Phase.SPLIT: (Split, LeaveSplit),
}
_NAMES = {
    Phase.VOTE: "a vote",
    Phase.BID: "a bid",
    Phase.TRICKS: "a card",
    Phase.LAST_QUESTION: "accusations",
    Phase.SPLIT: "a split",
    Phase.SCORING: "nothing",
    Phase.OVER: "nothing",
}


def refusal(state: State, move: Move[Action]) -> IllegalMove:
    """Return how a move is refused: what cannot exist first, then turn and window, then what speaks against it."""
    action = move.action
    if (nonsense := _nonsense(action)) is not None:
        return nonsense
    if not 0 <= move.seat < state.seats:
        return IllegalMove("NOT_YOUR_TURN")
    if isinstance(action, Knock) and move.window == 0:
        return _knock_refused(state, move.seat, action)
    if isinstance(action, Accuse) and move.window == 0:
        return _accusation_refused(state, move.seat, action)
    if (not_asked := out_of_turn(state, move.seat, move.window)) is not None:
        return not_asked
    if not isinstance(action, _ASKED_FOR[state.phase]):
        return IllegalMove("NOT_ASKED_FOR", asked_for=_NAMES[state.phase])
    return _answer_refused(state, move.seat, action)


def out_of_turn(state: State, seat: Seat | None, window: int) -> IllegalMove | None:
    """Return why a seat may not answer in this window, or None if it is asked there."""
    asked = asked_seats(state)
    if 0 < window <= state.closed:
        return IllegalMove("WINDOW_CLOSED", window=window)
    if seat not in asked:
        if window == state.closed + 1 and state.phase in (Phase.LAST_QUESTION, Phase.SPLIT):
            return IllegalMove("WINDOW_CLOSED", window=window)
        facts = {"asked_seat": asked[0], "window": state.closed + 1} if len(asked) == 1 else {}
        return IllegalMove("NOT_YOUR_TURN", **facts)
    if window != state.closed + 1:
        return IllegalMove("NOT_ASKED_FOR", window=state.closed + 1)
    return None


def _nonsense(action: Action) -> IllegalMove | None:
    if isinstance(action, PlayCard) and action.card not in PACK:
        return IllegalMove("UNKNOWN_CARD", card=card_name(action.card))
    if isinstance(action, Declare) and (action.phrase not in PHRASES or action.suit not in SUITS):
        return IllegalMove("BAD_REQUEST", phrase=action.phrase, suit=action.suit)
    return None


def _knock_refused(state: State, seat: Seat, knock: Knock) -> IllegalMove:
    if state.phase is not Phase.TRICKS:
        return IllegalMove("NOT_ASKED_FOR", asked_for=_NAMES[state.phase])
    now = trick_number(state)
    if (knock.round, knock.trick) != (state.round, now):
        return IllegalMove("WINDOW_CLOSED", round=state.round, trick=now)
    if state.trump is None:
        return IllegalMove("NO_TRUMP")
    assert has_knocked(state, seat), "any other knock is offered"
    return IllegalMove("ALREADY_KNOCKED", trick=now)


def _accusation_refused(state: State, seat: Seat, accusation: Accuse) -> IllegalMove:
    if state.options.reneging != CATCHABLE:
        return IllegalMove("NOT_ASKED_FOR", reneging="forbidden")
    if accusation.round != state.round:
        return IllegalMove("WINDOW_CLOSED", round=state.round)
    if state.phase not in (Phase.TRICKS, Phase.LAST_QUESTION) or seat in state.silent:
        after_all = state.phase not in (Phase.VOTE, Phase.BID)
        return IllegalMove("ACCUSING_OVER") if after_all else IllegalMove("NO_SUCH_PLAY", trick=accusation.trick)
    if is_own(state, seat, accusation.seat):
        return IllegalMove("OWN_PLAY", seat=accusation.seat)
    if accusation not in plays_made(state):
        return IllegalMove("NO_SUCH_PLAY", trick=accusation.trick, seat=accusation.seat)
    if accusation in spent(state):
        return IllegalMove("ALREADY_CAUGHT", trick=accusation.trick, seat=accusation.seat)
    assert was_wrong(state, seat), "any other accusation is offered"
    return IllegalMove("ACCUSED_WRONGLY")


def _answer_refused(state: State, seat: Seat, action: Action) -> IllegalMove:
    match action:
        case Vote():
            assert not may_veto(state, seat), "any other vote is offered"
            return IllegalMove("VETO_LIMIT_REACHED", limit=state.options.veto_limit)
        case Declare(phrase=phrase, suit=suit):
            return IllegalMove("ALREADY_DECLARED", phrase=phrase, suit=SUIT_NAMES[suit])
        case Raise(tricks=tricks):
            return IllegalMove(
                "BID_OUT_OF_RANGE", bid=tricks, least=standing_bid(state.calls) + 1, most=TRICKS[state.seats]
            )
        case PlayCard(card=card):
            if card not in state.hands[seat]:
                return IllegalMove("CARD_NOT_IN_HAND", card=card_name(card))
            led = led_suit(state.plays)
            assert led is not None, "every card may be led"
            return IllegalMove("MUST_FOLLOW_SUIT", suit=SUIT_NAMES[led])
        case Split():
            return _split_refused(state, seat, action)
        case _:
            raise AssertionError(f"{action} is always offered to a seat that is asked for it")


def _split_refused(state: State, seat: Seat, split: Split) -> IllegalMove:
    may = split_for(state, seat)
    if split.own + split.partners != may.total:
        return IllegalMove("SPLIT_DOES_NOT_ADD_UP", total=may.total)
    return IllegalMove("SPLIT_NOT_ALLOWED", least=may.least, most=may.most)
