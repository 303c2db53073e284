"""What the careful bot does where a person would know what to do; and that it pays."""

import pytest
from msgspec.structs import replace

from engine_service.rules.game import Move
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import (
    Accuse,
    Action,
    Declare,
    Done,
    Knock,
    Pass,
    PlayCard,
    Raise,
    Vote,
)
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.state import State
from engine_service.rules.shuffle import derived
from tests.rules.kits import KITS
from tests.rules.walks import Step, ended, evolved, taken

from .tabletop import CATCHABLE, SPADES, asked, bidding, called, card, cards, laid_out, played, started

CATCH = Options(reneging=CATCHABLE)
STRONG, WEAK = "SK SQ SPc HK HQ DK CK", "C2 C3 D2 D3 D4 H2 H3"
LONG_SPADES = "SK SQ SPc SPs S9 S8 S7 HK HQ DK DQ CK C2 C3"


def choice(state: State, seat: int | None = None, bot: str = "careful", chance: bytes = bytes(32)) -> Action:
    """Return what a bot does in a seat, that which is asked if none is named."""
    who = asked(state)[0] if seat is None else seat
    move = CHEAT_TRICK.bots[bot](who, CHEAT_TRICK.view(state, who), CHEAT_TRICK.offers(state, who), chance)
    action: Action = move.action
    return action


def choices(state: State, count: int = 60) -> set[Action]:
    return {choice(state, chance=derived(bytes(32), str(number))) for number in range(count)}


def holding(state: State, seat: int, names: str) -> State:
    """Return the state with another hand in one seat."""
    hands = list(state.hands)
    hands[seat] = tuple(sorted(cards(names)))
    return replace(state, hands=tuple(hands))


def test_it_vetoes_a_weak_packet_and_plays_a_strong_one() -> None:
    assert choices(holding(started(), 3, WEAK)) == {Vote(veto=True)}
    assert Vote(veto=False) in choices(holding(started(), 3, STRONG))
    assert Vote(veto=True) not in choices(holding(started(), 3, STRONG))


def test_without_a_veto_it_sometimes_bluffs() -> None:
    """It claims a whole court that it does not hold, or just plays on; with a strong hand it tells the truth."""
    no_veto = started(Options(dealer=0, veto_limit=0))
    said = choices(holding(no_veto, 3, WEAK))
    assert {Declare(1, suit) for suit in range(4)} & said
    assert Vote(veto=False) in said
    honest = {action for action in choices(holding(no_veto, 3, STRONG)) if isinstance(action, Declare)}
    assert honest == {Declare(2, SPADES), Declare(3, SPADES), Declare(6, SPADES), Declare(3, 2)}


def test_it_bids_by_strength() -> None:
    """With seven high spades for trump it raises, as far as a later pass is worth it; a weak hand passes at once."""
    table = replace(bidding(), trump=SPADES)
    strong, weak = holding(table, 3, LONG_SPADES), holding(table, 3, f"{WEAK} D5 D6 H4 H5 C4 C5 C6")
    assert choice(strong) == Raise(2)
    assert choice(weak) == Pass()
    assert choice(called(strong, "2 3 4 5")) == Pass()
    assert isinstance(choice(holding(called(table, "pass pass 2"), 0, LONG_SPADES)), Raise)


def test_the_last_one_in_does_not_raise_itself() -> None:
    """Its tricks are worth no more by that."""
    table = holding(replace(bidding(), trump=SPADES), 3, LONG_SPADES)
    assert choice(called(table, "2 pass pass pass")) == Pass()


def test_last_to_play_it_takes_a_trick_with_its_cheapest_card_or_throws_its_lowest() -> None:
    table = laid_out(["HK H9 H2", "H8 D1", "H7 D2", "H6 D3"], trump=SPADES)
    assert choice(played(table, "H6 H7 H8")) == PlayCard(card("H9"))
    beaten = laid_out(["H4 H3 H2", "H8 D1", "H7 D2", "H6 D3"], trump=SPADES)
    assert choice(played(beaten, "H6 H7 H8")) == PlayCard(card("H2"))


def test_it_never_reneges() -> None:
    table = played(laid_out(["S2 C9 H2", "H8 D1", "H7 D2", "H6 D3"], trump=SPADES, options=CATCH), "H6 H7 H8")
    assert {action for action in choices(table) if isinstance(action, PlayCard)} == {PlayCard(card("H2"))}


