"""The bots: what the careful one does with its cards, and that it pays."""

from hashlib import sha256

from engine_service.rules.game import Move, TimeOut
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import (
    Action,
    DrawCard,
    DropAll,
    KeepInVault,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayMirages,
    PlayThief,
    PlayVault,
)
from engine_service.rules.games.cheesy_heist.events import HandsCounted
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.games.cheesy_heist.state import State
from tests.rules.walks import evolved

from .tabletop import dropped, hand, laid_out, played, timed_out


def choice(state: State, seat: int, bot: str = "careful", chance: bytes = bytes(32)) -> Action:
    """Return what a bot does on a seat."""
    move = CHEESY_HEIST.bots[bot](seat, CHEESY_HEIST.view(state, seat), CHEESY_HEIST.offers(state, seat), chance)
    action: Action = move.action
    return action


def test_it_gives_cats_away_and_hunts_cheese() -> None:
    """A Gift comes first; a Thief is worth more than a draw."""
    assert isinstance(choice(laid_out("GXCCC", "mm"), 0), PlayGift)
    assert isinstance(choice(laid_out("TCm", "ssooR"), 0), PlayThief)
    assert choice(laid_out("CCCCm", "ss"), 0) == DrawCard()


def test_it_remembers_every_hand_that_was_shown() -> None:
    """Of two the richer one is robbed, though the other was shown later."""
    looked = played(laid_out("mmmsssT", "CCCC", "CCT"), (0, PlayMirages(hand("mmm"), 1)))
    assert choice(played(looked, (0, PlayMirages(hand("sss"), 2))), 0) == PlayThief(1)


def test_it_lets_the_cat_loose_with_a_poor_hand_not_with_a_rich_one() -> None:
    """Cheese without a Vault is not put at stake; with one it is safe."""
    assert choice(laid_out("Xmso", "CC"), 0) == PlayCat()
    assert choice(laid_out("XCCCC", "mm"), 0) == DrawCard()
    assert choice(laid_out("XXVCCC", "mm"), 0) == PlayCat()


def test_it_defends_what_is_worth_it() -> None:
    """A Vault or Decoy for much Cheese, none for little, and none that would be wasted."""
    rich = played(laid_out("X", "VCCCm", "DCCCC", "Dm"), (0, PlayCat()))
    assert choice(rich, 1) == PlayVault()
    assert choice(rich, 2) == PlayDecoy()
    assert choice(rich, 3) == DropAll()
    late = timed_out(dropped(rich, 2, 3), None)
    assert choice(late, 1) == DropAll()


def test_it_keeps_cheese_and_never_a_cat() -> None:
    table = played(laid_out("X", "VCCXmD", "m"), (0, PlayCat()), (1, PlayVault()))
    assert choice(table, 1) == KeepInVault(hand("CCD"))


def test_the_random_one_keeps_anything() -> None:
    """From nothing to three cards, other ones with other chance."""
    table = played(laid_out("X", "VCDTG", "m"), (0, PlayCat()), (1, PlayVault()))
    kept = {choice(table, 1, "random", sha256(bytes([n])).digest()) for n in range(60)}
    sizes = {len(action.cards) for action in kept if isinstance(action, KeepInVault)}
    assert sizes == {0, 1, 2, 3}
    assert {card for action in kept if isinstance(action, KeepInVault) for card in action.cards} == set(hand("CDTG"))


def test_the_careful_one_wins_more() -> None:
    """One of them against three random ones, on every seat in turn, wins far more than its fair quarter."""
    games = 48
    won = sum(_winners(number % 4, number).count(number % 4) for number in range(games))
    assert won > games * 0.45


def _winners(careful: int, number: int) -> list[int]:
    """Return who holds most Cheese without a Cat at the end of a game with one careful bot."""
    log = list(CHEESY_HEIST.setup(Options(), 4, sha256(bytes([number])).digest()))
    state, turn = evolved(CHEESY_HEIST, None, log), 0
    while not isinstance(log[-1], HandsCounted):
        questions, turn = CHEESY_HEIST.actors(state), turn + 1
        chance = sha256(f"{number}/{turn}".encode()).digest()
        seat = next((question.seat for question in questions if question.seat is not None), None)
        bot = "careful" if seat == careful else "random"
        command: Move[Action] | TimeOut = TimeOut(None, questions[0].window)
        if seat is not None:
            view, offers = CHEESY_HEIST.view(state, seat), CHEESY_HEIST.offers(state, seat)
            command = CHEESY_HEIST.bots[bot](seat, view, offers, chance)
        events = CHEESY_HEIST.decide(state, command)
        state = evolved(CHEESY_HEIST, state, events)
        log += events
    facts = log[-1].facts
    free = {seat: facts.cheese[seat] for seat in range(4) if not facts.cats[seat]}
    return [seat for seat, cheese in free.items() if cheese == max(free.values())]
