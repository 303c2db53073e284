"""[CT 5] The deck of cats, what of it a table plays with, and which decks are refused."""

from collections import Counter
from collections.abc import Sequence

import pytest

from engine_service.rules.game import BadOption
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
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
from engine_service.rules.games.cheez_tricks.deck import BUILT_IN, fitting
from engine_service.rules.games.cheez_tricks.events import RoundStarted
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.shuffle import derived
from tests.rules.walks import walk

from .tabletop import BRIE, HOUSE_CAT, SWISS, WILD_CAT, card, cat

KEY = b"cats".ljust(32, b".")


def rounds(options: Options, seats: int, key: bytes = KEY) -> list[tuple[Cat, ...]]:
    """Return the cats of each round of a game."""
    log = list(walk(CHEEZ_TRICKS, options, seats, key))[-1].log
    return [event.cats for event in log if isinstance(event, RoundStarted)]


def played_with(seats: int, level: int, deck: Sequence[Cat] = BUILT_IN) -> set[Cat]:
    return {deck[place] for place in fitting(deck, seats, level)}


def refused(deck: Sequence[Cat], seats: int = 4, level: int = WILD_CAT) -> tuple[str, str]:
    """Return field and reason of a refused deck."""
    with pytest.raises(BadOption) as caught:
        CHEEZ_TRICKS.check_options(Options(level=level, cat_deck=tuple(deck)), seats)
    return caught.value.field, caught.value.why


FINE = (cat("black 1"), cat("white 1"), cat("tuxedo 0"))


def test_three_cats_each_round() -> None:
    """[CT 5.1] In an order that chance gives: the same three may lie otherwise."""
    for cats in rounds(Options(level=WILD_CAT), 5):
        assert len(set(cats)) == 3
    orders = {rounds(Options(cat_deck=FINE), 3, derived(KEY, str(number)))[0] for number in range(40)}
    assert len(orders) == 6


def test_player_counts() -> None:
    """[CT 5.2] A cat that names none is played with at every number of players."""
    deck = (cat("black 1"), cat("black 2", 2, 5), cat("black 3", 3))
    at = {seats: played_with(seats, WILD_CAT, deck) for seats in (2, 3, 4, 5)}
    assert at == {2: set(deck[:2]), 3: {deck[0], deck[2]}, 4: {deck[0]}, 5: set(deck[:2])}


def test_house_cat_has_no_orange_cats_nor_grey_9s_and_10s() -> None:
    """[CT 5.3] Of the built-in deck with four: 44 cats less those."""
    tame = played_with(4, HOUSE_CAT)
    assert {cat("grey 9s", 3, 4, 5), cat("grey 10s", 4, 5)} & played_with(4, WILD_CAT)
    assert not {cat("grey 9s", 3, 4, 5), cat("grey 10s", 4, 5)} & tame
    assert not any(isinstance(each.kind, OrangeCat) for each in tame)
    assert cat("grey 8s", 3, 4, 5) in tame
    assert len(tame) == 50 - 11 - 2


def test_wild_cat_has_all() -> None:
    """[CT 5.4] All that are used at the number of players."""
    assert [len(played_with(seats, WILD_CAT)) for seats in (2, 3, 4, 5)] == [45, 49, 50, 47]


def test_used_cats_do_not_come_back() -> None:
    """[CT 5.5] Fifteen different cats in five rounds."""
    for number in range(20):
        drawn = [each for cats in rounds(Options(level=WILD_CAT), 5, derived(KEY, str(number))) for each in cats]
        assert len(set(drawn)) == 15


def test_too_few_left_bring_the_discards_back() -> None:
    """[CT 5.6] Of five cats three are used, two are left: the next round is drawn from all five."""
    deck = (*FINE, cat("black 2"), cat("black 3"))
    games = [rounds(Options(cat_deck=deck), 3, derived(KEY, str(number))) for number in range(30)]
    assert {len(set(first) & set(second)) for first, second, _ in games} == {1, 2, 3}
    # After that reshuffle only the second round's cats are discards, so the third draws from all five again.
    assert {len(set(second) & set(third)) for _, second, third in games} == {1, 2, 3}


def test_six_cats_last_two_rounds() -> None:
    """[CT 5.6] Exactly three left are enough; the discards come back a round later."""
    deck = (*FINE, cat("black 2"), cat("black 3"), cat("black 4"))
    for number in range(10):
        first, second, _ = rounds(Options(cat_deck=deck), 3, derived(KEY, str(number)))
        assert set(first) | set(second) == set(deck)


def test_the_built_in_deck() -> None:
    """[CT 5.7] Fifty cats, and among them every cat that the rulebook's text and examples name."""
    kinds = Counter(type(each.kind) for each in BUILT_IN)
    assert kinds == {BlackCat: 8, WhiteCat: 4, SiameseCat: 8, GreyCat: 15, OrangeCat: 11, TuxedoCat: 4}
    assert len(set(BUILT_IN)) == 50
    kinds_named = {
        "black 7", "white 3", "siamese P7", "grey 8s", "orange Brie", "tuxedo 3", "grey 9s", "grey 10s",
        "black 5", "siamese R8", "grey 6s", "white 2", "orange 3s",
    }  # fmt: skip
    assert {cat(name).kind for name in kinds_named} <= {each.kind for each in BUILT_IN}
    for level in (HOUSE_CAT, WILD_CAT):
        for seats in (2, 3, 4, 5):
            CHEEZ_TRICKS.check_options(Options(level=level, cat_deck=BUILT_IN), seats)


