"""Cheat Trick as the laws need it, written from the article and not from the rules' code."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine_service.rules.game import RecordScores, RoundEnded
from engine_service.rules.games.cheat_trick.actions import (
    Accuse,
    Action,
    Declare,
    Done,
    Knock,
    LeaveSplit,
    MayAccuse,
    MayDeclare,
    MayPlay,
    MayRaise,
    MaySplit,
    Pass,
    PlayCard,
    Raise,
    Split,
    Vote,
)
from engine_service.rules.games.cheat_trick.events import AccusationMade, Event, Passed, TricksSplit, TrickWon, Voted
from engine_service.rules.games.cheat_trick.facts import RoundFacts, ScoreDetail, SeatDetail
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.state import Phase, State

from .cheat_trick_lines import rendered, told
from .cheat_trick_secrets import disguised, known_cards, named_cards, opens_chance, seeds, told_cards, verdict
from .kit import Kit, Position

CATCHABLE = 2
ANY = 2


def option_sets(seats: int) -> Sequence[Options]:
    """Every option, with and without the others; teams where they can be."""
    sets = [
        Options(),
        Options(reneging=CATCHABLE, veto_limit=None, last_question_seconds=5),
        Options(simplified=True, maternal_suits=True, dealer=seats - 1),
        Options(reneging=CATCHABLE, simplified=True, dealer=0),
    ]
    if seats == 4:
        sets.append(Options(teams=True, maternal_suits=True))
        sets.append(Options(teams=True, split=ANY, reneging=CATCHABLE, veto_limit=0, split_seconds=60))
    return sets


def cards(options: Options, seats: int) -> list[int]:
    return list(range(57))


def places(state: State) -> Mapping[str, Sequence[int]]:
    where: dict[str, Sequence[int]] = {f"hand of {seat}": hand for seat, hand in enumerate(state.hands)}
    where |= {f"trick {i}": trick.cards for i, trick in enumerate(state.tricks, 1)}
    where |= {"pack": state.pack, "trick being played": state.plays}
    if state.turned_up is not None:
        where["turned up"] = (state.turned_up,)
    # Between two rounds, and before the first, the pack lies on the table.
    return where if state.hands else {"pack": cards(state.options, state.seats)}


def actions(state: State) -> Sequence[Action]:
    """Of the kind that is asked for all (cards: a third, another one at each question), of other kinds a few."""
    step = dict.fromkeys(Phase, 9) | {state.phase: 1}
    tricks = sorted({0, 1, len(state.tricks), len(state.tricks) + 1})
    total = sum(state.won)
    every: list[tuple[Phase, list[Action]]] = [
        (Phase.TRICKS, [PlayCard(card) for card in (*range(state.closed % 3, 57, 3), -1, 57, 1000)]),
        (Phase.VOTE, [Declare(phrase, suit) for phrase in range(8) for suit in range(-1, 5)]),
        (Phase.BID, [Raise(number) for number in range(-1, 21)]),
        (Phase.SPLIT, [Split(own, other) for own in range(-1, total + 1) for other in range(-1, total + 1)][::3]),
    ]
    found: list[Action] = [action for phase, kind in every for action in kind[:: step[phase]]]
    found += [Accuse(state.round, trick, seat) for trick in tricks for seat in range(-1, 5)]
    found += [Knock(state.round, trick) for trick in tricks]
    found += [Accuse(state.round - 1, 1, 0), Knock(state.round + 1, 1)]
    return [*found, Vote(False), Vote(True), Pass(), Done(), LeaveSplit()]


def chosen(choice: Any) -> Sequence[Action]:
    match choice:
        case MayDeclare():
            return choice.declarations
        case MayRaise():
            return [Raise(tricks) for tricks in range(choice.least, choice.most + 1)]
        case MayPlay():
            return [PlayCard(choice.card)]
        case MayAccuse():
            return choice.plays
        case MaySplit():
            return [Split(own, choice.total - own) for own in range(choice.least, choice.most + 1)]
        case _:
            return [choice]


def details(facts: RoundFacts) -> list[SeatDetail]:
    """Return how each seat scored: (tricks - bid) times its place in the order of passing."""
    tricks = list(facts.tricks)
    for accusation in facts.accusations:
        tricks[accusation.seat] -= accusation.gave
        tricks[accusation.accuser] += accusation.gave
    value = [1 + facts.pass_order.index(seat) for seat in range(len(tricks))]
    for team, split in enumerate(facts.splits):
        pair = [seat for seat in range(4) if seat % 2 == team]
        for seat, count in zip(pair, split or best(facts, tricks, value, pair), strict=True):
            tricks[seat] = count
    return [
        SeatDetail(value[seat], tricks[seat], (tricks[seat] - facts.bids[seat]) * value[seat])
        for seat in range(len(tricks))
    ]


def best(facts: RoundFacts, tricks: Sequence[int], value: Sequence[int], pair: Sequence[int]) -> list[int]:
    """Return the split that brings most, found by trying all."""
    total = sum(tricks[seat] for seat in pair)
    kept = [0 if facts.split_rule == ANY else min(tricks[seat], facts.bids[seat]) for seat in pair]
    tried = [[own, total - own] for own in range(kept[0], total - kept[1] + 1)]
    return max(tried, key=lambda split: sum(count * value[seat] for count, seat in zip(split, pair, strict=True)))


def score(state: State, ended: RoundEnded) -> RecordScores:
    """Score the round that ended; partners both have their team's sum; places by total."""
    seats = details(ended.facts)
    own = [seat.points for seat in seats]
    now = [own[seat] + own[(seat + 2) % 4] for seat in range(4)] if ended.facts.split_rule else own
    totals = [before + points for before, points in zip(state.totals, now, strict=True)]
    places = tuple(1 + sum(other > total for other in totals) for total in totals) if ended.last else ()
    return RecordScores(ended.round, tuple(now), tuple(totals), places, ScoreDetail(tuple(seats)))


