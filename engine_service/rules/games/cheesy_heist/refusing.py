"""Why a move that no offer permits is refused. Nothing is decided here, and no fact tells what others hold.

The first reason counts: it can never be; it is not asked for; it is asked for, but not allowed.
"""

from collections.abc import Iterator
from itertools import chain

from engine_service.rules.game import IllegalMove, Move, Seat

from .actions import (
    Action,
    DrawCard,
    DropAll,
    KeepInVault,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayGrater,
    PlayMirages,
    PlayThief,
    PlayVault,
    TakeCard,
)
from .asking import actors, asked_window
from .cards import (
    CAT,
    DECOY,
    GIFT,
    GRATER,
    KINDS,
    MOST_KEPT,
    THIEF,
    VAULT,
    Card,
    Cards,
    card_name,
    holds,
    is_mirage_set,
)
from .reaction import has_dropped, may_defend
from .state import Phase, State

_TURN = (DrawCard, PlayCat, PlayThief, PlayGrater, PlayGift, PlayMirages)
_DEFENCE = PlayVault | PlayDecoy


def refusal(state: State, move: Move[Action]) -> IllegalMove:
    """Return the refusal of a move that no offer permits."""
    return next(chain(_malformed(state, move.action), _unasked(state, move), _forbidden(state, move.seat, move.action)))


def check_asked(state: State, seat: Seat | None, window: int) -> None:
    """Raise IllegalMove unless this question is open."""
    if not any((question.seat, question.window) == (seat, window) for question in actors(state)):
        raise _not_asked(state, seat, window)


def _malformed(state: State, action: Action) -> Iterator[IllegalMove]:
    # Whatever the state, so it comes before any question of turn.
    if isinstance(action, PlayMirages | KeepInVault):
        unknown = [card for card in action.cards if card not in KINDS]
        if unknown:
            yield IllegalMove("UNKNOWN_CARD", card=card_name(unknown[0]))
    if isinstance(action, PlayMirages) and not is_mirage_set(action.cards):
        yield IllegalMove("BAD_REQUEST", cards="not three Mirages alike or three different")
    if isinstance(action, KeepInVault) and len(action.cards) > MOST_KEPT:
        yield IllegalMove("BAD_REQUEST", cards=f"a Cheese Vault holds {MOST_KEPT}")
    seat = action.owner if isinstance(action, TakeCard) else getattr(action, "target", 0)
    if seat not in range(state.seats):
        yield IllegalMove("BAD_REQUEST", seat=seat)


def _unasked(state: State, move: Move[Action]) -> Iterator[IllegalMove]:
    seat, window, action = move.seat, move.window, move.action
    kept = seat in range(state.seats) and may_defend(state, seat) and has_dropped(state, seat)
    if kept and window == state.window and isinstance(action, _DEFENCE):
        return
    if window != asked_window(state, seat):
        yield _not_asked(state, seat, window)
    elif not isinstance(action, _asked_for(state, seat)):
        yield IllegalMove("NOT_ASKED_FOR", asked_for=_in_words(state, seat))


def _not_asked(state: State, seat: Seat | None, window: int) -> IllegalMove:
    questions = actors(state)
    closed = 0 < window <= state.last_window and window not in {question.window for question in questions}
    if closed or _has_answered(state, seat, window):
        return IllegalMove("WINDOW_CLOSED", window=window)
    mine = next((question.window for question in questions if question.seat == seat), None)
    if mine is not None:
        return IllegalMove("NOT_ASKED_FOR", window=mine)
    if len(questions) == 1 and questions[0].seat is not None:
        return IllegalMove("NOT_YOUR_TURN", asked_seat=questions[0].seat, window=questions[0].window)
    return IllegalMove("NOT_YOUR_TURN")


def _has_answered(state: State, seat: Seat | None, window: int) -> bool:
    """Return whether a seat has answered in a reaction window that is open to others."""
    if state.phase is not Phase.REACTION or window != state.window or seat is None or seat not in range(state.seats):
        return False
    return state.down[seat] or state.vaulted[seat]


def _asked_for(state: State, seat: Seat) -> type | tuple[type, ...]:
    if state.phase is Phase.TURN:
        return _TURN
    if state.phase is Phase.COLLECTION:
        return TakeCard
    return (KeepInVault if state.vault_windows[seat] else DropAll), PlayVault, PlayDecoy


def _in_words(state: State, seat: Seat) -> str:
    if state.phase is Phase.TURN:
        return "a turn"
    if state.phase is Phase.COLLECTION:
        return "a dropped card to take"
    return "cards to keep, or a Defence" if state.vault_windows[seat] else "dropping all cards, or a Defence"


def _forbidden(state: State, seat: Seat, action: Action) -> Iterator[IllegalMove]:
    hand, needed = state.hands[seat], _needed(action)
    if not holds(hand, needed):
        missing = next(card for card in needed if needed.count(card) > hand.count(card))
        yield IllegalMove("CARD_NOT_IN_HAND", card=card_name(missing))
    if isinstance(action, PlayThief | PlayGrater | PlayGift | PlayMirages):
        why = "oneself" if action.target == seat else "an empty hand"
        yield IllegalMove("BAD_TARGET", target=action.target, why=why)
    if isinstance(action, PlayVault) and state.vaulted[seat]:
        yield IllegalMove("VAULT_USED")
    if isinstance(action, _DEFENCE):
        yield IllegalMove("WOULD_BE_WASTED")
    if isinstance(action, TakeCard):
        yield IllegalMove("PLACE_EMPTY", owner=action.owner, place=action.place)


def _needed(action: Action) -> Cards:
    """Return the cards that an action takes out of one's hand, or keeps in it."""
    if isinstance(action, PlayMirages | KeepInVault):
        return action.cards
    played: dict[type, tuple[Card, ...]] = {
        PlayCat: (CAT,),
        PlayThief: (THIEF,),
        PlayGrater: (GRATER,),
        PlayGift: (GIFT, CAT),
        PlayVault: (VAULT,),
        PlayDecoy: (DECOY,),
    }
    return played.get(type(action), ())
