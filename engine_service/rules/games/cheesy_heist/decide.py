"""What becomes of a command: events, or a refusal that changes nothing."""

from engine_service.rules.game import Move, RecordScores, Seat, TimeOut

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
from .asking import default, offers, permits
from .cards import Cards
from .chance import grated, scattered, stolen
from .ending import hands_counted, record_scores, turn_ended
from .events import (
    CardDrawn,
    CardsDropped,
    CardTaken,
    CatPlayed,
    CollectionStarted,
    DecoyPlayed,
    Event,
    GiftPlayed,
    GraterPlayed,
    LastDropCalled,
    MiragesPlayed,
    ReactionTimeEnded,
    ThiefPlayed,
    VaultPlayed,
)
from .evolve import evolve
from .reaction import is_complete, too_late
from .refusing import check_asked, refusal
from .state import State


def decide(state: State, command: Move[Action] | TimeOut | RecordScores) -> tuple[Event, ...]:
    """Return what a command brings about, or raise IllegalMove. Every accepted command yields at least one event."""
    if isinstance(command, Move):
        if not any(permits(offer, command) for offer in offers(state, command.seat)):
            raise refusal(state, command)
        return _done(state, command.seat, command.action, by_engine=False)
    if isinstance(command, TimeOut):
        check_asked(state, command.seat, command.window)
        if command.seat is None:
            return _and_closing(state, ReactionTimeEnded())
        return _done(state, command.seat, default(state, command.seat), by_engine=True)
    return record_scores(state, command)


def _done(state: State, seat: Seat, action: Action, by_engine: bool) -> tuple[Event, ...]:
    match action:
        case DrawCard():
            return _drawn(state, seat, by_engine)
        case PlayCat():
            return (CatPlayed(seat),)
        case PlayThief(target):
            return (ThiefPlayed(seat, target, stolen(state, target)),)
        case PlayGrater(target):
            cards, draw_pile = grated(state, target)
            return (GraterPlayed(seat, target, cards, draw_pile),)
        case PlayGift(target):
            return (GiftPlayed(seat, target),)
        case PlayMirages(cards, target):
            return (MiragesPlayed(seat, tuple(sorted(cards)), target, state.hands[target]),)
        case DropAll():
            return _and_closing(state, CardsDropped(seat, scattered(state, state.hands[seat]), None, by_engine))
        case KeepInVault(cards):
            return _and_closing(state, _dropped_but(state, seat, tuple(sorted(cards)), by_engine))
        case PlayVault():
            return _and_closing(state, VaultPlayed(seat, wasted=too_late(state, seat)))
        case PlayDecoy():
            return _decoyed(state, seat)
        case TakeCard(owner, place):
            return _taken(state, seat, owner, place, by_engine)


def _drawn(state: State, seat: Seat, by_engine: bool) -> tuple[Event, ...]:
    """Return what ends a turn with a card, or without one the last drop. [CH 2.3, 8.4]"""
    if not state.draw_pile:
        return (LastDropCalled(seat, by_engine),)
    drawn = CardDrawn(seat, state.draw_pile[0], by_engine)
    return (drawn, turn_ended(evolve(state, drawn), seat + 1))


def _dropped_but(state: State, seat: Seat, kept: Cards, by_engine: bool) -> CardsDropped:
    """Return the drop of all cards but those in a Cheese Vault. [CH 6.4]"""
    rest = list(state.hands[seat])
    for card in kept:
        rest.remove(card)
    return CardsDropped(seat, scattered(state, tuple(rest)), kept, by_engine)


def _decoyed(state: State, seat: Seat) -> tuple[Event, ...]:
    """Return what a Decoy does: the window is over, and the turn, or after the last drop the game. [CH 6.6, 8.5]"""
    decoy = DecoyPlayed(seat, wasted=too_late(state, seat))
    if decoy.wasted:
        return _and_closing(state, decoy)
    after = evolve(state, decoy)
    return (decoy, hands_counted(after) if state.last_drop else turn_ended(after, state.turn_seat + 1))


def _and_closing(state: State, event: Event) -> tuple[Event, ...]:
    """Return an event of the reaction window, and what follows when the window closes with it. [CH 5.6, 7.1, 7.5]"""
    after = evolve(state, event)
    if not is_complete(after):
        return (event,)
    first = state.turn_seat if state.last_drop else (state.turn_seat + 1) % state.seats
    return (event, CollectionStarted(first) if _lies_anything(after) else _collected(after, first))


def _taken(state: State, seat: Seat, owner: Seat, place: int, by_engine: bool) -> tuple[Event, ...]:
    """Return a card taken, and what follows when it was the last. [CH 7.2-7.4]"""
    card = state.dropped[owner][place]
    assert card is not None, "only cards that lie there are offered"
    taken = CardTaken(seat, owner, place, card, by_engine)
    after = evolve(state, taken)
    return (taken,) if _lies_anything(after) else (taken, _collected(after, seat + 1))


def _collected(state: State, following: Seat) -> Event:
    """Return what follows when no card lies there any more. [CH 7.4, 7.5, 8.5]"""
    return hands_counted(state) if state.last_drop else turn_ended(state, following)


def _lies_anything(state: State) -> bool:
    return any(card is not None for cards in state.dropped for card in cards)
