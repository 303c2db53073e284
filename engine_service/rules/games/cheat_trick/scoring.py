"""What the points of a round bring: they are written down, the deal is opened, and the game goes on or ends. [CHT 8]"""

from functools import reduce

from engine_service.rules.game import IllegalMove, RecordScores

from .bidding import bid_of
from .dealing import next_round
from .events import DealRevealed, Event, GameEnded, RoundScored, VetoedDealsRevealed
from .evolve import evolve
from .following import card_of_seat
from .state import Phase, RoundScore, SeatScore, State


def record_scores(state: State, command: RecordScores) -> tuple[Event, ...]:
    """Return what follows when the scores of the round that was just played come; refused at any other time."""
    if state.phase is not Phase.SCORING or command.round != state.round:
        raise IllegalMove("WINDOW_CLOSED", round=command.round)
    scored: tuple[Event, ...] = (RoundScored(_round_score(state, command), command.totals), _deal_revealed(state))
    if state.round < state.rounds:
        return (*scored, *next_round(reduce(evolve, scored, state)))
    assert len(command.places) == state.seats, "the last round's scores come with places"
    return (*scored, VetoedDealsRevealed(state.vetoed), GameEnded(command.places))


def _round_score(state: State, command: RecordScores) -> RoundScore:
    details, won = command.detail.seats, [trick.winner for trick in state.tricks]
    assert len(details) == len(command.points) == len(command.totals) == state.seats, "scores come by seat"
    seats = tuple(
        SeatScore(
            bid=bid_of(state.calls, seat),
            trick_value=details[seat].trick_value,
            won=won.count(seat),
            counted=details[seat].tricks,
            own_points=details[seat].points,
            points=command.points[seat],
        )
        for seat in range(state.seats)
    )
    return RoundScore(round=state.round, seats=seats)


def _deal_revealed(state: State) -> DealRevealed:
    hands = tuple(tuple(sorted(card_of_seat(trick, seat) for trick in state.tricks)) for seat in range(state.seats))
    return DealRevealed(state.round, state.deal, state.seed, hands, state.turned_up)
