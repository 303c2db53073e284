"""`verify_deal`: the vectors, real games, and every kind of cheating."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, DealMismatch, Record, table_options, verify_deal
from cheeseboard_client.deals.cat_deck import CatPile, built_in_cat_deck
from cheeseboard_client.deals.shuffle import Keystream, commitment, picked, shuffled
from cheeseboard_client.deals.verify import dealt, drawn_trump, first_starter
from tests.support.players import play_out, seated

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "deals.json").read_text())


@pytest.mark.parametrize("vector", VECTORS["shuffle"])
def test_the_keystream_and_what_is_drawn_from_it(vector: dict[str, Any]):
    """Words, numbers below a bound (with many words skipped), and orders."""
    seed, label = bytes.fromhex(vector["seed"]), vector["label"]
    stream = Keystream(seed, label)
    assert [stream.below(2**32) for _ in vector["words"]] == vector["words"]
    assert picked(6, seed, label) == vector["picked_of_6"]
    assert picked(2**31 + 1, seed, label) == vector["picked_of_2147483649"]
    assert shuffled(range(10), seed, label) == vector["ten_shuffled"]


def test_the_built_in_deck_is_the_engines():
    """Same cats, same order: what a seed draws depends on both."""
    assert built_in_cat_deck() == [_cat(cat) for cat in VECTORS["cat_deck"]]


@pytest.mark.parametrize("vector", VECTORS["deals"])
def test_a_seed_gives_the_whole_first_round(vector: dict[str, Any]):
    """Hands, cards set aside, starter, trump, and the cats of both levels."""
    seed, seats = bytes.fromhex(vector["seed"]), vector["seats"]
    hands, set_aside = dealt(seed, seats)
    assert commitment(seed).hex() == vector["commitment"]
    assert [[list(card) for card in hand] for hand in hands] == vector["hands"]
    assert [list(card) for card in set_aside] == vector["set_aside"]
    assert drawn_trump(seed) == vector["trump"]
    assert first_starter(seed, table_options(ct.Options(), seats)) == vector["starter"]
    for each in vector["cats"]:
        pile = CatPile(built_in_cat_deck(), seats, each["level"])
        assert pile.drawn(seed) == [_cat(cat) for cat in each["cats"]]


@pytest.mark.parametrize("vector", VECTORS["games"])
def test_the_cats_of_later_rounds_depend_on_those_before(vector: dict[str, Any]):
    """Used cats stay out, until fewer than three are left."""
    deck = [_cat(cat) for cat in vector.get("cat_deck", [])] or built_in_cat_deck()
    pile = CatPile(deck, vector["seats"], vector["level"])
    for each in vector["rounds"]:
        cats = [_cat(cat) for cat in each["cats"]]
        assert pile.drawn(bytes.fromhex(each["seed"])) == cats
        pile.take(cats)


@pytest.fixture(scope="module")
async def record(stack: Any) -> Record:
    """A whole game that was really played, for two: cards are set aside."""
    async with Cheeseboard.connect(stack.engine_addresses) as guest:
        await guest.sign_in_guest("Remy")
        table_id = await seated([guest], bots=1)
        await play_out(guest, table_id)
        return await guest.record(table_id)


async def test_every_deal_of_a_played_game_is_checked(record: Record):
    """All of a first round; in later ones trump was chosen, not drawn."""
    checked = {deal.round: deal.checked for deal in verify_deal(record.options, record.events)}
    always = ("commitment", "hands", "set_aside", "plays", "cats", "starter")
    assert checked == {1: (*always, "trump"), 2: always, 3: always, 4: always}


async def test_what_depends_on_missed_rounds_is_not_claimed(record: Record):
    """Who joined in the third round cannot know which cats were left."""
    third = next(at for at, event in enumerate(record.events) if event.cheez_tricks.round_started.round == 3)
    checked = {deal.round: deal.checked for deal in verify_deal(record.options, record.events[third:])}
    assert set(checked) == {3, 4}
    assert "cats" not in checked[3] and "starter" not in checked[3]
    assert "starter" in checked[4]


def _other_card(event: ct.Event) -> None:
    card = event.deal_revealed.hands[0].cards[0]
    card.value = card.value % 7 + 1


def _other_seed(event: ct.Event) -> None:
    event.deal_revealed.seed = bytes(32)


def _other_aside(event: ct.Event) -> None:
    del event.deal_revealed.set_aside[0]


def _other_starter(event: ct.Event) -> None:
    event.round_started.starter = 1 - event.round_started.starter


def _other_cats(event: ct.Event) -> None:
    cats = list(reversed(event.round_started.cats))
    del event.round_started.cats[:]
    event.round_started.cats.extend(cats)


def _other_trump(event: ct.Event) -> None:
    event.trump_set.suit = event.trump_set.suit % 4 + 1


def _other_play(event: ct.Event) -> None:
    event.card_played.seat = 1 - event.card_played.seat


@pytest.mark.parametrize(
    ("kind", "cheat", "what"),
    [
        ("deal_revealed", _other_seed, "commitment"),
        ("deal_revealed", _other_card, "hands"),
        ("deal_revealed", _other_aside, "set_aside"),
        ("round_started", _other_cats, "cats"),
        ("round_started", _other_starter, "starter"),
        ("trump_set", _other_trump, "trump"),
        ("card_played", _other_play, "plays"),
    ],
)
async def test_cheating_is_named(record: Record, kind: str, cheat: Callable[[ct.Event], None], what: str):
    """One event of a true record is changed: the check says what does not agree."""
    events = [_copy(event) for event in record.events]
    cheat(next(event.cheez_tricks for event in events if event.cheez_tricks.HasField(kind)))  # type: ignore[arg-type]
    with pytest.raises(DealMismatch) as mismatch:
        verify_deal(record.options, events)
    assert (mismatch.value.round, mismatch.value.what) == (1, what)


def _copy(event: tables_pb2.TableEvent) -> tables_pb2.TableEvent:
    copy = tables_pb2.TableEvent()
    copy.CopyFrom(event)
    return copy


def _cat(cat: dict[str, Any]) -> ct.Cat:
    return json_format.ParseDict(cat, ct.Cat())
