"""[CT 7] What lies open and what is hidden, by seat and for spectators."""

import pytest

from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.events import CardPlayed, CardsDealt, DealRevealed
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.state import Phase, State
from engine_service.rules.games.cheez_tricks.views import Play, TrickView, View
from tests.rules.walks import walk

from .tabletop import HOUSE_CAT, WILD_CAT, card, cards, laid_out, played, skipped, tricks

LEVELS = pytest.mark.parametrize("level", [HOUSE_CAT, WILD_CAT])


def seen_by(state: State, seat: int | None) -> View:
    view = CHEEZ_TRICKS.view(state, seat)
    assert isinstance(view, View)
    return view


def open_cards(state: State) -> list[tuple[int, ...]]:
    (openly,) = {tuple(seat.open_cards for seat in seen_by(state, viewer).seats) for viewer in (None, 0, 1, 2)}
    return list(openly)


@LEVELS
def test_a_hand_is_seen_by_its_own_seat_only(level: int) -> None:
    """[CT 7.1] In views, and when it is dealt; spectators see none."""
    table = laid_out(["S1 S2", "R1 R2", "B1 B2"], level=level)
    assert [seen_by(table, viewer).hand for viewer in (0, 1, 2, None)] == [*table.hands, ()]
    dealt = CardsDealt(hands=table.hands, set_aside=cards("P7"), seed=bytes(32))
    told = [CHEEZ_TRICKS.seen(dealt, viewer) for viewer in (0, 1, 2, None)]
    assert [each.hand for each in told] == [*table.hands, ()]
    assert [(each.hand_count, each.set_aside_count) for each in told] == [(2, 1)] * 4


def test_house_cat_opens_what_cats_count() -> None:
    """[CT 7.2] Cards of the value or cheese on the table, before who took them, as soon as the trick is complete."""
    cats = ("grey 6s", "orange Brie", "grey tricks")
    table = laid_out(["S5 S6", "S1 P6", "S2 B3"], cats=cats, level=HOUSE_CAT)
    table = skipped(table, {1: ["R6 P1 B2"], 2: ["B6 B1 S9"]})
    assert open_cards(table) == [(), cards("R6 B2"), cards("B1 B6")]
    assert open_cards(played(table, "S6 S1")) == open_cards(table)
    assert open_cards(played(table, "S6 S1 S2")) == [cards("S6"), cards("R6 B2"), cards("B1 B6")]


def test_cats_that_count_no_cards_open_none() -> None:
    """[CT 7.2] Nor do black, white, siamese and tuxedo cats, nor one that counts tricks."""
    for cats in (("grey tricks", "orange tricks", "tuxedo 3"), ("siamese R6", "black 1", "white 1")):
        table = skipped(laid_out(["S1", "S2", "S3"], cats=cats, level=HOUSE_CAT), {1: ["R6 P1 B2"]})
        assert open_cards(table) == [(), (), ()]


def test_wild_cat_opens_nothing() -> None:
    """[CT 7.2] That is House Cat's help alone."""
    table = skipped(laid_out(["S1", "S2", "S3"], cats=("grey 6s", "black 1", "white 1")), {1: ["R6 P1 B2"]})
    assert open_cards(table) == [(), (), ()]


@LEVELS
def test_the_last_trick_lies_open_until_the_next_lead(level: int) -> None:
    """[CT 7.3] To everyone, with who won it; the next card that is led turns it."""
    table = laid_out(["S5 R5", "S1 R1", "S2 R2"], level=level)
    after_trick = played(table, "S5 S1 S2")
    for viewer in (None, 0, 1, 2):
        assert seen_by(played(table, "S5 S1"), viewer).last_trick is None
        plays = (Play(0, card("S5")), Play(1, card("S1")), Play(2, card("S2")))
        assert seen_by(after_trick, viewer).last_trick == TrickView(1, plays, winner=0)
        assert seen_by(after_trick, viewer).trick == TrickView(2, ())
        assert seen_by(played(after_trick, "R5"), viewer).last_trick is None


@LEVELS
def test_the_last_trick_of_a_round_lies_open_until_the_scores(level: int) -> None:
    """[CT 7.3] While they are awaited it is there, afterwards not."""
    for step in walk(CHEEZ_TRICKS, Options(level=level), 3, bytes(32)):
        view = seen_by(step.state, None)
        if view.phase is Phase.SCORING:
            assert view.last_trick is not None and view.last_trick.number == 12
            assert view.trick is None
        if view.phase in (Phase.TRUMP, Phase.OVER):
            assert view.last_trick is None


def test_wild_cat_hides_earlier_tricks() -> None:
    """[CT 7.4] No view holds them, their owner's neither; the lead that turns a trick closes the look back."""
    table = skipped(laid_out(["S5 R5", "S1 R1", "S2 R2"]), {0: ["B5 B1 B2"]})
    lead = CardPlayed(0, card("S5"))
    assert CHEEZ_TRICKS.veils(table, lead)
    first_lead = laid_out(["S5 R5", "S1 R1", "S2 R2"])
    assert not CHEEZ_TRICKS.veils(first_lead, lead)
    assert not CHEEZ_TRICKS.veils(played(table, "S5"), CardPlayed(1, card("S1")))
    for viewer in (None, 0, 1, 2):
        view = seen_by(played(table, "S5"), viewer)
        assert view.last_trick is None
        assert not {seat.open_cards for seat in view.seats} - {()}


def test_house_cat_leaves_history_open() -> None:
    """[CT 7.4] Nothing closes the look back there."""
    for step in walk(CHEEZ_TRICKS, Options(level=HOUSE_CAT), 3, bytes(32)):
        state = step.before
        for event in step.events:
            assert state is None or not CHEEZ_TRICKS.veils(state, event)
            state = CHEEZ_TRICKS.evolve(state, event)


@LEVELS
def test_what_is_public(level: int) -> None:
    """[CT 7.5] Cards in hand and tricks won by number, captures and points, the same for everyone."""
    table = skipped(
        laid_out(["S5 R5", "S1 R1", "S2 R2"], cats=("white 3", "tuxedo 1", "black 9"), level=level), {0: tricks(2)}
    )
    table = played(table, "S5 S1 S2 R5")
    for viewer in (None, 0, 1, 2):
        view = seen_by(table, viewer)
        assert [(seat.hand_count, seat.tricks, seat.total) for seat in view.seats] == [(0, 3, 0), (1, 0, 0), (1, 0, 0)]
        assert [(each.caught, each.decided) for each in view.cats] == [((0,), True), ((), False), ((), False)]


@LEVELS
def test_cards_set_aside_are_seen_after_the_round(level: int) -> None:
    """[CT 7.6] Before that only how many there are; then which, with the seed and all hands."""
    for step in walk(CHEEZ_TRICKS, Options(level=level), 2, bytes(32)):
        for event in step.events:
            told = CHEEZ_TRICKS.seen(event, 0)
            if isinstance(event, DealRevealed):
                assert step.before is not None and told.set_aside == step.before.set_aside
                assert len(told.set_aside) == 8
            else:
                assert not hasattr(told, "set_aside")
