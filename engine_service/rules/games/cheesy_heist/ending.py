"""How turns end, and the game: the goal is checked, hands are counted, the result is written down. [CH 8]"""

from engine_service.rules.game import IllegalMove, RecordScores

from .cards import CAT, CHEESE, Cards
from .chance import dealt
from .events import Event, GameEnded, GameRevealed, HandsCounted, ResultRecorded, TurnStarted
from .facts import RoundFacts
from .state import Phase, SeatScore, State


def reaches_goal(hand: Cards, goal: int) -> bool:
    """Return whether a hand wins at the end of a turn. [CH 8.1]"""
    return hand.count(CHEESE) >= goal and CAT not in hand


def turn_ended(state: State, following: int) -> Event:
    """Return the end of the game if any hand wins, else the turn of the following seat. [CH 2.1, 8.2]"""
    if any(reaches_goal(hand, state.goal) for hand in state.hands):
        return hands_counted(state)
    return TurnStarted(state.turn + 1, following % state.seats)


def hands_counted(state: State) -> HandsCounted:
    """Return the end of the game with its facts."""
    cheese = tuple(hand.count(CHEESE) for hand in state.hands)
    cats = tuple(hand.count(CAT) for hand in state.hands)
    return HandsCounted(state.hands, RoundFacts(cheese, cats, state.goal, state.last_drop))


def record_scores(state: State, command: RecordScores) -> tuple[Event, ...]:
    """Return what follows when the scores come; refused at any other time."""
    if state.phase is not Phase.SCORING or command.round != 1:
        raise IllegalMove("WINDOW_CLOSED", round=command.round)
    assert len(command.places) == len(command.points) == state.seats, "scores come by seat, with places"
    hands, draw_pile = dealt(state.seats, state.seed)
    return (
        ResultRecorded(_score(state, command)),
        GameRevealed(state.seed, hands, draw_pile, state.kept),
        GameEnded(command.places),
    )


def _score(state: State, command: RecordScores) -> tuple[SeatScore, ...]:
    return tuple(
        SeatScore(
            cheese=hand.count(CHEESE),
            cats=hand.count(CAT),
            won=seat in command.detail.winners,
            points=command.points[seat],
        )
        for seat, hand in enumerate(state.hands)
    )
