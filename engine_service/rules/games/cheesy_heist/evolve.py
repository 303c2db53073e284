"""What each event does to the state. No rules are here: an event says what became of things, this writes it down."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from .cards import CAT, DECOY, GIFT, GRATER, THIEF, VAULT, Card, Cards
from .events import (
    CardDrawn,
    CardsDealt,
    CardsDropped,
    CardTaken,
    CatPlayed,
    CollectionStarted,
    DecoyPlayed,
    Event,
    GameEnded,
    GameRevealed,
    GameStarted,
    GiftPlayed,
    GraterPlayed,
    HandsCounted,
    LastDropCalled,
    MiragesPlayed,
    ReactionTimeEnded,
    ResultRecorded,
    ThiefPlayed,
    TurnStarted,
    VaultPlayed,
)
from .state import Kept, Phase, Shown, State

Item = TypeVar("Item")


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event; None is the state before the first."""
    if isinstance(event, GameStarted):
        return _game_started(event)
    assert state is not None, "a game begins with GameStarted"
    return _AFTER[type(event)](state, event)


def _put(items: tuple[Item, ...], at: int, item: Item) -> tuple[Item, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _with_cards(hand: Cards, cards: Iterable[Card]) -> Cards:
    return tuple(sorted((*hand, *cards)))


def _without(hand: Cards, cards: Iterable[Card]) -> Cards:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def _next_question(state: State) -> State:
    window = state.last_window + 1
    return replace(state, window=window, last_window=window)


def _discarded(state: State, seat: int, *cards: Card) -> State:
    hands = _put(state.hands, seat, _without(state.hands[seat], cards))
    return replace(state, hands=hands, discards=(*state.discards, *cards))


def _lost(state: State, seat: int, cards: Cards) -> State:
    return replace(state, hands=_put(state.hands, seat, _without(state.hands[seat], cards)))


def _gained(state: State, seat: int, cards: Cards) -> State:
    return replace(state, hands=_put(state.hands, seat, _with_cards(state.hands[seat], cards)))


def _game_started(event: GameStarted) -> State:
    return State(
        options=event.options,
        seats=event.seats,
        goal=event.goal,
        seed=event.seed,
        commitment=event.commitment,
        dealer=event.dealer,
    )


def _cards_dealt(state: State, event: CardsDealt) -> State:
    return replace(state, hands=event.hands, draw_pile=event.draw_pile)


def _turn_started(state: State, event: TurnStarted) -> State:
    state = _table_cleared(replace(state, phase=Phase.TURN, turn=event.turn, turn_seat=event.seat))
    return _next_question(state)


def _table_cleared(state: State) -> State:
    none = (False,) * state.seats
    return replace(
        state,
        shown=(),
        time_over=False,
        down=none,
        dropped=((),) * state.seats,
        vaulted=none,
        vault_windows=(0,) * state.seats,
    )


def _card_drawn(state: State, event: CardDrawn) -> State:
    return replace(_gained(state, event.seat, (event.card,)), draw_pile=state.draw_pile[1:])


def _mirages_played(state: State, event: MiragesPlayed) -> State:
    state = _discarded(state, event.seat, *event.cards)
    return _next_question(replace(state, shown=(*state.shown, Shown(event.target, event.shown))))


def _thief_played(state: State, event: ThiefPlayed) -> State:
    state = _lost(_discarded(state, event.seat, THIEF), event.target, (event.card,))
    return _next_question(_by_chance(_gained(state, event.seat, (event.card,))))


def _grater_played(state: State, event: GraterPlayed) -> State:
    state = _lost(_discarded(state, event.seat, GRATER), event.target, event.cards)
    return _next_question(_by_chance(replace(state, draw_pile=event.draw_pile)))


def _gift_played(state: State, event: GiftPlayed) -> State:
    state = _lost(_discarded(state, event.seat, GIFT), event.seat, (CAT,))
    return _next_question(_gained(state, event.target, (CAT,)))


def _by_chance(state: State) -> State:
    return replace(state, chances=state.chances + 1)


def _cat_played(state: State, event: CatPlayed) -> State:
    return _window_opened(_discarded(state, event.seat, CAT))


def _last_drop_called(state: State, event: LastDropCalled) -> State:
    return _window_opened(replace(state, last_drop=True))


def _window_opened(state: State) -> State:
    window = state.last_window + 1
    return replace(_table_cleared(state), phase=Phase.REACTION, window=window, last_window=window + 1)


def _reaction_time_ended(state: State, event: ReactionTimeEnded) -> State:
    return replace(state, time_over=True)


def _vault_played(state: State, event: VaultPlayed) -> State:
    seat, window = event.seat, state.last_window + 1
    state = replace(_discarded(state, seat, VAULT), vaulted=_put(state.vaulted, seat, True))
    if event.wasted:
        return state
    return replace(state, vault_windows=_put(state.vault_windows, seat, window), last_window=window)


def _decoy_played(state: State, event: DecoyPlayed) -> State:
    state = _discarded(state, event.seat, DECOY)
    if event.wasted:
        return state
    hands = tuple(
        _with_cards(hand, (card for card in cards if card is not None))
        for hand, cards in zip(state.hands, state.dropped, strict=True)
    )
    return replace(_table_cleared(state), hands=hands)


def _cards_dropped(state: State, event: CardsDropped) -> State:
    seat = event.seat
    state = _by_chance(_lost(state, seat, event.cards))
    if event.kept:
        state = replace(state, kept=(*state.kept, Kept(seat, event.kept)))
    return replace(
        state,
        down=_put(state.down, seat, True),
        dropped=_put(state.dropped, seat, event.cards),
        vault_windows=_put(state.vault_windows, seat, 0),
    )


def _collection_started(state: State, event: CollectionStarted) -> State:
    return _next_question(replace(state, phase=Phase.COLLECTION, collector=event.seat))


def _card_taken(state: State, event: CardTaken) -> State:
    places = _put(state.dropped[event.owner], event.place, None)
    state = replace(state, dropped=_put(state.dropped, event.owner, places))
    state = replace(_gained(state, event.seat, (event.card,)), collector=(event.seat + 1) % state.seats)
    return _next_question(state)


def _hands_counted(state: State, event: HandsCounted) -> State:
    return replace(_table_cleared(state), phase=Phase.SCORING)


def _result_recorded(state: State, event: ResultRecorded) -> State:
    return replace(state, score=event.score)


def _game_revealed(state: State, event: GameRevealed) -> State:
    return state


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=Phase.OVER, places=event.places)


_AFTER: dict[type, Callable[[State, Any], State]] = {
    CardsDealt: _cards_dealt,
    TurnStarted: _turn_started,
    CardDrawn: _card_drawn,
    MiragesPlayed: _mirages_played,
    ThiefPlayed: _thief_played,
    GraterPlayed: _grater_played,
    GiftPlayed: _gift_played,
    CatPlayed: _cat_played,
    LastDropCalled: _last_drop_called,
    ReactionTimeEnded: _reaction_time_ended,
    VaultPlayed: _vault_played,
    DecoyPlayed: _decoy_played,
    CardsDropped: _cards_dropped,
    CollectionStarted: _collection_started,
    CardTaken: _card_taken,
    HandsCounted: _hands_counted,
    ResultRecorded: _result_recorded,
    GameRevealed: _game_revealed,
    GameEnded: _game_ended,
}
