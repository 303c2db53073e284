"""What the points of a round bring: they are written down, the deal is opened, and the game goes on or ends. [CT 8]"""

from functools import reduce

from engine_service.rules.game import IllegalMove, RecordScores

from .dealing import next_round
from .events import DealRevealed, Event, GameEnded, RoundScored
from .evolve import evolve
from .state import SCORING, RoundScore, SeatScore, State


def record_scores(state: State, command: RecordScores) -> tuple[Event, ...]:
    """Return what follows when the scores of the round that was just played come; refused at any other time."""
    if state.phase is not SCORING or command.round != state.round:
        raise IllegalMove("WINDOW_CLOSED", round=command.round)
    scored: tuple[Event, ...] = (RoundScored(_round_score(state, command), command.totals), _deal_revealed(state))
    if state.round == state.rounds:
        assert len(command.places) == state.seats, "the last round's scores come with places"
        return (*scored, GameEnded(command.places))
    return (*scored, *next_round(reduce(evolve, scored, state)))


def _round_score(state: State, command: RecordScores) -> RoundScore:
    worth = command.detail.points_per_trick
    assert len(worth) == len(command.points) == len(command.totals) == state.seats, "scores come by seat"
    seats = tuple(
        SeatScore(
            tricks=state.won[seat],
            cats=sum(seat in on_table.caught for on_table in state.cats),
            points_per_trick=worth[seat],
            points=command.points[seat],
        )
        for seat in range(state.seats)
    )
    return RoundScore(round=state.round, seats=seats, cats=state.cats)


def _deal_revealed(state: State) -> DealRevealed:
    dealt: list[list[int]] = [[] for _ in range(state.seats)]
    for trick in state.tricks:
        for i, card in enumerate(trick.cards):
            dealt[(trick.leader + i) % state.seats].append(card)
    hands = tuple(tuple(sorted(hand)) for hand in dealt)
    return DealRevealed(round=state.round, seed=state.seed, hands=hands, set_aside=state.set_aside)
