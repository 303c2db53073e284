"""All chance of the game. Everything is drawn from its one seed, each time under a label of its own. [CH 1.7]

The deal: "dealer", "cards". Later draws carry a number, counted from 1 over the whole game: "thief/1", "grater/2",
"pile/2", "drop/3".
"""

from engine_service.rules.game import Seat
from engine_service.rules.shuffle import commitment, derived, picked, shuffled

from .cards import HAND_SIZE, PACK, Card, Cards
from .events import CardsDealt, Event, GameStarted, TurnStarted
from .options import Options, goal_of
from .state import State

GRATED = 2


def setup(options: Options, seats: int, key: bytes) -> tuple[Event, ...]:
    """Return the first events of a game: options that `check_options` allows, key of 32 bytes. [CH 1, 2.1]"""
    seed = derived(key, "game")
    dealer = picked(seats, seed, "dealer") if options.dealer is None else options.dealer
    goal = goal_of(options, seats)
    hands, draw_pile = dealt(seats, seed)
    return (
        GameStarted(options, seats, goal, dealer, seed, commitment(seed)),
        CardsDealt(hands, draw_pile),
        TurnStarted(turn=1, seat=(dealer + 1) % seats),
    )


def dealt(seats: int, seed: bytes) -> tuple[tuple[Cards, ...], Cards]:
    """Return the hands, sorted, and the draw pile that a seed gives."""
    cards = shuffled(PACK, seed, "cards")
    hands = tuple(tuple(sorted(cards[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])) for seat in range(seats))
    return hands, cards[seats * HAND_SIZE :]


def stolen(state: State, target: Seat) -> Card:
    """Return the card that a Thief takes from a hand. [CH 4.1]"""
    hand = state.hands[target]
    return hand[picked(len(hand), state.seed, f"thief/{state.chances + 1}")]


def grated(state: State, target: Seat) -> tuple[Cards, Cards]:
    """Return the cards that a Grater takes from a hand, sorted, and the draw pile with them. [CH 4.2]"""
    number = state.chances + 1
    cards = tuple(sorted(shuffled(state.hands[target], state.seed, f"grater/{number}")[:GRATED]))
    return cards, shuffled((*state.draw_pile, *cards), state.seed, f"pile/{number}")


def scattered(state: State, cards: Cards) -> Cards:
    """Return dropped cards by the places they fall on. [CH 5.3]"""
    return shuffled(cards, state.seed, f"drop/{state.chances + 1}")
