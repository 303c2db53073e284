"""What becomes of a command: events, or a refusal that changes nothing."""

from functools import reduce
from typing import NoReturn

from engine_service.rules.game import IllegalMove, Move, RecordScores, Seat, TimeOut
from engine_service.rules.tricks import taking

from .actions import Action, ChooseTrump, PlayCard
from .asking import asked_seat, default, is_legal, led_suit
from .captures import caught_by_round, caught_by_trick
from .cards import CARDS_IN_PLAY, HAND_SIZE, SUIT_NAMES, SUIT_OF, SUITS, VALUE_OF, Card, card_name
from .events import CardPlayed, CatDecided, Event, RoundPlayed, TrickWon, TrumpSet
from .evolve import evolve
from .facts import Capture, RoundFacts
from .scoring import record_scores
from .state import TRICKS, State


def decide(state: State, command: Move[Action] | TimeOut | RecordScores) -> tuple[Event, ...]:
    """Return what a command brings about, or raise IllegalMove. Every accepted command yields at least one event."""
    if isinstance(command, Move):
        return _move(state, command)
    if isinstance(command, TimeOut):
        return _time_out(state, command)
    return record_scores(state, command)


def _move(state: State, move: Move[Action]) -> tuple[Event, ...]:
    if not is_legal(state, move):
        _refuse(state, move)
    return _done(state, move.seat, move.action, by_engine=False)


def _time_out(state: State, command: TimeOut) -> tuple[Event, ...]:
    seat = command.seat
    _check_asked(state, seat, command.window)
    assert seat is not None, "this game has no pauses"
    return _done(state, seat, default(state, seat), by_engine=True)


def _refuse(state: State, move: Move[Action]) -> NoReturn:
    """Raise what is wrong with a move, the gravest first."""
    action = move.action
    _check_exists(state, action)
    _check_asked(state, move.seat, move.window)
    if isinstance(action, ChooseTrump):
        raise IllegalMove("NOT_ASKED_FOR", asked_for="a card")
    if state.phase is not TRICKS:
        raise IllegalMove("NOT_ASKED_FOR", asked_for="trump")
    if action.card not in state.hands[move.seat]:
        raise IllegalMove("CARD_NOT_IN_HAND", card=card_name(action.card))
    led = led_suit(state)
    assert led is not None, "every card may be led"
    raise IllegalMove("MUST_FOLLOW_SUIT", suit=SUIT_NAMES[led])


def _check_exists(state: State, action: Action) -> None:
    # Malformed whatever the state, so it comes before any question of turn.
    if isinstance(action, PlayCard) and action.card not in CARDS_IN_PLAY[state.seats]:
        raise IllegalMove("UNKNOWN_CARD", card=card_name(action.card))
    if isinstance(action, ChooseTrump) and action.suit not in SUITS:
        raise IllegalMove("BAD_REQUEST", suit=action.suit)


def _check_asked(state: State, seat: Seat | None, window: int) -> None:
    if 0 < window <= state.answered:
        raise IllegalMove("WINDOW_CLOSED", window=window)
    asked = asked_seat(state)
    if asked is None:
        raise IllegalMove("NOT_YOUR_TURN")
    if seat != asked:
        raise IllegalMove("NOT_YOUR_TURN", asked_seat=asked, window=state.answered + 1)
    if window != state.answered + 1:
        raise IllegalMove("NOT_ASKED_FOR", window=state.answered + 1)


def _done(state: State, seat: Seat, action: Action, by_engine: bool) -> tuple[Event, ...]:
    if isinstance(action, ChooseTrump):
        return (TrumpSet(action.suit, seat, by_engine),)
    played = CardPlayed(seat, action.card, by_engine)
    if len(state.plays) + 1 < state.seats:
        return (played,)
    events = (played, *_trick_taken(state, (*state.plays, action.card)))
    if len(state.tricks) + 1 < HAND_SIZE[state.seats]:
        return events
    return (*events, *_round_played(reduce(evolve, events, state)))


def _trick_taken(state: State, cards: tuple[Card, ...]) -> tuple[Event, ...]:
    """Return who takes a complete trick and what cats catch at once, in the order they lie. [CT 4.5-4.7, 6.1-6.3]"""
    winner = (state.leader + taking(cards, state.trump, SUIT_OF, VALUE_OF)) % state.seats
    number, won = len(state.tricks) + 1, state.won[winner] + 1
    caught = [
        CatDecided(i, (winner,))
        for i, on_table in enumerate(state.cats)
        if not on_table.decided and caught_by_trick(on_table.cat.kind, number, cards, won)
    ]
    return (TrickWon(number, winner), *caught)


def _round_played(state: State) -> tuple[Event, ...]:
    """Return the captures at the end, in the order the cats lie, and the facts of the round. [CT 6.4-6.12]"""
    decided = tuple(
        CatDecided(i, caught_by_round(on_table.cat.kind, state))
        for i, on_table in enumerate(state.cats)
        if not on_table.decided
    )
    settled: State = reduce(evolve, decided, state)
    captures = tuple(Capture(on_table.cat, on_table.caught) for on_table in settled.cats)
    facts = RoundFacts(tricks=settled.won, captures=captures)
    return (*decided, RoundPlayed(state.round, last=state.round == state.rounds, facts=facts))
