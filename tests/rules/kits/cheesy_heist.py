"""Cheesy Heist as the laws need it, written from the rulebook and not from the rules' code."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from engine_service.rules.game import RecordScores, RoundEnded
from engine_service.rules.games.cheesy_heist.actions import (
    Action,
    Choice,
    DrawCard,
    DropAll,
    KeepInVault,
    KeepUpTo,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayGrater,
    PlayMirages,
    PlayThief,
    PlayVault,
    TakeCard,
)
from engine_service.rules.games.cheesy_heist.events import CardsDropped, DecoyPlayed, Event, HandsCounted, VaultPlayed
from engine_service.rules.games.cheesy_heist.facts import ScoreDetail
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.games.cheesy_heist.state import State

from .cheesy_heist_lines import rendered, told
from .cheesy_heist_secrets import disguised, known_cards, named_cards, opens_chance, seeds, told_cards
from .kit import Kit, Position

CHEESE, DECOY, VAULT, THIEF, GIFT, GRATER, MOON, SPONGE, SOAP, CAT = range(10)
COPIES = {CHEESE: 16, DECOY: 5, VAULT: 5, THIEF: 6, GIFT: 5, GRATER: 5, MOON: 7, SPONGE: 7, SOAP: 7, CAT: 12}


def option_sets(seats: int) -> Sequence[Options]:
    """As the rulebook has it, a goal that is soon reached, and one that hardly is: the draw pile runs out."""
    return [
        Options(),
        Options(dealer=seats - 1, goal=2, reaction_seconds=1),
        Options(dealer=0, goal=16, reaction_seconds=60, vault_seconds=1, collect_seconds=60),
    ]


def cards(options: Options, seats: int) -> list[int]:
    return [card for card, copies in COPIES.items() for _ in range(copies)]


def places(state: State) -> Mapping[str, Sequence[int]]:
    if not state.hands:
        return {"pack": cards(state.options, state.seats)}
    where: dict[str, Sequence[int]] = {f"hand of {seat}": hand for seat, hand in enumerate(state.hands)}
    for owner, dropped in enumerate(state.dropped):
        where[f"before {owner}"] = [card for card in dropped if card is not None]
    return where | {"draw pile": state.draw_pile, "discard pile": state.discards}


def actions(state: State) -> Sequence[Action]:
    seats, nobody = range(state.seats), (-1, state.seats)
    sets = ((MOON,) * 3, (SPONGE,) * 3, (SOAP, MOON, SPONGE))
    no_sets = ((MOON, MOON, SOAP), (MOON, MOON), (CHEESE,) * 3, (MOON, SOAP, 10))
    kept = {cards for hand in state.hands for cards in (hand[:1], hand[-3:], hand[:4])}
    kept |= {(), (CAT,), (MOON, CHEESE), (-1,)}
    deepest = max(map(len, state.dropped), default=0)
    return [
        DrawCard(),
        PlayCat(),
        DropAll(),
        *(attack(target) for target in (*seats, *nobody) for attack in (PlayThief, PlayGrater, PlayGift)),
        *(PlayMirages(cards, target) for cards in sets for target in (*seats, -1)),
        *(PlayMirages(cards, 0) for cards in no_sets),
        *(defence(wasted) for wasted in (False, True) for defence in (PlayVault, PlayDecoy)),
        *(KeepInVault(cards) for cards in sorted(kept)),
        *(TakeCard(owner, place) for owner in seats for place in range(deepest + 1)),
        *(TakeCard(owner, 0) for owner in nobody),
        TakeCard(0, -1),
    ]


def chosen(choice: Choice) -> Sequence[Action]:
    if isinstance(choice, KeepUpTo):
        return [KeepInVault(cards) for count in range(choice.count + 1) for cards in _choices(choice.of, count)]
    return [choice]


def _choices(of: Iterable[int], count: int) -> Sequence[tuple[int, ...]]:
    return sorted(set(combinations(sorted(of), count)))


def score(state: State, ended: RoundEnded) -> RecordScores:
    """The most Cheese of those without a Cat wins; then who has no Cat, then Cheese; or everyone is last."""
    seats, cheese, cats = range(state.seats), ended.facts.cheese, ended.facts.cats
    most = max((cheese[seat] for seat in seats if not cats[seat]), default=-1)
    won = tuple(seat for seat in seats if not cats[seat] and cheese[seat] == most)
    merit = [(seat in won, not cats[seat], cheese[seat]) for seat in seats]
    places = tuple(1 + sum(other > own for other in merit) for own in merit) if won else (state.seats,) * state.seats
    points = tuple(int(seat in won) for seat in seats)
    return RecordScores(round=1, points=points, totals=points, places=places, detail=ScoreDetail(won))


WINDOW_STEP = {2: 20, 3: 3, 4: 120, 5: 3}
"""Where, in a random game, a reaction window has just been opened and somebody holds a Defence card."""
LAST_DROP_STEP = {4: 330, 5: 319}


def positions(seats: int, deep: bool) -> Sequence[Position]:
    """The first turn; a reaction window, to its end and beyond; the last drop, to the end of the game."""
    opening = Position("opening", Options(), 0, 3 + deep)
    window = Position("window", Options(), WINDOW_STEP[seats], 4 + deep)
    step = LAST_DROP_STEP.get(seats)
    return [opening, window, *([] if step is None else [Position("last drop", Options(goal=16), step, 5 + deep)])]


def tally(event: Event) -> str:
    match event:
        case VaultPlayed(wasted=wasted) | DecoyPlayed(wasted=wasted):
            return f"{type(event).__name__}{', wasted' if wasted else ''}"
        case CardsDropped(kept=kept):
            return f"CardsDropped{'' if kept is None else f', {len(kept)} kept'}"
        case HandsCounted(facts=facts):
            return f"HandsCounted{' after the last drop' if facts.last_drop else ''}"
        case _:
            return type(event).__name__


def playthroughs(seats: int) -> Mapping[str, Options]:
    return {"goal": Options(), **({"last_drop": Options(goal=16)} if seats == 4 else {})}


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
