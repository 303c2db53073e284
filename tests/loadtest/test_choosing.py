"""Every game that can be played can be played by simulated players."""

from collections import Counter
from random import Random

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as ctr
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as ch
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_loadtest.choosing.choose import choose
from cheeseboard_loadtest.choosing.registry import HABITS


def test_no_game_lacks_its_habits():
    """A new game adds its line to choosing/registry.py."""
    games = {field.name for field in tables_pb2.GameOptions.DESCRIPTOR.fields}
    assert not games - set(HABITS), f"choosing/registry.py of the load tester lacks {sorted(games - set(HABITS))}"


def _card(value: int, window: int) -> tables_pb2.Offer:
    card = ct.PlayCard(card=ct.Card(suit=ct.SUIT_BRIE, value=value))
    return tables_pb2.Offer(window=window, cheez_tricks=ct.Offer(play_card=card))


def test_what_is_chosen_is_an_offer_with_its_window():
    """Each one sometimes; nothing when nothing is offered."""
    dice, offers = Random(1), [_card(value, 40 + value) for value in (1, 2, 3)]
    chosen = [choose(offers, dice) for _ in range(100)]
    assert {(each.window, each.move.cheez_tricks.play_card.card.value) for each in chosen if each} == {
        (41, 1),
        (42, 2),
        (43, 3),
    }
    assert choose([], dice) is None


def test_what_answers_no_question_is_done_now_and_then():
    """Window 0 stands beside the turn: it neither waits for it nor keeps anybody from it."""
    dice = Random(1)
    beside = [choose([_card(1, 0)], dice) for _ in range(1000)]
    assert 10 < sum(each is not None for each in beside) < 150
    both = [choose([_card(1, 0), _card(2, 9)], dice) for _ in range(1000)]
    assert 850 < sum(each is not None and each.window == 9 for each in both) < 990


def test_a_vault_keeps_no_more_than_it_holds():
    """Cards of the hand, from none to all that are allowed."""
    hand = [ch.CARD_CHEESE, ch.CARD_CHEESE, ch.CARD_MOON, ch.CARD_CAT]
    keep = ch.Offer(keep_up_to=ch.KeepUpTo(count=3, of=hand))
    dice, kept = Random(1), []
    for _ in range(100):
        chosen = choose([tables_pb2.Offer(window=5, cheesy_heist=keep)], dice)
        assert chosen and chosen.move.cheesy_heist.HasField("keep_in_vault")
        kept.append(list(chosen.move.cheesy_heist.keep_in_vault.cards))
    assert {len(cards) for cards in kept} == {0, 1, 2, 3}
    assert all(not Counter(cards) - Counter(hand) for cards in kept)


def test_cheat_trick_answers_within_what_is_offered():
    """Bids, declarations, accusations and splits."""
    siblings, court = (
        ctr.Declare(phrase=ctr.PHRASE_SIBLINGS, suit=ctr.SUIT_HEARTS),
        ctr.Declare(phrase=ctr.PHRASE_FULL_COURT, suit=ctr.SUIT_CLUBS),
    )
    plays = [ctr.Accuse(round=1, trick=1, seat=2), ctr.Accuse(round=1, trick=2, seat=0)]
    dice = Random(1)
    for _ in range(50):
        assert 4 <= _answer(ctr.Offer(raise_bid=ctr.MayRaise(least=4, most=14)), dice).raise_bid.tricks <= 14
        assert _answer(ctr.Offer(raise_bid=ctr.MayRaise(least=14, most=14)), dice).raise_bid.tricks == 14
        assert _answer(ctr.Offer(declare=ctr.MayDeclare(declarations=[siblings, court])), dice).declare in (
            siblings,
            court,
        )
        assert _answer(ctr.Offer(accuse=ctr.MayAccuse(plays=plays)), dice).accuse in plays
        split = _answer(ctr.Offer(split=ctr.MaySplit(least=2, most=5, total=7)), dice).split
        assert 2 <= split.own <= 5 and split.own + split.partners == 7


def _answer(offer: ctr.Offer, dice: Random) -> ctr.Move:
    chosen = choose([tables_pb2.Offer(window=3, cheat_trick=offer)], dice)
    assert chosen
    return chosen.move.cheat_trick
