"""Cheez-Tricks as the laws need it, written from the rulebook and not from the rules' code."""

from collections.abc import Mapping, Sequence

from engine_service.rules.game import RecordScores, RoundEnded
from engine_service.rules.games.cheez_tricks.actions import Action, ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.cats import (
    BlackCat,
    Cat,
    CountedSuit,
    CountedTricks,
    CountedValue,
    GreyCat,
    OrangeCat,
    SiameseCat,
    TuxedoCat,
    WhiteCat,
)
from engine_service.rules.games.cheez_tricks.events import CatDecided, Event, RoundScored, TrickWon
from engine_service.rules.games.cheez_tricks.facts import RoundFacts, ScoreDetail
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.state import State

from .cheez_tricks_lines import rendered, told
from .cheez_tricks_secrets import disguised, known_cards, named_cards, opens_chance, seeds, told_cards
from .kit import Kit, Position

HOUSE_CAT, WILD_CAT = 1, 2
SWISS, ROQUEFORT, PARMESAN, BRIE = range(4)
HIGHEST = {2: 7, 3: 9, 4: 10, 5: 10}
WORTH = {0: 2, 1: 1, 2: 0, 3: 3}

THREE_CATS = (Cat(BlackCat(1)), Cat(WhiteCat(1)), Cat(SiameseCat(0)))
"""Used up in every round, so all discards are shuffled in for the next."""
COUNTING_CATS = (
    Cat(GreyCat(CountedSuit(SWISS))),
    Cat(GreyCat(CountedValue(7))),
    Cat(GreyCat(CountedTricks())),
    Cat(TuxedoCat(0)),
    Cat(OrangeCat(CountedSuit(BRIE))),
    Cat(OrangeCat(CountedTricks()), player_counts=(2, 4)),
)
LATE_CATS = (
    Cat(BlackCat(8)),
    Cat(WhiteCat(8)),
    Cat(SiameseCat(36)),
    Cat(SiameseCat(6), player_counts=(2, 3)),
    Cat(TuxedoCat(8)),
)


def option_sets(seats: int) -> Sequence[Options]:
    """Both levels with the built-in deck, and decks of a table's own."""
    plain = [Options(level=level) for level in (HOUSE_CAT, WILD_CAT)]
    own = [
        Options(level=HOUSE_CAT, starting_seat=seats - 1, cat_deck=COUNTING_CATS),
        Options(level=WILD_CAT, starting_seat=0, cat_deck=THREE_CATS),
        Options(level=WILD_CAT, cat_deck=COUNTING_CATS),
        Options(level=HOUSE_CAT, cat_deck=LATE_CATS),
    ]
    return plain + own


def cards(options: Options, seats: int) -> list[int]:
    return [suit * 10 + value - 1 for suit in range(4) for value in range(1, HIGHEST[seats] + 1)]


def places(state: State) -> Mapping[str, Sequence[int]]:
    where: dict[str, Sequence[int]] = {f"hand of {seat}": hand for seat, hand in enumerate(state.hands)}
    where |= {f"trick {i}": trick.cards for i, trick in enumerate(state.tricks, 1)}
    where |= {"set aside": state.set_aside, "trick being played": state.plays}
    # Between two rounds, and before the first, the pack lies on the table.
    return where if state.hands else {"pack": cards(state.options, state.seats)}


def actions(state: State) -> Sequence[Action]:
    return [*(PlayCard(card) for card in (*range(40), -1, 40, 1000)), *(ChooseTrump(suit) for suit in range(-1, 6))]


def chosen(choice: Action) -> Sequence[Action]:
    return [choice]


def points(facts: RoundFacts) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (points, points per trick) of a round, by seat."""
    caught = [sum(seat in capture.seats for capture in facts.captures) for seat in range(len(facts.tricks))]
    worth = tuple(WORTH[cats] for cats in caught)
    return tuple(tricks * each for tricks, each in zip(facts.tricks, worth, strict=True)), worth


def score(state: State, ended: RoundEnded) -> RecordScores:
    """Score the round that ended: 2, 1, 0 or 3 points a trick; places by total, then by the best single round."""
    now, worth = points(ended.facts)
    rounds = [tuple(seat.points for seat in scored.seats) for scored in state.scored] + [now]
    by_seat = list(zip(*rounds, strict=True))
    standing = [(sum(each), max(each)) for each in by_seat]
    places = tuple(1 + sum(other > own for other in standing) for own in standing)
    return RecordScores(
        round=ended.round,
        points=now,
        totals=tuple(map(sum, by_seat)),
        places=places if ended.last else (),
        detail=ScoreDetail(points_per_trick=worth),
    )


HAND = {2: 10, 3: 12, 4: 10, 5: 8}
OPENING_DEPTH = {2: 7, 3: 7, 4: 8, 5: 8}
LAST_TRICKS = {2: 4, 3: 3, 4: 3, 5: 3}


def positions(seats: int, deep: bool) -> Sequence[Position]:
    """The first lead; the question for trump in round 2; the last tricks of a round, up to and with the next trump."""
    house, wild, own = Options(level=HOUSE_CAT), Options(level=WILD_CAT), Options(cat_deck=COUNTING_CATS[:4])
    plays, last = seats * HAND[seats], seats * (LAST_TRICKS[seats] + deep)
    return [
        Position("opening", house, 0, OPENING_DEPTH[seats] + deep),
        Position("choice of trump", wild, plays + 1, 6 + deep),
        Position("last tricks, house cat", house, plays - last, last + 1),
        Position("last tricks, wild cat", wild, plays - last, last + 1),
        Position("last tricks, own cats", own, plays - last, last),
    ]


def tally(event: Event) -> str:
    match event:
        case TrickWon(seat=seat):
            return f"tricks to {seat}"
        case CatDecided(cat_index=index, seats=caught):
            return f"cat {index} caught {len(caught)}"
        case RoundScored(score=score):
            return "rounds with " + "-".join(str(seat.cats) for seat in score.seats) + " cats by seat"
        case _:
            return type(event).__name__


def playthroughs(seats: int) -> Mapping[str, Options]:
    return {"house_cat": Options(level=HOUSE_CAT), "wild_cat": Options(level=WILD_CAT)}


KIT = Kit(
    option_sets=option_sets,
    cards=cards,
    places=places,
    actions=actions,
    chosen=chosen,
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
)
