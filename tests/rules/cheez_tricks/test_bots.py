"""What the careful bot does where a person would know what to do; and that it pays."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from engine_service.rules.game import Move
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import Action, ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.state import CatOnTable, State
from engine_service.rules.shuffle import derived
from tests.rules.kits import KITS
from tests.rules.walks import Step, ended, evolved, taken

from .tabletop import BRIE, ROQUEFORT, SWISS, asked, card, laid_out, played, skipped, tricks


def choice(state: State, bot: str = "careful", chance: bytes = bytes(32)) -> Action:
    """Return what a bot does in the seat that is asked."""
    seat = asked(state)
    assert seat is not None
    view, offers = CHEEZ_TRICKS.view(state, seat), CHEEZ_TRICKS.offers(state, seat)
    action: Action = CHEEZ_TRICKS.bots[bot](seat, view, offers, chance).action
    return action


def late_trick(hand: str, cats: Sequence[str], trump: int = SWISS) -> State:
    """Return a table where seat 2 plays last to the ninth trick, holding one or two cards."""
    table = laid_out(["R5 B5", "R6 B6", hand], trump=trump, cats=cats)
    return played(skipped(table, {0: tricks(3), 1: tricks(3), 2: tricks(2)}), "R5 R6")


def with_caught(state: State, *caught: bool) -> State:
    """Return the table with these cats decided, seat 2 caught."""
    cats = [CatOnTable(c.cat, (2,), True) if done else c for c, done in zip(state.cats, caught, strict=True)]
    return replace(state, cats=tuple(cats))


def test_uncaught_it_wants_the_trick() -> None:
    """With the cheapest card that takes it."""
    assert choice(late_trick("R9 R7", ("black 1", "white 9", "tuxedo 9"))) == PlayCard(card("R7"))


@pytest.mark.parametrize("cat_of_now", ["black 9", "white 3", "siamese R5"])
def test_it_ducks_a_cat_that_would_catch_it_now(cat_of_now: str) -> None:
    table = with_caught(late_trick("R9 R4", (cat_of_now, "black 1", "white 9")), False, True, False)
    assert choice(table) == PlayCard(card("R4"))


@pytest.mark.parametrize("third", ["black 9", "white 3", "siamese R5"])
def test_caught_twice_it_hunts_the_third(third: str) -> None:
    table = with_caught(late_trick("R9 R4", (third, "black 1", "white 1")), False, True, True)
    assert choice(table) == PlayCard(card("R9"))


@pytest.mark.parametrize(("hand", "suit"), [("S1 B8 B9 B10", BRIE), ("R7 R8 R9 P1 P2 P3", ROQUEFORT), ("S2 P9", 2)])
def test_it_names_the_cheese_it_is_strong_in(hand: str, suit: int) -> None:
    table = laid_out([hand, "P5", "P4"], trump=None)
    assert choice(table) == ChooseTrump(suit)


def test_the_random_bot_plays_every_offer_some_time() -> None:
    table = laid_out(["S1 R5 B9", "S2 R2 B2", "S3 R3 B3"])
    chosen = {choice(table, "random", derived(bytes(32), str(number))) for number in range(60)}
    assert chosen == {PlayCard(card(name)) for name in ("S1", "R5", "B9")}


def match(careful_seat: int, number: int, level: int, seats: int) -> list[int]:
    """Return the points of a game in which one seat is careful and the others are random, its own first."""
    seed = derived(b"match".ljust(32), f"{seats}/{level}/{number}")
    log = CHEEZ_TRICKS.setup(Options(level=level), seats, seed)
    step = Step(None, None, log, evolved(CHEEZ_TRICKS, None, log), log)
    while not CHEEZ_TRICKS.is_over(step.state):
        round_over = ended(CHEEZ_TRICKS, step.log)
        if round_over is not None:
            step = taken(CHEEZ_TRICKS, step, KITS["cheez_tricks"].score(step.state, round_over))
            continue
        seat = asked(step.state)
        assert seat is not None
        action = choice(step.state, "careful" if seat == careful_seat else "random", derived(seed, str(len(step.log))))
        step = taken(CHEEZ_TRICKS, step, Move(seat, step.state.answered + 1, action))
    return [step.state.totals[(careful_seat + i) % seats] for i in range(seats)]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_care_pays(seats: int, level: int) -> None:
    """Over a few games of one careful among random bots, from fixed seeds, it has a fifth more points than they."""
    totals = [match(number % seats, number, level, seats) for number in range(20)]
    own = sum(each[0] for each in totals)
    others = sum(sum(each[1:]) for each in totals) / (seats - 1)
    assert own > 1.2 * others
