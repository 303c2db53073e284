"""Tables laid out by hand for tests of single rules.

Hands are written in letters: C Cheese, D Decoy, V Cheese Vault, T Thief, G Gift, R Grater; m Moon, s Sponge, o Soap;
X Cat.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from engine_service.rules.game import IllegalMove, Move, Offer, Question, TimeOut
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import Action, Choice, DropAll, TakeCard
from engine_service.rules.games.cheesy_heist.events import CardsDealt, GameStarted, TurnStarted
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.games.cheesy_heist.state import State
from tests.rules.walks import evolved

LETTERS = "CDVTGRmsoX"
CHEESE, DECOY, VAULT, THIEF, GIFT, GRATER, MOON, SPONGE, SOAP, CAT = range(10)

PLAIN = Options()

E = TypeVar("E")


def cards(letters: str) -> tuple[int, ...]:
    return tuple(LETTERS.index(letter) for letter in letters)


def hand(letters: str) -> tuple[int, ...]:
    return tuple(sorted(cards(letters)))


def laid_out(*hands: str, draw: str = "mmmmmm", turn: int = 0, goal: int = 5, options: Options = PLAIN) -> State:
    """Return the beginning of a turn with these hands, by seat, and this draw pile, from the top."""
    dealer = (turn - 1) % len(hands)
    events: list[Any] = [
        GameStarted(replace(options, goal=goal), len(hands), goal, dealer, b"s" * 32, b"c" * 32),
        CardsDealt(tuple(map(hand, hands)), cards(draw)),
        TurnStarted(1, turn),
    ]
    state: State = evolved(CHEESY_HEIST, None, events)
    return state


def question(state: State, seat: int | None) -> Question:
    """Return the question to a seat, or the pause."""
    (asked,) = [question for question in CHEESY_HEIST.actors(state) if question.seat == seat]
    return asked


def asked(state: State) -> list[int]:
    """Return the seats that are asked."""
    return [question.seat for question in CHEESY_HEIST.actors(state) if question.seat is not None]


def offered(state: State, seat: int) -> list[Choice]:
    """Return what a seat may do."""
    return [offer.choice for offer in CHEESY_HEIST.offers(state, seat)]


def decided(state: State, seat: int, action: Action, window: int | None = None) -> tuple[Any, ...]:
    """Return what an action brings, in the window that the seat is asked or offered something in."""
    return CHEESY_HEIST.decide(state, Move(seat, _window(state, seat) if window is None else window, action))


def _window(state: State, seat: int) -> int:
    offers: tuple[Offer[Choice], ...] = CHEESY_HEIST.offers(state, seat)
    return offers[0].window if offers else state.window


def played(state: State, *moves: tuple[int, Action]) -> State:
    """Return the state after these actions, each of a seat."""
    for seat, action in moves:
        state = evolved(CHEESY_HEIST, state, decided(state, seat, action))
    return state


def dropped(state: State, *seats: int) -> State:
    """Return the state after these seats dropped all."""
    return played(state, *((seat, DropAll()) for seat in seats))


def time_out(state: State, seat: int | None) -> tuple[Any, ...]:
    """Return what happens when the time of a question, or of the pause (None), is over."""
    return CHEESY_HEIST.decide(state, TimeOut(seat, question(state, seat).window))


def timed_out(state: State, *seats: int | None) -> State:
    """Return the state after the time of these questions."""
    for seat in seats:
        state = evolved(CHEESY_HEIST, state, time_out(state, seat))
    return state


def refusal(state: State, seat: int, action: Action, window: int | None = None) -> IllegalMove:
    """Return how an action is refused."""
    try:
        decided(state, seat, action, window)
    except IllegalMove as refused:
        return refused
    raise AssertionError(f"{action} was accepted")


def lying(state: State, owner: int) -> list[int]:
    """Return the cards that lie before a seat."""
    return [card for card in state.dropped[owner] if card is not None]


def place_of(state: State, owner: int, card: int) -> TakeCard:
    """Return how to take a card that lies before a seat."""
    return TakeCard(owner, state.dropped[owner].index(card))


def only(events: Sequence[Any], kind: type[E]) -> E:
    """Return the one event of a kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event