IMPOSSIBLE: tuple[tuple[Cat, str], ...] = (
    (Cat(BlackCat(0)), "black.trick"),
    (Cat(BlackCat(9)), "black.trick"),
    (Cat(BlackCat(11), (2, 3)), "black.trick"),
    (Cat(BlackCat(13), (3,)), "black.trick"),
    (Cat(WhiteCat(0)), "white.tricks"),
    (Cat(WhiteCat(9), (5,)), "white.tricks"),
    (Cat(TuxedoCat(-1)), "tuxedo.tricks"),
    (Cat(TuxedoCat(9)), "tuxedo.tricks"),
    (Cat(SiameseCat(card("R8"))), "siamese.card"),
    (Cat(SiameseCat(card("B10")), (3, 4)), "siamese.card"),
    (Cat(SiameseCat(-1)), "siamese.card"),
    (Cat(SiameseCat(40)), "siamese.card"),
    (Cat(GreyCat(CountedValue(8))), "grey.most.value"),
    (Cat(GreyCat(CountedValue(0))), "grey.most.value"),
    (Cat(GreyCat(CountedSuit(4))), "grey.most.suit"),
    (Cat(OrangeCat(CountedValue(11)), (4, 5)), "orange.least.value"),
    (Cat(OrangeCat(CountedValue(10)), (3, 5)), "orange.least.value"),
    (Cat(OrangeCat(CountedSuit(-1))), "orange.least.suit"),
)


@pytest.mark.parametrize(("impossible", "path"), IMPOSSIBLE)
def test_a_deck_with_what_cannot_occur_is_refused(impossible: Cat, path: str) -> None:
    """[CT 5.8] At any number of players that the cat claims, whoever sits at this table."""
    for seats in (2, 3, 4, 5):
        field, why = refused((*FINE, impossible), seats)
        assert field == f"cat_deck[3].{path}"
        assert "players" in why


POSSIBLE = (
    Cat(BlackCat(8)),
    Cat(BlackCat(12), (3,)),
    Cat(WhiteCat(10), (2, 4)),
    Cat(TuxedoCat(0)),
    Cat(TuxedoCat(12), (3,)),
    Cat(SiameseCat(card("B10")), (4, 5)),
    Cat(SiameseCat(card("B7"))),
    Cat(GreyCat(CountedValue(10)), (5,)),
    Cat(OrangeCat(CountedSuit(BRIE))),
    Cat(OrangeCat(CountedTricks())),
)


def test_the_limits_themselves_can_occur() -> None:
    """[CT 5.8] A deck of the outermost cats is played with."""
    for seats in (2, 3, 4, 5):
        CHEEZ_TRICKS.check_options(Options(level=WILD_CAT, cat_deck=POSSIBLE), seats)


def test_a_deck_with_too_few_cats_is_refused() -> None:
    """[CT 5.9] Counted at the table's number of players and its level."""
    assert refused(FINE[:2]) == ("cat_deck", "2 cats fit 4 players at Wild Cat; a round needs 3")
    of_others = (*FINE[:2], cat("black 2", 2, 3))
    assert refused(of_others, seats=4)[0] == "cat_deck"
    CHEEZ_TRICKS.check_options(Options(cat_deck=of_others), 3)
    orange = (*FINE[:2], cat("orange Swiss"), cat("grey 10s", 4))
    assert refused(orange, level=HOUSE_CAT) == ("cat_deck", "2 cats fit 4 players at House Cat; a round needs 3")
    CHEEZ_TRICKS.check_options(Options(level=WILD_CAT, cat_deck=orange), 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (cat("black 2"), cat("black 2")),
        (cat("grey Swiss", 2, 3), cat("grey Swiss", 3, 4)),
        (Cat(GreyCat(CountedSuit(SWISS))), cat("grey Swiss", 5)),
    ],
)
def test_a_deck_with_cats_alike_is_refused(one: Cat, other: Cat) -> None:
    """[CT 5.10] The same wish at the same number of players, even if this table has another number."""
    field, why = refused((*FINE, one, other), seats=2)
    assert field == "cat_deck[4]"
    assert why.startswith("wants the same as cat_deck[3] with")


def test_cats_alike_at_other_numbers_of_players_are_fine() -> None:
    """[CT 5.10] So are the most and the least of one thing."""
    deck = (*FINE, cat("black 2", 2, 3), cat("black 2", 4, 5), cat("grey Swiss"), cat("orange Swiss"))
    CHEEZ_TRICKS.check_options(Options(cat_deck=deck), 4)


@pytest.mark.parametrize("counts", [(1,), (6,), (2, 0), (3, 4, 3)])
def test_player_counts_that_are_none_are_refused(counts: tuple[int, ...]) -> None:
    """[CT 5.8] Nobody plays alone or by six; a number is named once."""
    field, _ = refused((*FINE, cat("black 2", *counts)))
    assert field == f"cat_deck[3].player_counts[{len(counts) - 1}]"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (Options(level=0), "level"),
        (Options(level=3), "level"),
        (Options(starting_seat=-1), "starting_seat"),
        (Options(starting_seat=4), "starting_seat"),
    ],
)
def test_other_options_out_of_range(options: Options, field: str) -> None:
    """[CT 2.2, 5.3, 5.4] The field is named."""
    with pytest.raises(BadOption) as caught:
        CHEEZ_TRICKS.check_options(options, 4)
    assert caught.value.field == field
