"""The recount's single judgements against the rulebook's own examples."""

import pytest

from tests.support.recount.cards import Card, Trick, best, default_card, default_trump
from tests.support.recount.cats import DECK, Cat, caught_at_end, caught_at_once
from tests.support.recount.counts import RoundCount, chooser, places_of

SWISS, ROQUEFORT, PARMESAN, BRIE = 1, 2, 3, 4
JERRY, PINKY, REMY, MINNIE = range(4)


def test_example_1_the_highest_card_of_the_suit_led_wins() -> None:
    plays = [(JERRY, Card(BRIE, 7)), (PINKY, Card(BRIE, 5)), (REMY, Card(BRIE, 9)), (MINNIE, Card(BRIE, 2))]
    assert best(plays, SWISS) == REMY


def test_example_2_cards_of_other_suits_are_disregarded() -> None:
    plays = [
        (REMY, Card(PARMESAN, 6)),
        (MINNIE, Card(PARMESAN, 8)),
        (JERRY, Card(ROQUEFORT, 9)),
        (PINKY, Card(BRIE, 3)),
    ]
    assert best(plays, SWISS) == MINNIE


def test_example_3_the_highest_trump_wins() -> None:
    plays = [(MINNIE, Card(PARMESAN, 1)), (JERRY, Card(ROQUEFORT, 10)), (PINKY, Card(SWISS, 2)), (REMY, Card(SWISS, 6))]
    assert best(plays, SWISS) == REMY


def won(*winners: int) -> list[Trick]:
    """Tricks with these winners and no cards that matter."""
    return [Trick(winner, ()) for winner in winners]


def took(**cards: list[Card]) -> list[Trick]:
    """One trick for each of j, p, r, m with these cards."""
    return [Trick("jprm".index(seat), tuple(held)) for seat, held in cards.items()]


def test_example_4() -> None:
    """Jerry won the 5th trick; Remy the one with Roquefort 8; Remy and Minnie picked up two sixes each."""
    tricks = won(0, 1, 2, 3, JERRY)
    assert caught_at_once(("black", 5), tricks)
    assert not caught_at_once(("black", 5), tricks[:4])
    assert caught_at_once(("siamese", Card(ROQUEFORT, 8)), [Trick(REMY, (Card(ROQUEFORT, 8),))])
    assert not caught_at_once(("siamese", Card(ROQUEFORT, 8)), [Trick(REMY, (Card(ROQUEFORT, 7), Card(BRIE, 8)))])
    sixes = took(r=[Card(SWISS, 6), Card(BRIE, 6)], m=[Card(PARMESAN, 6), Card(ROQUEFORT, 6)])
    assert caught_at_end(("grey", ("value", 6)), sixes, 4) == {REMY, MINNIE}


def test_example_5() -> None:
    """Pinky was the first with 2 tricks; Minnie owned no threes; Jerry and Minnie had exactly 3 tricks."""
    tricks = won(JERRY, PINKY, REMY, PINKY)
    assert caught_at_once(("white", 2), tricks)
    assert not caught_at_once(("white", 2), won(JERRY, PINKY, REMY))
    assert not caught_at_once(("white", 2), [*tricks, *won(JERRY)]), "the second one to win two is not caught"
    assert not caught_at_once(("white", 2), [*tricks, *won(PINKY)])
    threes = took(j=[Card(SWISS, 3)], p=[Card(BRIE, 3), Card(ROQUEFORT, 3)], r=[Card(PARMESAN, 3)], m=[Card(SWISS, 1)])
    assert caught_at_end(("orange", ("value", 3)), threes, 4) == {MINNIE}
    three_each = won(JERRY, JERRY, JERRY, MINNIE, MINNIE, MINNIE, PINKY, PINKY, PINKY, PINKY)
    assert caught_at_end(("tuxedo", 3), three_each, 4) == {JERRY, MINNIE}


def test_most_and_least_tricks_and_suits() -> None:
    tricks = won(0, 0, 1, 1, 2)
    assert caught_at_end(("grey", ("tricks", None)), tricks, 4) == {0, 1}
    assert caught_at_end(("orange", ("tricks", None)), tricks, 4) == {3}
    brie = took(j=[Card(BRIE, 1), Card(BRIE, 2)], p=[Card(BRIE, 3)], r=[Card(SWISS, 4)], m=[Card(BRIE, 9)])
    assert caught_at_end(("grey", ("suit", BRIE)), brie, 4) == {JERRY}
    assert caught_at_end(("orange", ("suit", BRIE)), brie, 4) == {REMY}


def test_what_nobody_owns() -> None:
    """The most of nothing catches nobody, the least of nothing everybody."""
    assert caught_at_end(("grey", ("value", 5)), won(0, 1), 2) == frozenset()
    assert caught_at_end(("orange", ("value", 5)), won(0, 1), 2) == {0, 1}


@pytest.mark.parametrize("cat", [("black", 3), ("white", 4), ("siamese", Card(SWISS, 7))])
def test_at_once_cats_catch_nobody_at_the_end(cat: Cat) -> None:
    assert caught_at_end(cat, won(0, 0, 0, 0), 4) == frozenset()


def test_a_tuxedo_for_no_tricks_catches_who_won_none() -> None:
    assert caught_at_end(("tuxedo", 0), won(0, 0, 2), 4) == {1, 3}


@pytest.mark.parametrize(
    ("totals", "starter", "seat"),
    [((5, 3, 8), 0, 1), ((3, 3, 8), 0, 1), ((3, 3, 8), 1, 0), ((3, 8, 3), 2, 0), ((0, 0, 0, 0), 2, 1), ((4, 4), 1, 0)],
)
def test_fewest_points_choose_trump_and_of_ties_the_farthest_from_the_starter(
    totals: tuple[int, ...], starter: int, seat: int
) -> None:
    assert chooser(totals, starter) == seat


def test_places_by_points_then_best_round_then_shared() -> None:
    def rounds(*points: tuple[int, ...]) -> list[RoundCount]:
        return [RoundCount((), (), row) for row in points]

    assert places_of(rounds((8, 10, 4), (4, 2, 8))) == (2, 1, 2)
    assert places_of(rounds((4, 4, 1), (3, 3, 2))) == (1, 1, 3)
    assert places_of(rounds((9, 4, 4, 1), (0, 3, 3, 2))) == (1, 2, 2, 4)


def test_what_is_done_for_an_absent_player() -> None:
    assert default_trump([Card(BRIE, 1), Card(BRIE, 2), Card(SWISS, 9)]) == BRIE
    assert default_trump([Card(BRIE, 1), Card(PARMESAN, 2), Card(PARMESAN, 9), Card(BRIE, 4)]) == PARMESAN
    assert default_card([Card(BRIE, 2), Card(PARMESAN, 2), Card(SWISS, 1)], SWISS) == Card(PARMESAN, 2)
    assert default_card([Card(SWISS, 4), Card(SWISS, 2)], SWISS) == Card(SWISS, 2)


def test_the_deck_has_the_fifty_cats_of_the_rulings() -> None:
    kinds = [kind for kind, _ in DECK]
    counted = {kind: kinds.count(kind) for kind in kinds}
    assert counted == {"black": 8, "white": 4, "siamese": 8, "grey": 15, "orange": 11, "tuxedo": 4}
