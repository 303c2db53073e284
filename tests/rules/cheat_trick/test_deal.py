"""[CHT 1, 2] The pack, its ranks, and how it is dealt."""

import pytest

from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.cards import PACK, card_name, ranks
from engine_service.rules.games.cheat_trick.events import DealRevealed, PacketDealt, RoundStarted
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.shuffle import commitment, derived, shuffled
from tests.rules.walks import walk

from .tabletop import CLUBS, DIAMONDS, FOOL, HEARTS, SPADES, all_of, asked, card, started, voted


def test_three_or_four_players() -> None:
    """[CHT 1.1] No others."""
    assert (CHEAT_TRICK.min_seats, CHEAT_TRICK.max_seats) == (3, 4)


def test_the_pack_has_57_cards() -> None:
    """[CHT 1.2] Four suits of fourteen and the fool, each with a name of its own."""
    assert len({card_name(each) for each in PACK}) == len(PACK) == 57
    assert [card_name(card(name)) for name in ("C1", "DPs", "HPc", "SQ", "SK", "F")] == [
        "1 of clubs",
        "princess of diamonds",
        "prince of hearts",
        "queen of spades",
        "king of spades",
        "fool",
    ]


def ranked(suit: str, maternal: bool) -> str:
    """Return a suit from its highest card to its lowest."""
    names = ["K", "Q", "Pc", "Ps", *map(str, range(1, 11))]
    return " ".join(sorted(names, key=lambda name: -ranks(maternal)[card(suit + name)]))


@pytest.mark.parametrize("suit", "CDHS")
def test_ranks(suit: str) -> None:
    """[CHT 1.3] King, queen, prince, princess, 10 to 1, in every suit."""
    assert ranked(suit, maternal=False) == "K Q Pc Ps 10 9 8 7 6 5 4 3 2 1"


@pytest.mark.parametrize(
    ("suit", "order"), [("C", "K Q Pc Ps 10 9 8 7 6 5 4 3 2 1"), ("H", "Q K Ps Pc 1 2 3 4 5 6 7 8 9 10")]
)
def test_maternal_ranks(suit: str, order: str) -> None:
    """[CHT 1.4] Red suits turn their courts and pips around; black ones stay."""
    assert ranked(suit, maternal=True) == order
    assert ranked("D" if suit == "H" else "S", maternal=True) == order


def test_everything_runs_counter_clockwise_from_the_dealers_right() -> None:
    """[CHT 1.5] With dealer 0 that is 3, 2, 1."""
    table = started()
    assert [asked(voted(table, votes)) for votes in ("", "play", "play play")] == [[3], [2], [1]]


def test_a_deal_is_the_published_shuffle_of_a_seed_that_was_bound() -> None:
    """[CHT 2.1] Commitment at the deal, seed and hands after scoring; the seed gives exactly these cards."""
    log = list(walk(CHEAT_TRICK, Options(simplified=True), 4, bytes(32)))[-1].log
    packet, revealed = all_of(log, PacketDealt)[0], all_of(log, DealRevealed)[0]
    assert packet.seed == revealed.seed == derived(log[0].key, "deal/1/1")
    assert packet.commitment == commitment(revealed.seed)
    pack = shuffled(PACK, revealed.seed, "cards")
    for seat in range(4):
        hand = (*pack[seat * 7 : seat * 7 + 7], *pack[28 + seat * 7 : 35 + seat * 7])
        assert revealed.hands[seat] == tuple(sorted(hand))
    assert revealed.turned_up == pack[56]


def test_four_players_get_two_packets_of_seven() -> None:
    """[CHT 2.2] The second after the vote; the card that is left is turned up."""
    before = started()
    after = voted(before, "play play play")
    assert [len(hand) for hand in before.hands] == [7] * 4
    assert [len(hand) for hand in after.hands] == [14] * 4
    assert after.turned_up == before.pack[-1]
    assert after.pack == after.open_cards == ()


def test_three_players_get_two_packets_of_nine_and_an_open_card() -> None:
    """[CHT 2.3] The open cards are part of the hands."""
    before = started(seats=3)
    after = voted(before, "play play play")
    assert [len(hand) for hand in before.hands] == [9] * 3
    assert [len(hand) for hand in after.hands] == [19] * 3
    assert after.open_cards == before.pack[-3:]
    assert all(after.open_cards[seat] in after.hands[seat] for seat in range(3))
    assert after.turned_up is None


@pytest.mark.parametrize("seats", [3, 4])
def test_the_card_that_sets_trump(seats: int) -> None:
    """[CHT 2.4] The one turned up, or the dealer's open one; the fool makes none."""
    trumps = set()
    for number in range(200):
        table = started(Options(dealer=1, simplified=True), seats, derived(bytes(32), str(number)))
        shown = table.turned_up if seats == 4 else table.open_cards[1]
        assert shown is not None
        assert table.trump == (None if shown == FOOL else shown // 14)
        trumps.add(table.trump)
    assert trumps == {None, CLUBS, DIAMONDS, HEARTS, SPADES}


def test_the_first_dealer_is_named_or_drawn() -> None:
    """[CHT 2.5] Drawn, each seat comes."""
    assert started(Options(dealer=2)).dealer == 2
    drawn = {started(Options(), 4, derived(bytes(32), str(number))).dealer for number in range(60)}
    assert drawn == {0, 1, 2, 3}


@pytest.mark.parametrize(("seats", "dealers"), [(3, [0, 2, 1]), (4, [0, 3, 2, 1])])
def test_rounds_and_the_way_of_the_deal(seats: int, dealers: list[int]) -> None:
    """[CHT 2.6] As many rounds as players; the deal passes to the right."""
    log = list(walk(CHEAT_TRICK, Options(dealer=0), seats, bytes(32)))[-1].log
    assert [event.dealer for event in all_of(log, RoundStarted)] == dealers
    assert [event.first for event in all_of(log, RoundStarted)] == [(dealer - 1) % seats for dealer in dealers]
