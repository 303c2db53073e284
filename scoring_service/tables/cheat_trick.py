"""Points in Cheat Trick: tricks above or below the bid, times what the order of passing makes a trick worth."""

from collections.abc import Sequence

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard.scoring.v1 import scoring_pb2

from .game_table import GameTable, PlayedRound, Scored, places_by, refuse

TRICKS = {3: 19, 4: 14}
"""By number of seats."""
TEAMS = ((0, 2), (1, 3))
RULES = (cheat.SPLIT_RULE_EXTRAS, cheat.SPLIT_RULE_ANY)


def score(facts: cheat.RoundFacts) -> Scored:
    """Return the points of a round, by seat; partners both have the sum of their team.

    Raises:
        FactsMalformed: the facts cannot be those of a round.
    """
    _check(facts)
    values = trick_values(facts)
    tricks = _split(facts, after_accusations(facts), values)
    own = [(won - bid) * value for won, bid, value in zip(tricks, facts.bids, values, strict=True)]
    seats = [
        cheat.SeatDetail(trick_value=value, tricks=won, points=points)
        for value, won, points in zip(values, tricks, own, strict=True)
    ]
    points = [own[seat] + own[(seat + 2) % 4] for seat in range(4)] if facts.split_rule else own
    return Scored(tuple(points), scoring_pb2.ScoreDetail(cheat_trick=cheat.ScoreDetail(seats=seats)))


def trick_values(facts: cheat.RoundFacts) -> list[int]:
    """Return what a trick is worth to each seat: one to the first who passed, one more to each after."""
    return [list(facts.pass_order).index(seat) + 1 for seat in range(len(facts.bids))]


def after_accusations(facts: cheat.RoundFacts) -> list[int]:
    """Return each seat's tricks when those that accusations moved are moved."""
    tricks = list(facts.tricks)
    for accusation in facts.accusations:
        tricks[accusation.seat] -= accusation.gave
        tricks[accusation.accuser] += accusation.gave
    return tricks


def best_split(facts: cheat.RoundFacts, tricks: Sequence[int], values: Sequence[int], team: int) -> tuple[int, int]:
    """Return the split that brings a team most: all that may be given goes to whose tricks are worth more."""
    total = sum(tricks[seat] for seat in TEAMS[team])
    kept = [_kept(facts, tricks, seat) for seat in TEAMS[team]]
    lower, higher = TEAMS[team]
    return (total - kept[1], kept[1]) if values[lower] > values[higher] else (kept[0], total - kept[0])


def rank(rounds: Sequence[PlayedRound[cheat.RoundFacts]]) -> tuple[int, ...]:
    """Return each seat's place: most points; who ties shares the place."""
    by_seat = zip(*(played.points for played in rounds), strict=True)
    return places_by([(sum(points),) for points in by_seat])


def _split(facts: cheat.RoundFacts, tricks: list[int], values: Sequence[int]) -> list[int]:
    for team, split in enumerate(facts.splits):
        said = tuple(split.tricks) or best_split(facts, tricks, values, team)
        for seat, count in zip(TEAMS[team], said, strict=True):
            tricks[seat] = count
    return tricks


def _kept(facts: cheat.RoundFacts, tricks: Sequence[int], seat: int) -> int:
    """Return what a seat cannot give away: with extras, its tricks up to its bid."""
    return min(tricks[seat], facts.bids[seat]) if facts.split_rule == cheat.SPLIT_RULE_EXTRAS else 0


def _check(facts: cheat.RoundFacts) -> None:
    seats = len(facts.bids)
    if seats not in TRICKS:
        refuse("bids", f"must have 3 or 4 entries, one a seat, not {seats}")
    if not all(1 <= bid <= TRICKS[seats] for bid in facts.bids):
        refuse("bids", f"a bid is 1 to {TRICKS[seats]}")
    if sorted(facts.pass_order) != list(range(seats)):
        refuse("pass_order", "must name every seat once")
    if len(facts.tricks) != seats or min(facts.tricks) < 0 or sum(facts.tricks) > TRICKS[seats]:
        refuse("tricks", f"must have an entry a seat, from 0, and no more than {TRICKS[seats]} in all")
    _check_accusations(facts, seats)
    if facts.split_rule or facts.splits:
        _check_splits(facts, seats)


def _check_accusations(facts: cheat.RoundFacts, seats: int) -> None:
    for index, made in enumerate(facts.accusations):
        field = f"accusations[{index}]"
        if not (0 <= made.seat < seats and 0 <= made.accuser < seats) or made.seat == made.accuser:
            refuse(field, f"must name two seats of {seats}")
        if made.gave and not made.right:
            refuse(f"{field}.gave", "a wrong accusation moves no trick")
    if min(after_accusations(facts)) < 0:
        refuse("accusations", "nobody gives a trick that it does not have")


def _check_splits(facts: cheat.RoundFacts, seats: int) -> None:
    if seats != len(TEAMS) * 2 or facts.split_rule not in RULES:
        refuse("split_rule", "teams are of two, and split extras or any")
    if len(facts.splits) != len(TEAMS):
        refuse("splits", f"must have {len(TEAMS)} entries, one a team, not {len(facts.splits)}")
    tricks = after_accusations(facts)
    for team, split in enumerate(facts.splits):
        if not split.tricks:
            continue
        field, total = f"splits[{team}].tricks", sum(tricks[seat] for seat in TEAMS[team])
        if len(split.tricks) != len(TEAMS[team]) or sum(split.tricks) != total:
            refuse(field, f"must be two that add up to {total}")
        if any(count < _kept(facts, tricks, seat) for seat, count in zip(TEAMS[team], split.tricks, strict=True)):
            refuse(field, "a partner may not give away so many")


def _seats(facts: cheat.RoundFacts) -> int:
    return len(facts.bids)


TABLE = GameTable(name="cheat_trick", seats=_seats, score=score, rank=rank)
