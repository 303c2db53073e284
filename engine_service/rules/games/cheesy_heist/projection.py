"""What anyone sees: the only door from a state or an event to a viewer. [CH 10]

Everything is built field by field from nothing; a field that is not named here stays unseen.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine_service.rules.game import Seat

from .cards import Card
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
from .reaction import is_choosing
from .state import Phase, State
from .views import (
    CardDrawnSeen,
    CardsDealtSeen,
    CardsDroppedSeen,
    CardTakenSeen,
    GameStartedSeen,
    GraterPlayedSeen,
    HandsCountedSeen,
    Lying,
    SeatView,
    Seen,
    ThiefPlayedSeen,
    View,
)


def public(state: State) -> View:
    """Return what everyone sees of the state."""
    return View(
        phase=state.phase,
        turn=state.turn,
        turn_seat=state.turn_seat,
        goal=state.goal,
        hand=(),
        seats=tuple([_seat(state, seat) for seat in range(state.seats)]),
        draw_count=len(state.draw_pile),
        discards=state.discards,
        shown=state.shown,
        last_drop=state.last_drop,
        time_over=state.time_over,
        collector=state.collector if state.phase is Phase.COLLECTION else None,
        reaction_seconds=state.options.reaction_seconds,
        score=state.score,
        commitment=state.commitment,
        places=state.places,
    )


def own(told: View, state: State, seat: Seat) -> View:
    """Return what a seat sees: what everyone does, its hand, and what it dropped itself."""
    seats = told.seats
    if state.dropped[seat]:
        dropped = tuple([Lying(place, card) for place, card in _lying(state, seat)])
        seats = (*seats[:seat], replace(seats[seat], lying=dropped), *seats[seat + 1 :])
    return replace(told, hand=state.hands[seat], seats=seats)


def _seat(state: State, seat: Seat) -> SeatView:
    counted = state.phase in (Phase.SCORING, Phase.OVER)
    return SeatView(
        hand_count=len(state.hands[seat]),
        down=state.down[seat],
        vaulted=state.vaulted[seat],
        choosing=is_choosing(state, seat),
        lying=tuple([Lying(place) for place, _ in _lying(state, seat)]),
        hand=state.hands[seat] if counted else (),
    )


def _lying(state: State, owner: Seat) -> list[tuple[int, Card]]:
    """Return the cards that a seat dropped and that are still there, by place."""
    return [(place, card) for place, card in enumerate(state.dropped[owner]) if card is not None]


def veils(state: State, event: Event) -> bool:
    """Return False: nothing that was seen is hidden again."""
    return False


def seen(event: Event, seat: Seat | None) -> Seen:
    """Return an event as a seat (None: a spectator) sees it."""
    told: Seen = _SEEN[type(event)](event, seat)
    return told


def _game_started(event: GameStarted, seat: Seat | None) -> Seen:
    return GameStartedSeen(goal=event.goal, dealer=event.dealer, commitment=event.commitment)


def _cards_dealt(event: CardsDealt, seat: Seat | None) -> Seen:
    return CardsDealtSeen(
        hand=() if seat is None else event.hands[seat],
        hand_count=len(event.hands[0]),
        draw_count=len(event.draw_pile),
    )


def _turn_started(event: TurnStarted, seat: Seat | None) -> Seen:
    return TurnStarted(turn=event.turn, seat=event.seat)


def _card_drawn(event: CardDrawn, seat: Seat | None) -> Seen:
    card = event.card if seat == event.seat else None
    return CardDrawnSeen(seat=event.seat, card=card, by_engine=event.by_engine)


def _mirages_played(event: MiragesPlayed, seat: Seat | None) -> Seen:
    return MiragesPlayed(seat=event.seat, cards=event.cards, target=event.target, shown=event.shown)


def _thief_played(event: ThiefPlayed, seat: Seat | None) -> Seen:
    card = event.card if seat in (event.seat, event.target) else None
    return ThiefPlayedSeen(seat=event.seat, target=event.target, card=card)


def _grater_played(event: GraterPlayed, seat: Seat | None) -> Seen:
    cards = event.cards if seat in (event.seat, event.target) else ()
    return GraterPlayedSeen(seat=event.seat, target=event.target, count=len(event.cards), cards=cards)


def _gift_played(event: GiftPlayed, seat: Seat | None) -> Seen:
    return GiftPlayed(seat=event.seat, target=event.target)


def _cat_played(event: CatPlayed, seat: Seat | None) -> Seen:
    return CatPlayed(seat=event.seat)


def _last_drop_called(event: LastDropCalled, seat: Seat | None) -> Seen:
    return LastDropCalled(seat=event.seat, by_engine=event.by_engine)


def _reaction_time_ended(event: ReactionTimeEnded, seat: Seat | None) -> Seen:
    return ReactionTimeEnded()


def _vault_played(event: VaultPlayed, seat: Seat | None) -> Seen:
    return VaultPlayed(seat=event.seat, wasted=event.wasted)


def _decoy_played(event: DecoyPlayed, seat: Seat | None) -> Seen:
    return DecoyPlayed(seat=event.seat, wasted=event.wasted)


def _cards_dropped(event: CardsDropped, seat: Seat | None) -> Seen:
    kept, own = event.kept or (), seat == event.seat
    return CardsDroppedSeen(
        seat=event.seat,
        count=len(event.cards),
        cards=event.cards if own else (),
        kept_count=len(kept),
        kept=kept if own else (),
        by_engine=event.by_engine,
    )


def _collection_started(event: CollectionStarted, seat: Seat | None) -> Seen:
    return CollectionStarted(seat=event.seat)


def _card_taken(event: CardTaken, seat: Seat | None) -> Seen:
    return CardTakenSeen(
        seat=event.seat,
        owner=event.owner,
        place=event.place,
        card=event.card if seat in (event.seat, event.owner) else None,
        by_engine=event.by_engine,
    )


def _hands_counted(event: HandsCounted, seat: Seat | None) -> Seen:
    return HandsCountedSeen(hands=event.hands, last_drop=event.facts.last_drop)


def _result_recorded(event: ResultRecorded, seat: Seat | None) -> Seen:
    return ResultRecorded(score=event.score)


def _game_revealed(event: GameRevealed, seat: Seat | None) -> Seen:
    return GameRevealed(seed=event.seed, hands=event.hands, draw_pile=event.draw_pile, kept=event.kept)


def _game_ended(event: GameEnded, seat: Seat | None) -> Seen:
    return GameEnded(places=event.places)


_SEEN: dict[type, Callable[[Any, Seat | None], Seen]] = {
    GameStarted: _game_started,
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