def positions(seats: int, deep: bool) -> Sequence[Position]:
    """The first vote and the first bid; first tricks with all their accusations; last ones, up to the next deal."""
    simple, catchable = Options(simplified=True), Options(simplified=True, reneging=CATCHABLE)
    found = [
        Position("first vote", Options(), 0, 2 + deep),
        Position("first bid", simple, 0, 3 + deep),
        Position("first tricks, catchable", catchable, 12, 2 + deep),
        Position("last tricks", simple, {3: 65, 4: 78}[seats], 5 + deep),
    ]
    if seats == 4:
        found.append(Position("last tricks, teams", Options(simplified=True, teams=True, split=ANY), 79, 5 + deep))
    return found


def tally(event: Event) -> str:
    match event:
        case TrickWon(seat=seat):
            return f"tricks to {seat}"
        case Voted(veto=veto):
            return "vetoes" if veto else "votes to play"
        case Passed(by_engine=forced):
            return "forced passes" if forced else "passes"
        case AccusationMade(right=right):
            return "right accusations" if right else "wrong accusations"
        case TricksSplit(tricks=tricks):
            return "splits" if tricks else "splits of which nothing was said"
        case _:
            return type(event).__name__


def playthroughs(seats: int) -> Mapping[str, Options]:
    if seats == 3:
        return {"plain": Options(), "catchable": Options(reneging=CATCHABLE, maternal_suits=True)}
    return {"plain": Options(), "catchable_teams": Options(reneging=CATCHABLE, teams=True, simplified=True)}


KIT = Kit(
    option_sets=option_sets,
    cards=cards,
    places=places,
    actions=actions,
    score=score,
    opens_chance=opens_chance,
    disguised=disguised,
    seeds=seeds,
    told_cards=told_cards,
    known_cards=known_cards,
    named_cards=named_cards,
    positions=positions,
    tally=tally,
    playthroughs=playthroughs,
    rendered=rendered,
    told=told,
    chosen=chosen,
    verdict=verdict,
)
