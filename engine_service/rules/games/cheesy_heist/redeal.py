"""Another state that a seat cannot tell from the given one: what the leak law compares. For tests only.

It never asks what a seat sees: it knows by itself what is hidden. Hidden are the hands of others but those that Mirage
sets show, what they dropped, the draw pile and the seed. Who would win at the end of the turn stays as it is, for that
will show.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine_service.rules.game import Seat
from engine_service.rules.shuffle import below, derived, words

from .cards import Card
from .ending import reaches_goal
from .state import Phase, State

_SWAPS_PER_CARD = 3

Places = list[tuple[int, int]]
Piles = list[list[Card | None]]
"""Hands by seat, then dropped cards by owner, then the draw pile."""


def redeal(state: State, seat: Seat | None, seed: bytes) -> State:
    """Return a state with the same outside for this seat (None: a spectator) and other secrets."""
    piles: Piles = [list(cards) for cards in (*state.hands, *state.dropped, state.draw_pile)]
    winners = _would_win(state, piles)
    places, stream = list(_hidden(state, seat, piles)), words(seed, "redeal")
    for _ in range(_SWAPS_PER_CARD * len(places)):
        one, other = places[below(stream, len(places))], places[below(stream, len(places))]
        _swap(piles, one, other)
        if _would_win(state, piles) != winners:
            _swap(piles, one, other)
    seats = state.seats
    return replace(
        state,
        seed=derived(seed, "seed"),
        hands=tuple(tuple(sorted(card for card in hand if card is not None)) for hand in piles[:seats]),
        dropped=tuple(map(tuple, piles[seats : 2 * seats])),
        draw_pile=tuple(card for card in piles[-1] if card is not None),
        kept=tuple(kept if kept.seat == seat else replace(kept, cards=kept.cards[::-1]) for kept in state.kept),
    )


def _hidden(state: State, seat: Seat | None, piles: Piles) -> Iterator[tuple[int, int]]:
    """Yield the places, as pile and index, of all cards that this seat does not know."""
    counted = state.phase in (Phase.SCORING, Phase.OVER)
    shown = {each.seat for each in state.shown}
    for pile, cards in enumerate(piles):
        is_hand = pile < state.seats
        known = pile < 2 * state.seats and pile % state.seats == seat
        if known or (is_hand and (counted or pile in shown)):
            continue
        yield from ((pile, i) for i, card in enumerate(cards) if card is not None)


def _swap(piles: Piles, one: tuple[int, int], other: tuple[int, int]) -> None:
    (pile, i), (to, j) = one, other
    piles[pile][i], piles[to][j] = piles[to][j], piles[pile][i]


def _would_win(state: State, piles: Piles) -> tuple[bool, ...]:
    """Return, by seat, whether it would win if the turn ended with the next thing that can end it."""
    hands = [[card for card in hand if card is not None] for hand in piles[: state.seats]]
    dropped = [[card for card in cards if card is not None] for cards in piles[state.seats : -1]]
    if state.phase is Phase.TURN:
        hands.append([*hands[state.turn_seat], *(card for card in piles[-1][:1] if card is not None)])
    elif state.phase is Phase.REACTION:  # A Decoy gives everything back.
        hands = [[*hand, *cards] for hand, cards in zip(hands, dropped, strict=True)]
    elif state.phase is Phase.COLLECTION and sum(map(len, dropped)) == 1:
        hands[state.collector] += [card for cards in dropped for card in cards]
    return tuple(reaches_goal(tuple(hand), state.goal) for hand in hands)
