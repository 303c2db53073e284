"""What anyone sees: the only door from a state or an event to a viewer. [CT 7]

Everything is built field by field from nothing; a field that is not named here stays unseen.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine_service.rules.game import Seat

from .captures import counted_cards
from .cards import HAND_SIZE, Card
from .cats import counted_by
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
from .options import HOUSE_CAT, WILD_CAT
from .state import OVER, TRICKS, State
from .views import (
    CardsDealtSeen,
    GameStartedSeen,
    Play,
    RoundPlayedSeen,
    RoundStartedSeen,
    SeatView,
    Seen,
    TrickView,
    View,
)


def public(state: State) -> View:
    """Return what everyone sees of the state."""
    hand_counts = map(len, state.hands)
    return View(
        phase=state.phase,
        round=state.round,
        rounds=state.rounds,
        starter=state.starter,
        trump=state.trump,
        trump_chooser=state.trump_chooser,
        cats=state.cats,
        hand=(),
        seats=tuple(map(SeatView, hand_counts, state.won, _open_cards(state), state.totals)),
        trick=_trick(state),
        last_trick=_last_trick(state),
        tricks_in_round=HAND_SIZE[state.seats],
        scored=state.scored,
        commitment=state.commitment,
        places=state.places,
    )


def own(told: View, state: State, seat: Seat) -> View:
    """Return what a seat sees: what everyone does, and its hand."""
    return replace(told, hand=state.hands[seat])


def veils(state: State, event: Event) -> bool:
    """Return whether an event turns the trick before face down, so that nobody may look back any more. [CT 7.4]"""
    leads = isinstance(event, CardPlayed) and not state.plays
    return leads and bool(state.tricks) and state.options.level == WILD_CAT


def _open_cards(state: State) -> tuple[tuple[Card, ...], ...]:
    """Return the won cards that lie open before each seat, sorted. [CT 7.2]"""
    counted = [thing for on_table in state.cats if (thing := counted_by(on_table.cat.kind)) is not None]
    if state.options.level != HOUSE_CAT or not counted:
        return ((),) * state.seats
    shown = frozenset().union(*map(counted_cards, counted))
    opened: list[list[Card]] = [[] for _ in range(state.seats)]
    for trick in state.tricks:
        opened[trick.winner] += shown.intersection(trick.cards)
    return tuple([tuple(sorted(cards)) for cards in opened])


def _plays(leader: Seat, cards: tuple[Card, ...], seats: int) -> tuple[Play, ...]:
    return tuple([Play((leader + i) % seats, card) for i, card in enumerate(cards)])


def _trick(state: State) -> TrickView | None:
    if state.phase is not TRICKS:
        return None
    return TrickView(len(state.tricks) + 1, _plays(state.leader, state.plays, state.seats))


def _last_trick(state: State) -> TrickView | None:
    """Return the trick before: it lies open until the next lead, the last of a round until the scores come. [CT 7.3]"""
    if state.plays or not state.tricks or state.phase is OVER:
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
    return RoundStartedSeen(round=event.round, starter=event.starter, cats=event.cats, commitment=event.commitment)


def _cards_dealt(event: CardsDealt, seat: Seat | None) -> Seen:
    return CardsDealtSeen(
        hand=() if seat is None else event.hands[seat],
        hand_count=len(event.hands[0]),
        set_aside_count=len(event.set_aside),
    )


def _trump_set(event: TrumpSet, seat: Seat | None) -> Seen:
    return TrumpSet(suit=event.suit, seat=event.seat, by_engine=event.by_engine)


def _card_played(event: CardPlayed, seat: Seat | None) -> Seen:
    return CardPlayed(seat=event.seat, card=event.card, by_engine=event.by_engine)


def _trick_won(event: TrickWon, seat: Seat | None) -> Seen:
    return TrickWon(trick=event.trick, seat=event.seat)


def _cat_decided(event: CatDecided, seat: Seat | None) -> Seen:
    return CatDecided(cat_index=event.cat_index, seats=event.seats)


def _round_played(event: RoundPlayed, seat: Seat | None) -> Seen:
    return RoundPlayedSeen(round=event.round)


def _round_scored(event: RoundScored, seat: Seat | None) -> Seen:
    return RoundScored(score=event.score, totals=event.totals)


def _deal_revealed(event: DealRevealed, seat: Seat | None) -> Seen:
    return DealRevealed(round=event.round, seed=event.seed, hands=event.hands, set_aside=event.set_aside)


def _game_ended(event: GameEnded, seat: Seat | None) -> Seen:
    return GameEnded(places=event.places)


_SEEN: dict[type, Callable[[Any, Seat | None], Seen]] = {
    GameStarted: _game_started,
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
