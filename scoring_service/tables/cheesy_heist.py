"""Results in Cheesy Heist: who won, from what the hands held at the end (rulebook, "End of the Game")."""

from collections.abc import Sequence

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard.scoring.v1 import scoring_pb2

from .game_table import GameTable, PlayedRound, Scored, places_by, refuse

SEATS = range(2, 6)
CHEESE, CATS = 16, 12
"""So many of them there are."""


def score(facts: heist.RoundFacts) -> Scored:
    """Return 1 point for each seat that wins, 0 for others.

    Raises:
        FactsMalformed: the facts cannot be those of a game.
    """
    _check(facts)
    won = winners(facts)
    points = tuple(int(seat in won) for seat in range(_seats(facts)))
    return Scored(points, scoring_pb2.ScoreDetail(cheesy_heist=heist.ScoreDetail(winners=won)))


def winners(facts: heist.RoundFacts) -> list[int]:
    """Return the seats with the most Cheese of those without a Cat; none if everyone has one: everyone loses.

    Before the last drop somebody reached the goal, and whoever has the most then has reached it too.
    """
    free = [cheese for cheese, cats in zip(facts.cheese, facts.cats, strict=True) if not cats]
    return [seat for seat in range(_seats(facts)) if not facts.cats[seat] and facts.cheese[seat] == max(free)]


def rank(rounds: Sequence[PlayedRound[heist.RoundFacts]]) -> tuple[int, ...]:
    """Return the places: winners, then those without a Cat, then the most Cheese. If everyone loses, all are last."""
    facts = rounds[-1].facts
    won = winners(facts)
    if not won:
        return (_seats(facts),) * _seats(facts)
    seats = range(_seats(facts))
    return places_by([(seat in won, not facts.cats[seat], facts.cheese[seat]) for seat in seats])


def _check(facts: heist.RoundFacts) -> None:
    seats = _seats(facts)
    if seats not in SEATS:
        refuse("cheese", f"must have {SEATS.start} to {SEATS.stop - 1} entries, one a seat, not {seats}")
    if len(facts.cats) != seats:
        refuse("cats", f"must have {seats} entries, one a seat, not {len(facts.cats)}")
    for field, held, most in (("cheese", facts.cheese, CHEESE), ("cats", facts.cats, CATS)):
        if min(held) < 0 or sum(held) > most:
            refuse(field, f"there are {most} in the game, none of them less than once")
    if not 1 <= facts.goal <= CHEESE:
        refuse("goal", f"must be 1 to {CHEESE}")
    if not facts.last_drop and not any(
        cheese >= facts.goal and not cats for cheese, cats in zip(facts.cheese, facts.cats, strict=True)
    ):
        refuse("last_drop", "nobody has reached the goal, so the draw pile must have run out")


def _seats(facts: heist.RoundFacts) -> int:
    return len(facts.cheese)


TABLE = GameTable(name="cheesy_heist", seats=_seats, score=score, rank=rank)