FULL_HANDS = [
    "S1 S2 S3 S4 S5 C1 C2 C3 D1 D2 D3 D4 D5 D6",
    "H1 S6 S7 S8 S9 C4 C5 C6 D7 D8 D9 D10 C7 C8",
    "H2 H3 H4 C9 C10 CPs CPc CQ DPs DPc DQ DK CK SPs",
    "H5 H6 H7 H8 H9 H10 HPs HPc HQ HK SQ SPc SK F",
]


def test_it_accuses_who_can_hardly_be_without_the_suit() -> None:
    """In a first trick seat 2 plays a club to a heart that is led: with fourteen cards that is hardly honest. Later,
    with few cards left, it may well be."""
    hands = ["H1 H2 C2 C3 D1 D2 D3 D4 D5 D6 S1 S2 S3 S4", FULL_HANDS[1].replace("H1", "H9"), *FULL_HANDS[2:]]
    table = played(laid_out([*hands[:3], hands[3].replace("H9", "D9")], SPADES, CATCH), "H5 C9")
    assert choice(table) == Accuse(1, 1, 2)
    late = played(laid_out(["H1 D1", "H2 D2", "C3 C4", "H4 D4"], SPADES, CATCH), "H4 C3")
    assert not isinstance(choice(late), Accuse)


def test_it_knocks_now_and_then() -> None:
    """Rather with the highest trump, seldom without; a knock tells nothing for sure."""
    with_it = laid_out(["D1", "D2", "D3", "SK D4"], trump=SPADES)
    without = laid_out(["D1", "D2", "D3", "S2 D4"], trump=SPADES)
    knocks = [
        sum(choice(t, chance=derived(bytes(32), str(n))) == Knock(1, 1) for n in range(200)) for t in (with_it, without)
    ]
    assert knocks[0] > 30 > knocks[1] > 0


def test_the_random_bot_takes_every_offer_some_time() -> None:
    """Of families any of their actions."""
    table = started()
    said = choices_of("random", table)
    assert {Vote(veto=False), Vote(veto=True)} < said
    assert len({action for action in said if isinstance(action, Declare)}) > 10
    assert {action.tricks for action in choices_of("random", bidding()) if isinstance(action, Raise)} == set(
        range(2, 15)
    )
    assert Done() not in said


def choices_of(bot: str, state: State) -> set[Action]:
    return {choice(state, bot=bot, chance=derived(bytes(32), str(number))) for number in range(300)}


def match(careful_seat: int, number: int, options: Options, seats: int) -> list[int]:
    """Return the points of a game in which one seat is careful and the others are random, its own first."""
    seed = derived(b"match".ljust(32), f"{seats}/{number}")
    log = CHEAT_TRICK.setup(options, seats, seed)
    step = Step(None, None, log, evolved(CHEAT_TRICK, None, log), log)
    while not CHEAT_TRICK.is_over(step.state):
        round_over = ended(CHEAT_TRICK, step.log)
        if round_over is not None:
            step = taken(CHEAT_TRICK, step, KITS["cheat_trick"].score(step.state, round_over))
            continue
        seat = asked(step.state)[0]
        bot = CHEAT_TRICK.bots["careful" if seat == careful_seat else "random"]
        view, offers = CHEAT_TRICK.view(step.state, seat), CHEAT_TRICK.offers(step.state, seat)
        move: Move[Action] = bot(seat, view, offers, derived(seed, str(len(step.log))))
        step = taken(CHEAT_TRICK, step, move)
    return [step.state.totals[(careful_seat + i) % seats] for i in range(seats)]


@pytest.mark.parametrize("options", [Options(), CATCH], ids=["forbidden", "catchable"])
@pytest.mark.parametrize("seats", [3, 4])
def test_care_pays(seats: int, options: Options) -> None:
    """Over a few games of one careful among random bots, from fixed seeds, it has more points than they."""
    totals = [match(number % seats, number, options, seats) for number in range(10)]
    own = sum(each[0] for each in totals)
    assert own > 0
    assert own > sum(sum(each[1:]) for each in totals) / (seats - 1)
