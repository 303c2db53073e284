"""The SDK's check of deals, which shares no code with the rules: true records pass, changed ones are named."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as pb
from cheeseboard_client import DealMismatch, verify_deal
from cheeseboard_client.deals.cheat_trick import dealt, first_dealer
from cheeseboard_client.deals.shuffle import commitment
from engine_service.rules.games.cheat_trick.options import Options
from tests.rules.golden.vectors import DEALS

from .records import played_out, recorded, table_options

VETOES = Options(veto_limit=None)
VECTORS = json.loads(DEALS.read_text())["cheat_trick"]


@pytest.mark.parametrize("vector", VECTORS)
def test_a_seed_gives_the_whole_deal(vector: dict[str, Any]) -> None:
    """[CHT 2.1-2.5] By the SDK's own reckoning: packets, hands, what lies face up, who deals first."""
    seed, seats = bytes.fromhex(vector["seed"]), vector["seats"]
    given = dealt(seed, seats)
    assert commitment(seed).hex() == vector["commitment"]
    assert first_dealer(seed, table_options(Options(), seats)) == vector["dealer"]
    for name, cards in (("packets", given.packets), ("hands", given.hands)):
        assert [[list(card) for card in hand] for hand in cards] == vector[name]
    assert [list(card) for card in given.face_up] == vector["face_up"]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("viewer", [None, 1])
def test_every_deal_of_a_game_is_checked(seats: int, viewer: int | None) -> None:
    """[CHT 2.1, 10.7] That of each round, and the vetoed ones opened in the end; the first dealer was drawn."""
    last = played_out(VETOES, seats, bytes(32))
    checked = {
        (deal.round, deal.deal): deal.checked
        for deal in verify_deal(table_options(VETOES, seats), recorded(last, viewer))
    }
    vetoed = {(deal.round, deal.deal) for deal in last.state.vetoed}
    assert vetoed
    assert set(checked) - vetoed == {
        (score.round, sum(at == score.round for at, _ in vetoed) + 1) for score in last.state.scored
    }
    packet = () if viewer is None else ("packet",)
    assert all({"commitment", *packet} <= set(what) for what in checked.values())
    assert all({"hands", "face_up", "trump", "plays"} <= set(checked[deal]) for deal in set(checked) - vetoed)
    assert "dealer" in checked[1, 1]


def _other_seed(event: pb.Event) -> None:
    event.deal_revealed.seed = bytes(32)


def _other_card(event: pb.Event) -> None:
    event.deal_revealed.hands[0].cards[0].value += 1


def _other_trump(event: pb.Event) -> None:
    event.deal_completed.trump = pb.Suit.ValueType(event.deal_completed.trump % 4 + 1)


def _other_turned_up(event: pb.Event) -> None:
    event.deal_completed.turned_up.value = event.deal_completed.turned_up.value % 14 + 1


def _other_own_hand(event: pb.Event) -> None:
    event.packet_dealt.hand[0].value = event.packet_dealt.hand[0].value % 14 + 1


def _other_dealer(event: pb.Event) -> None:
    event.round_started.dealer = (event.round_started.dealer + 1) % 4


def _other_player(event: pb.Event) -> None:
    event.card_played.seat = (event.card_played.seat + 1) % 4


@pytest.mark.parametrize(
    ("kind", "cheat", "what"),
    [
        ("deal_revealed", _other_seed, "commitment"),
        ("deal_revealed", _other_card, "hands"),
        ("deal_completed", _other_trump, "trump"),
        ("deal_completed", _other_turned_up, "face_up"),
        ("packet_dealt", _other_own_hand, "packet"),
        ("round_started", _other_dealer, "dealer"),
        ("card_played", _other_player, "plays"),
    ],
)
def test_cheating_is_named(kind: str, cheat: Callable[[pb.Event], None], what: str) -> None:
    """[CHT 2.1] One event of a true record is changed: the check says what does not agree."""
    options = Options(simplified=True)
    events = recorded(played_out(options, 4, bytes(32)), 1)
    cheat(next(event.cheat_trick for event in events if event.cheat_trick.WhichOneof("event") == kind))
    with pytest.raises(DealMismatch) as mismatch:
        verify_deal(table_options(options, 4), events)
    assert (mismatch.value.round, mismatch.value.what) == (1, what)


def test_a_vetoed_deal_that_was_another_one_is_found() -> None:
    """[CHT 10.7] Its seed is not what its commitment bound."""
    events = recorded(played_out(VETOES, 4, bytes(32)), None)
    opened = next(
        event.cheat_trick.vetoed_deals_revealed
        for event in events
        if event.cheat_trick.HasField("vetoed_deals_revealed")
    )
    opened.deals[0].seed = bytes(32)
    with pytest.raises(DealMismatch, match="commitment"):
        verify_deal(table_options(VETOES, 4), events)
