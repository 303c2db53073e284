"""[CH 8] How a game ends, and who wins it."""

import pytest

from engine_service.rules.game import RecordScores
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import (
    DrawCard,
    DropAll,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayGrater,
    PlayThief,
    TakeCard,
)
from engine_service.rules.games.cheesy_heist.events import (
    CardsDropped,
    CatPlayed,
    CollectionStarted,
    DecoyPlayed,
    GameEnded,
    HandsCounted,
    LastDropCalled,
    ResultRecorded,
    TurnStarted,
)
from engine_service.rules.games.cheesy_heist.facts import RoundFacts
from engine_service.rules.games.cheesy_heist.state import Phase, SeatScore, State
from tests.rules.kits import KITS
from tests.rules.walks import evolved

from .tabletop import asked, decided, dropped, hand, laid_out, offered, only, played, timed_out


def ended(*hands: str, last_drop: bool = True, goal: int = 5) -> State:
    """Return a game that was decided with these hands."""
    cheese = tuple(letters.count("C") for letters in hands)
    cats = tuple(letters.count("X") for letters in hands)
    event = HandsCounted(tuple(map(hand, hands)), RoundFacts(cheese, cats, goal, last_drop))
    state: State = evolved(CHEESY_HEIST, laid_out(*hands, goal=goal), [event])
    return state


def scores(state: State) -> RecordScores:
    facts = RoundFacts(
        tuple(each.count(0) for each in state.hands), tuple(each.count(9) for each in state.hands), state.goal, True
    )
    round_over = CHEESY_HEIST.round_ended(HandsCounted(state.hands, facts))
    assert round_over is not None
    return KITS["cheesy_heist"].score(state, round_over)


def places(*hands: str) -> tuple[int, ...]:
    state = ended(*hands)
    return only(CHEESY_HEIST.decide(state, scores(state)), GameEnded).places


def test_enough_cheese_and_no_cat_win() -> None:
    """[CH 8.1] More than enough too; one Cat spoils it."""
    for letters, wins in (("CCCC", True), ("CCCCC", True), ("CCC", False), ("CCCCX", False)):
        events = decided(laid_out(letters, "m", draw="C"), 0, DrawCard())
        assert isinstance(events[-1], HandsCounted) is wins, letters


def test_the_goal_is_looked_at_when_a_turn_ends() -> None:
    """[CH 8.2] Not while it goes on, and for every seat."""
    table = laid_out("TT", "C", "CCCCC", draw="m")
    assert table.phase is Phase.TURN
    assert isinstance(decided(table, 0, DrawCard())[-1], HandsCounted)
    lost = played(laid_out("GX", "m", "CCCCC"), (0, PlayGift(2)))
    assert isinstance(decided(lost, 0, DrawCard())[-1], TurnStarted)
    stolen = played(laid_out("CCCCT", "C"), (0, PlayThief(1)))
    assert stolen.phase is Phase.TURN
    assert isinstance(decided(stolen, 0, DrawCard())[-1], HandsCounted)


def test_the_end_of_a_collection_is_the_end_of_a_turn() -> None:
    """[CH 8.2] And so is a Decoy; a window and the cards before the last are not."""
    table = played(laid_out("XCCCCC", "D", "m"), (0, PlayCat()))
    assert isinstance(decided(table, 1, PlayDecoy())[-1], HandsCounted)
    lying = timed_out(dropped(played(laid_out("XC", "m", goal=1), (0, PlayCat())), 0, 1), None)
    first = decided(lying, 1, TakeCard(0, 0))
    assert len(first) == 1
    after = played(lying, (1, TakeCard(0, 0)))
    assert isinstance(decided(after, 0, TakeCard(1, 0))[-1], HandsCounted)


@pytest.mark.parametrize(
    ("hands", "expected"),
    [(("CCCCC", "CCCCCC", "m"), (2, 1, 3)), (("CCCCC", "m", "CCCCC"), (1, 3, 1)), (("CCCCCX", "CCCCC"), (2, 1))],
)
def test_several_at_once(hands: tuple[str, ...], expected: tuple[int, ...]) -> None:
    """[CH 8.3] The most Cheese wins; who ties shares."""
    assert places(*hands) == expected


def test_drawing_from_an_empty_pile_calls_the_last_drop() -> None:
    """[CH 8.4] Everyone drops, and the caller takes first."""
    table = laid_out("C", "m", "s", draw="", turn=1)
    assert decided(table, 1, DrawCard()) == (LastDropCalled(1),)
    table = timed_out(played(table, (1, DrawCard())), None)
    table = dropped(table, 0, 2)
    events = decided(table, 1, DropAll())
    assert isinstance(events[0], CardsDropped) and events[1] == CollectionStarted(1)


def test_an_empty_pile_does_not_end_the_game_by_itself() -> None:
    """[CH 8.4] A Cat may be played, and a Grater fills the pile again."""
    table = laid_out("XR", "CCm", draw="")
    assert decided(table, 0, PlayCat()) == (CatPlayed(0),)
    grated = played(table, (0, PlayGrater(1)))
    assert len(grated.draw_pile) == 2
    assert isinstance(decided(grated, 0, DrawCard())[-1], TurnStarted)
    assert isinstance(decided(laid_out("C", "m", draw="s"), 0, DrawCard())[-1], TurnStarted)


def test_the_last_drop_ends_the_game_whoever_holds_what() -> None:
    """[CH 8.5, 8.4] When the last card is taken; with nothing on the table at once."""
    table = timed_out(dropped(played(laid_out("C", "m", draw=""), (0, DrawCard())), 0, 1), None)
    assert asked(table) == [0]
    table = played(table, (0, TakeCard(1, 0)))
    assert isinstance(decided(table, 1, TakeCard(0, 0))[-1], HandsCounted)
    empty = played(laid_out("", "", draw=""), (0, DrawCard()))
    assert timed_out(empty, None).phase is Phase.SCORING


def test_a_decoy_on_the_last_drop() -> None:
    """[CH 8.5] No collection; hands are counted as they are."""
    table = dropped(played(laid_out("CC", "D", "m", draw=""), (0, DrawCard())), 0)
    assert offered(table, 1) == [DropAll(), PlayDecoy()]
    decoy, counted = decided(table, 1, PlayDecoy())
    assert decoy == DecoyPlayed(1, wasted=False)
    assert counted.hands == (hand("CC"), (), hand("m"))
    assert counted.facts == RoundFacts((2, 0, 0), (0, 0, 0), goal=5, last_drop=True)


@pytest.mark.parametrize(
    ("hands", "expected"), [(("C", "CC", "CCCX"), (2, 1, 3)), (("CC", "CC", "X"), (1, 1, 3)), (("", "CX"), (1, 2))]
)
def test_the_most_cheese_without_a_cat(hands: tuple[str, ...], expected: tuple[int, ...]) -> None:
    """[CH 8.6] Not the goal counts; who ties shares. No Cheese is the most if nobody has any."""
    assert places(*hands) == expected


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everyone_loses(seats: int) -> None:
    """[CH 8.7] All share the last place."""
    state = ended(*["CX"] * seats)
    events = CHEESY_HEIST.decide(state, scores(state))
    assert only(events, GameEnded).places == (seats,) * seats
    assert only(events, ResultRecorded).score == (SeatScore(1, 1, won=False, points=0),) * seats


def test_places() -> None:
    """[CH 8.8] Winners; without a Cat before with; then Cheese; ties share and the next is left out."""
    assert places("CCX", "C", "CCC", "XCCC", "C") == (5, 2, 1, 4, 2)
