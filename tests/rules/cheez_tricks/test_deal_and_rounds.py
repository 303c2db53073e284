"""[CT 1, 2, 3] Cards, deal, rounds and trump."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from engine_service.rules.game import RecordScores
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.dealing import trump_chooser
from engine_service.rules.games.cheez_tricks.events import (
    CardsDealt,
    DealRevealed,
    GameStarted,
    RoundStarted,
    TrickWon,
    TrumpSet,
)
from engine_service.rules.games.cheez_tricks.facts import ScoreDetail
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.state import Phase, State
from engine_service.rules.shuffle import commitment, derived
from tests.rules.walks import evolved, walk

from .tabletop import BRIE, HAND, asked, decided, laid_out, only, refusal, skipped

KEY = b"rules".ljust(32, b".")


def log_of(options: Options, seats: int, key: bytes = KEY) -> list[Any]:
    """Return the events of a whole random game."""
    return list(list(walk(CHEEZ_TRICKS, options, seats, key))[-1].log)


def of_kind(log: list[Any], kind: type) -> list[Any]:
    return [event for event in log if isinstance(event, kind)]


def assert_deal(seats: int, highest: int, each: int, aside: int) -> None:
    """Every deal of a game: these values, four cheeses, each card once."""
    for dealt in of_kind(log_of(Options(), seats), CardsDealt):
        lying = Counter(card for hand in (*dealt.hands, dealt.set_aside) for card in hand)
        assert lying == Counter(suit * 10 + value - 1 for suit in range(4) for value in range(1, highest + 1))
        assert [len(hand) for hand in dealt.hands] == [each] * seats
        assert len(dealt.set_aside) == aside


def test_two_to_five_players_and_forty_cards() -> None:
    """[CT 1.1] No more, no fewer; four cheeses from 1 to 10."""
    assert (CHEEZ_TRICKS.min_seats, CHEEZ_TRICKS.max_seats) == (2, 5)
    dealt = of_kind(log_of(Options(), 4), CardsDealt)[0]
    assert sorted(card for hand in dealt.hands for card in hand) == list(range(40))


def test_deal_for_two() -> None:
    """[CT 1.2] 1-7, ten each, eight aside."""
    assert_deal(2, highest=7, each=10, aside=8)


def test_deal_for_three() -> None:
    """[CT 1.3] 1-9, twelve each."""
    assert_deal(3, highest=9, each=12, aside=0)


def test_deal_for_four() -> None:
    """[CT 1.4] 1-10, ten each."""
    assert_deal(4, highest=10, each=10, aside=0)


def test_deal_for_five() -> None:
    """[CT 1.5] 1-10, eight each."""
    assert_deal(5, highest=10, each=8, aside=0)


def test_every_round_is_dealt_anew() -> None:
    """[CT 1.6] All cards of the game again, in another order; another key deals otherwise."""
    deals = [dealt.hands for key in (KEY, bytes(32)) for dealt in of_kind(log_of(Options(), 5, key), CardsDealt)]
    assert len(set(deals)) == 10


def test_a_deal_is_bound_before_it_is_opened() -> None:
    """[CT 1.7] What is revealed after a round is what was committed to, and tells no other round's seed."""
    log = log_of(Options(), 3)
    key = log[0].key
    opened = of_kind(log, DealRevealed)
    assert [commitment(deal.seed) for deal in opened] == [start.commitment for start in of_kind(log, RoundStarted)]
    assert [deal.seed for deal in opened] == [derived(key, f"deal/{number}") for number in (1, 2, 3)]
    assert [deal.hands for deal in opened] == [dealt.hands for dealt in of_kind(log, CardsDealt)]
    assert [deal.set_aside for deal in opened] == [dealt.set_aside for dealt in of_kind(log, CardsDealt)]


@pytest.mark.parametrize(("seats", "rounds"), [(2, 4), (3, 3), (4, 4), (5, 5)])
def test_number_of_rounds(seats: int, rounds: int) -> None:
    """[CT 2.1] As many as players, but four for two."""
    log = log_of(Options(), seats)
    assert [start.round for start in of_kind(log, RoundStarted)] == list(range(1, rounds + 1))
    assert log[0].rounds == rounds


