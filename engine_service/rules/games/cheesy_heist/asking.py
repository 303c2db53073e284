"""Who is asked what, what it may do, and what is done for it when it is absent."""

from collections.abc import Iterable, Iterator

from engine_service.rules.game import Move, Offer, Question, Seat

from .actions import (
    Action,
    Choice,
    DrawCard,
    DropAll,
    KeepInVault,
    KeepUpTo,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayGrater,
    PlayMirages,
    PlayThief,
    PlayVault,
    TakeCard,
)
from .cards import CAT, DECOY, GIFT, GRATER, MIRAGES, MOST_KEPT, THIEF, VAULT, Cards, holds
from .reaction import has_dropped, may_defend, too_late
from .state import Phase, State

_MIRAGE_SETS = (*((kind,) * 3 for kind in MIRAGES), MIRAGES)


def actors(state: State) -> tuple[Question, ...]:
    """Return all open questions; while the least reaction time runs, a pause among them."""
    if state.phase is Phase.TURN:
        return (Question(state.window, state.turn_seat),)
    if state.phase is Phase.COLLECTION:
        return (Question(state.window, state.collector, seconds=state.options.collect_seconds),)
    return tuple(_reactions(state)) if state.phase is Phase.REACTION else ()


def _reactions(state: State) -> Iterator[Question]:
    least = state.options.reaction_seconds
    for seat in range(state.seats):
        if not has_dropped(state, seat):
            choosing = state.vault_windows[seat]
            if choosing:
                yield Question(choosing, seat, seconds=state.options.vault_seconds)
            else:
                yield Question(state.window, seat, earliest_seconds=least)
    if not state.time_over:
        yield Question(state.window + 1, None, seconds=least)


def asked_window(state: State, seat: Seat) -> int | None:
    """Return the window in which a seat is asked, or None."""
    for question in actors(state):
        if question.seat == seat:
            return question.window
    return None


def offers(state: State, seat: Seat) -> tuple[Offer[Choice], ...]:
    """Return all that a seat may do now: concrete actions, but for what to keep in a Cheese Vault."""
    window = asked_window(state, seat)
    if window is not None:
        return tuple([Offer(window, choice) for choice in _choices(state, seat)])
    if seat in range(state.seats) and may_defend(state, seat):
        return tuple([Offer(state.window, choice) for choice in _defences(state, seat)])
    return ()


def _choices(state: State, seat: Seat) -> Iterable[Choice]:
    if state.phase is Phase.TURN:
        return _turn_choices(state, seat)
    if state.phase is Phase.COLLECTION:
        return _lying(state, range(state.seats))
    if state.vault_windows[seat]:
        return [KeepUpTo(min(MOST_KEPT, len(state.hands[seat])), state.hands[seat]), *_defences(state, seat)]
    return [DropAll(), *_defences(state, seat)]


def _turn_choices(state: State, seat: Seat) -> list[Action]:
    """Return what ends a turn, then attacks and Mirages with each of their targets. [CH 2.2-2.4, 3, 4]"""
    hand = state.hands[seat]
    others = [other for other in range(state.seats) if other != seat]
    holders = [other for other in others if state.hands[other]]
    choices: list[Action] = [DrawCard()]
    if CAT in hand:
        choices.append(PlayCat())
    if THIEF in hand:
        choices += [PlayThief(target) for target in holders]
    if GRATER in hand:
        choices += [PlayGrater(target) for target in holders]
    if GIFT in hand and CAT in hand:
        choices += [PlayGift(target) for target in others]
    for cards in _MIRAGE_SETS:
        if holds(hand, cards):
            choices += [PlayMirages(cards, target) for target in holders]
    return choices


def _defences(state: State, seat: Seat) -> Iterator[Action]:
    """Yield the Defence cards that a seat may play now. [CH 6]"""
    hand, wasted = state.hands[seat], too_late(state, seat)
    if VAULT in hand and not state.vaulted[seat]:
        yield PlayVault(wasted)
    if DECOY in hand:
        yield PlayDecoy(wasted)


def _lying(state: State, owners: Iterator[Seat] | range) -> Iterator[TakeCard]:
    """Yield the dropped cards of these owners that are still there. [CH 7.2]"""
    for owner in owners:
        for place, card in enumerate(state.dropped[owner]):
            if card is not None:
                yield TakeCard(owner, place)


def permits(offer: Offer[Choice], move: Move[Action]) -> bool:
    """Return whether an offer made to the seat of a move allows it."""
    if offer.window != move.window:
        return False
    choice, action = offer.choice, move.action
    match choice:
        case KeepUpTo(count, of):
            return isinstance(action, KeepInVault) and len(action.cards) <= count and holds(of, action.cards)
        case PlayMirages():
            return isinstance(action, PlayMirages) and choice == PlayMirages(tuple(sorted(action.cards)), action.target)
        case PlayVault(wasted) | PlayDecoy(wasted):
            return isinstance(action, type(choice)) and (action.wasted or not wasted)
        case _:
            return choice == action


def default(state: State, seat: Seat) -> Action:
    """Return what is done for an absent seat that is asked. [CH 9.1-9.4]"""
    assert asked_window(state, seat) is not None, "only a seat that is asked has a default"
    if state.phase is Phase.TURN:
        return DrawCard()
    if state.phase is Phase.COLLECTION:
        return _default_take(state, seat)
    return KeepInVault(best_kept(state.hands[seat])) if state.vault_windows[seat] else DropAll()


def best_kept(hand: Cards) -> Cards:
    """Return the dearest cards of a hand that a Cheese Vault holds, never a Cat. [CH 9.3]"""
    return tuple([card for card in hand if card != CAT][:MOST_KEPT])


def _default_take(state: State, seat: Seat) -> TakeCard:
    """Return the dearest card of one's own, else the first from the left, a Cat of one's own last. [CH 9.4]"""
    own = {choice: state.dropped[seat][choice.place] for choice in _lying(state, range(seat, seat + 1))}
    dear = [choice for choice, card in own.items() if card != CAT]
    if dear:
        return min(dear, key=lambda choice: (own[choice], choice.place))
    others = ((seat + i) % state.seats for i in range(1, state.seats))
    return next(_lying(state, others), None) or next(iter(own))
