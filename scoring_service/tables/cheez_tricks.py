"""Points in Cheez-Tricks: tricks won, times what the number of cats makes a trick worth (rulebook, "Scoring")."""

from collections.abc import Sequence

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez
from cheeseboard.scoring.v1 import scoring_pb2

from .game_table import GameTable, PlayedRound, Scored, places_by, refuse

POINTS_PER_TRICK = (2, 1, 0, 3)
"""By the number of cats that caught the seat; all three confuse each other."""

CATS = len(POINTS_PER_TRICK) - 1
SEATS = range(2, 6)
MOST_TRICKS = 12
"""No round has more: three players hold twelve cards each."""


def score(facts: cheez.RoundFacts) -> Scored:
    """Return the points of a round, by seat.

    Raises:
        FactsMalformed: the facts cannot be those of a round.
    """
    _check(facts)
    per_trick = [POINTS_PER_TRICK[cats] for cats in cats_by_seat(facts)]
    points = tuple(tricks * worth for tricks, worth in zip(facts.tricks, per_trick, strict=True))
    detail = scoring_pb2.ScoreDetail(cheez_tricks=cheez.ScoreDetail(points_per_trick=per_trick))
    return Scored(points, detail)


def cats_by_seat(facts: cheez.RoundFacts) -> list[int]:
    """Return how many cats caught each seat. One cat and one seat count once, however often it is listed."""
    caught = [set(capture.seats) for capture in facts.captures]
    return [sum(seat in seats for seats in caught) for seat in range(len(facts.tricks))]


def rank(rounds: Sequence[PlayedRound[cheez.RoundFacts]]) -> tuple[int, ...]:
    """Return each seat's place: most points, then the highest score in a single round; still tied: the same place."""
    by_seat = zip(*(played.points for played in rounds), strict=True)
    return places_by([(sum(points), max(points)) for points in by_seat])


def _check(facts: cheez.RoundFacts) -> None:
    seats = len(facts.tricks)
    if seats not in SEATS:
        refuse("tricks", f"must have {SEATS.start} to {SEATS.stop - 1} entries, one a seat, not {seats}")
    if min(facts.tricks) < 0:
        refuse("tricks", "a seat cannot win fewer than 0 tricks")
    if sum(facts.tricks) > MOST_TRICKS:
        refuse("tricks", f"no round has more than {MOST_TRICKS} tricks, these are {sum(facts.tricks)}")
    if len(facts.captures) != CATS:
        refuse("captures", f"must have {CATS} entries, one a cat on the table, not {len(facts.captures)}")
    for index, capture in enumerate(facts.captures):
        for seat in capture.seats:
            if not 0 <= seat < seats:
                refuse(f"captures[{index}].seats", f"there is no seat {seat} at a table of {seats}")


def _seats(facts: cheez.RoundFacts) -> int:
    return len(facts.tricks)


TABLE = GameTable(name="cheez_tricks", seats=_seats, score=score, rank=rank)