def test_first_starter_is_named_or_drawn() -> None:
    """[CT 2.2] A named seat starts; without one every seat does in some game."""
    for seat in range(4):
        assert only(CHEEZ_TRICKS.setup(Options(starting_seat=seat), 4, KEY), RoundStarted).starter == seat
    games = [CHEEZ_TRICKS.setup(Options(), 4, derived(KEY, str(number))) for number in range(40)]
    assert {only(game, RoundStarted).starter for game in games} == {0, 1, 2, 3}


def test_the_token_passes_clockwise() -> None:
    """[CT 2.3] Whoever won the last trick."""
    log = log_of(Options(starting_seat=3), 5)
    assert [start.starter for start in of_kind(log, RoundStarted)] == [3, 4, 0, 1, 2]
    last_winners = [won.seat for won in of_kind(log, TrickWon) if won.trick == HAND[5]]
    assert last_winners[:-1] != [start.starter for start in of_kind(log, RoundStarted)][1:]


def test_order_of_a_round() -> None:
    """[CT 2.4] Cats and cards before trump, trump before the first lead, which is the starting player's."""
    game = CHEEZ_TRICKS.setup(Options(starting_seat=2), 4, KEY)
    assert [type(event) for event in game] == [GameStarted, RoundStarted, CardsDealt, TrumpSet]
    assert asked(evolved(CHEEZ_TRICKS, None, game)) == 2


def test_trump_of_the_first_round_is_drawn() -> None:
    """[CT 3.1] By chance alone, each cheese in some game."""
    games = [CHEEZ_TRICKS.setup(Options(), 3, derived(KEY, str(number))) for number in range(40)]
    drawn = [only(game, TrumpSet) for game in games]
    assert {trump.suit for trump in drawn} == {0, 1, 2, 3}
    assert all(trump.seat is None and not trump.by_engine for trump in drawn)


def after_round_1(totals: tuple[int, ...]) -> State:
    """Return a game of four whose first round, started by seat 0, brought these points."""
    state = skipped(laid_out(["", "", "", ""]), {0: [""] * 10})
    ready = replace(state, phase=Phase.SCORING)
    scores = RecordScores(1, totals, totals, (), ScoreDetail((0,) * 4))
    after: State = evolved(CHEEZ_TRICKS, ready, CHEEZ_TRICKS.decide(ready, scores))
    return after


def test_fewest_points_choose_trump() -> None:
    """[CT 3.2] The seat behind is asked when cards and cats are known; what it names is trump."""
    state = after_round_1((7, 4, 3, 9))
    assert asked(state) == state.trump_chooser == 2
    assert all(state.hands) and len(state.cats) == 3
    (chosen,) = decided(state, ChooseTrump(BRIE))
    assert chosen == TrumpSet(BRIE, seat=2, by_engine=False)
    assert CHEEZ_TRICKS.evolve(state, chosen).trump == BRIE


@pytest.mark.parametrize(
    ("totals", "starter", "chooser"),
    [((0, 0, 0, 0), 1, 0), ((2, 5, 2, 5), 1, 0), ((2, 5, 2, 5), 3, 2), ((5, 2, 5, 2), 1, 3), ((1, 3, 3, 3), 0, 0)],
)
def test_ties_for_the_fewest(totals: tuple[int, ...], starter: int, chooser: int) -> None:
    """[CT 3.3] The tied seat farthest clockwise from this round's starter, worked out by hand."""
    assert trump_chooser(totals, starter) == chooser
    if starter == 1:
        assert after_round_1(totals).trump_chooser == chooser


def test_nobody_plays_before_trump() -> None:
    """[CT 3.4] A card is not asked for, whoever offers it; all four cheeses may be named."""
    state = after_round_1((7, 4, 3, 9))
    assert refusal(state, 2, PlayCard(state.hands[2][0])).reason == "NOT_ASKED_FOR"
    assert refusal(state, 1, PlayCard(state.hands[1][0])).reason == "NOT_YOUR_TURN"
    assert {offer.choice for offer in CHEEZ_TRICKS.offers(state, 2)} == {ChooseTrump(suit) for suit in range(4)}
    assert asked(CHEEZ_TRICKS.evolve(state, TrumpSet(BRIE, seat=2))) == state.starter == 1
