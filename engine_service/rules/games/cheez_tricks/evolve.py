"""What each event does to the state. No rules are here: an event says what became of things, this writes it down."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from .events import (
    CardPlayed,
    CardsDealt,
    CatDecided,
    DealRevealed,
    Event,
    GameEnded,
    GameStarted,
    RoundPlayed,
    RoundScored,
    RoundStarted,
    TrickWon,
    TrumpSet,
)
from .state import OVER, SCORING, TRICKS, TRUMP, CatOnTable, State, Trick


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event; None is the state before the first."""
    if isinstance(event, GameStarted):
        return _game_started(event)
    assert state is not None, "a game begins with GameStarted"
    return _AFTER[type(event)](state, event)


def _game_started(event: GameStarted) -> State:
    none = (0,) * event.seats
    return State(options=event.options, seats=event.seats, rounds=event.rounds, key=event.key, won=none, totals=none)


def _round_started(state: State, event: RoundStarted) -> State:
    return replace(
        state,
        phase=TRUMP,
        round=event.round,
        starter=event.starter,
        trump_chooser=event.trump_chooser,
        seed=b"",
        commitment=event.commitment,
        cats=tuple(CatOnTable(cat) for cat in event.cats),
        cat_places=event.cat_places,
        discards=event.discards,
        hands=(),
        set_aside=(),
        trump=None,
        leader=event.starter,
        plays=(),
        tricks=(),
        won=(0,) * state.seats,
    )


def _cards_dealt(state: State, event: CardsDealt) -> State:
    return replace(state, hands=event.hands, set_aside=event.set_aside, seed=event.seed)


def _trump_set(state: State, event: TrumpSet) -> State:
    answered = state.answered + (event.seat is not None)
    return replace(state, phase=TRICKS, trump=event.suit, answered=answered)


def _card_played(state: State, event: CardPlayed) -> State:
    seat, hands, place = event.seat, state.hands, state.hands[event.seat].index(event.card)
    hand = hands[seat][:place] + hands[seat][place + 1 :]
    return replace(
        state,
        hands=(*hands[:seat], hand, *hands[seat + 1 :]),
        plays=(*state.plays, event.card),
        answered=state.answered + 1,
    )


def _trick_won(state: State, event: TrickWon) -> State:
    seat, won = event.seat, state.won
    return replace(
        state,
        tricks=(*state.tricks, Trick(state.leader, state.plays, seat)),
        won=(*won[:seat], won[seat] + 1, *won[seat + 1 :]),
        plays=(),
        leader=seat,
    )


def _cat_decided(state: State, event: CatDecided) -> State:
    cats = list(state.cats)
    cats[event.cat_index] = CatOnTable(cats[event.cat_index].cat, event.seats, decided=True)
    return replace(state, cats=tuple(cats))


def _round_played(state: State, event: RoundPlayed) -> State:
    return replace(state, phase=SCORING)


def _round_scored(state: State, event: RoundScored) -> State:
    return replace(state, scored=(*state.scored, event.score), totals=event.totals)


def _deal_revealed(state: State, event: DealRevealed) -> State:
    return state


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=OVER, places=event.places)


_AFTER: dict[type, Callable[[State, Any], State]] = {
    RoundStarted: _round_started,
    CardsDealt: _cards_dealt,
    TrumpSet: _trump_set,
    CardPlayed: _card_played,
    TrickWon: _trick_won,
    CatDecided: _cat_decided,
    RoundPlayed: _round_played,
    RoundScored: _round_scored,
    DealRevealed: _deal_revealed,
    GameEnded: _game_ended,
}
