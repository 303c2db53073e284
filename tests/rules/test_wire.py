"""The wire of every game: what goes out comes back, nothing is a map, and what cannot be is refused with its field."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as pb
from cheeseboard.scoring.v1 import scoring_pb2 as scoring
from cheeseboard_client import move_of
from engine_service.rules.game import BadOption
from engine_service.rules.games.cheez_tricks.actions import ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.registry import GAMES
from engine_service.wire.game_wire import Malformed
from engine_service.wire.registry import WIRES

from .kits import KITS
from .walks import walk

every_game = pytest.mark.parametrize("name", GAMES)
CHEEZ_TRICKS = WIRES["cheez_tricks"]


@every_game
def test_options_come_back(name: str) -> None:
    game, wire = GAMES[name], WIRES[name]
    for seats in range(game.min_seats, game.max_seats + 1):
        for options in KITS[name].option_sets(seats):
            sent = type(wire.options_out(options)).FromString(wire.options_out(options).SerializeToString())
            assert wire.options_in(sent) == options


@every_game
def test_an_offer_can_be_sent_back_as_a_move(name: str) -> None:
    """Wherever an offer is one concrete action, a client copies it into a move; what a family permits comes in too."""
    game, wire, kit = GAMES[name], WIRES[name], KITS[name]
    for options in kit.option_sets(game.max_seats):
        for step in walk(game, options, game.max_seats, bytes(32)):
            for question in game.actors(step.state):
                for offer in game.offers(step.state, question.seat or 0):
                    sent = tables.Offer(window=offer.window, **{name: wire.offer_out(offer.choice)})
                    permitted = kit.chosen(offer.choice)
                    try:
                        assert [wire.action_in(getattr(move_of(sent), name))] == list(permitted)
                    except ValueError:
                        assert offer.choice not in permitted


@every_game
def test_facts_and_detail_fit_their_envelopes(name: str) -> None:
    """Facts can be scored by the game's table, and what it answers comes in."""
    game, wire = GAMES[name], WIRES[name]
    for step in walk(game, KITS[name].option_sets(game.min_seats)[0], game.min_seats, bytes(32)):
        round_over = game.round_ended(step.events[-1])
        if round_over is not None:
            assert scoring.RoundFacts(**{name: wire.facts_out(round_over.facts)}).WhichOneof("game") == name
            scores = KITS[name].score(step.state, round_over)
            message = getattr(scoring.ScoreDetail(), name)
            assert type(wire.detail_in(message)) is type(scores.detail)


def fields_of(message: Descriptor, path: str, done: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield every field at any depth, each message once."""
    if message.full_name in done:
        return
    done.add(message.full_name)
    for field in message.fields:
        yield f"{path}.{field.name}", field
        if field.message_type is not None:
            yield from fields_of(field.message_type, f"{path}.{field.name}", done)


@pytest.mark.parametrize("message", [tables.TableView, tables.TableEvent, tables.Prompt, tables.Move])
def test_nothing_is_a_map(message: Any) -> None:
    """Maps have no order on the wire, so equal contents could be told apart."""
    fields = list(fields_of(message.DESCRIPTOR, message.DESCRIPTOR.name, set()))
    assert fields
    assert [path for path, field in fields if field.message_type and field.message_type.GetOptions().map_entry] == []


def card(suit: int, value: int) -> pb.Card:
    message = pb.Card(value=value)
    message.suit = suit  # type: ignore[assignment]
    return message


@pytest.mark.parametrize(
    ("move", "field", "reason"),
    [
        (pb.Move(), "action", "BAD_REQUEST"),
        (pb.Move(choose_trump=pb.ChooseTrump()), "choose_trump.suit", "BAD_REQUEST"),
        (pb.Move(play_card=pb.PlayCard()), "play_card.card", "BAD_REQUEST"),
        (pb.Move(play_card=pb.PlayCard(card=pb.Card(value=3))), "play_card.card.suit", "UNKNOWN_CARD"),
        (pb.Move(play_card=pb.PlayCard(card=card(5, 3))), "play_card.card.suit", "UNKNOWN_CARD"),
        (pb.Move(play_card=pb.PlayCard(card=card(-1, 3))), "play_card.card.suit", "UNKNOWN_CARD"),
        (pb.Move(play_card=pb.PlayCard(card=card(1, 0))), "play_card.card.value", "UNKNOWN_CARD"),
        (pb.Move(play_card=pb.PlayCard(card=card(1, 11))), "play_card.card.value", "UNKNOWN_CARD"),
        (pb.Move(play_card=pb.PlayCard(card=card(1, -4))), "play_card.card.value", "UNKNOWN_CARD"),
    ],
)
def test_moves_that_cannot_be(move: pb.Move, field: str, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        CHEEZ_TRICKS.action_in(move)
    assert (caught.value.field, caught.value.reason) == (field, reason)


def test_moves_that_can_be() -> None:
    """The corners: first and last card and cheese."""
    assert CHEEZ_TRICKS.action_in(pb.Move(choose_trump=pb.ChooseTrump(suit=pb.SUIT_SWISS))) == ChooseTrump(0)
    assert CHEEZ_TRICKS.action_in(pb.Move(choose_trump=pb.ChooseTrump(suit=pb.SUIT_BRIE))) == ChooseTrump(3)
    assert CHEEZ_TRICKS.action_in(pb.Move(play_card=pb.PlayCard(card=card(1, 1)))) == PlayCard(0)
    assert CHEEZ_TRICKS.action_in(pb.Move(play_card=pb.PlayCard(card=card(4, 10)))) == PlayCard(39)


@pytest.mark.parametrize(
    ("cat", "field"),
    [
        (pb.Cat(), "cat_deck[0]"),
        (pb.Cat(siamese=pb.SiameseCat()), "cat_deck[0].siamese.card.suit"),
        (pb.Cat(siamese=pb.SiameseCat(card=card(2, 0))), "cat_deck[0].siamese.card.value"),
        (pb.Cat(siamese=pb.SiameseCat(card=card(2, 17))), "cat_deck[0].siamese.card.value"),
        (pb.Cat(grey=pb.GreyCat()), "cat_deck[0].grey.most"),
        (pb.Cat(orange=pb.OrangeCat()), "cat_deck[0].orange.least"),
        (pb.Cat(grey=pb.GreyCat(most=pb.Counted(suit=pb.SUIT_UNSPECIFIED))), "cat_deck[0].grey.most.suit"),
    ],
)
def test_cats_that_cannot_be(cat: pb.Cat, field: str) -> None:
    with pytest.raises(Malformed) as caught:
        CHEEZ_TRICKS.options_in(pb.Options(cat_deck=[cat]))
    assert (caught.value.field, caught.value.reason) == (field, "BAD_OPTION")


def test_options_not_given() -> None:
    """House Cat, a drawn starter, the built-in deck; seat 0 is a seat that was given."""
    assert CHEEZ_TRICKS.options_in(pb.Options()) == Options(level=1, starting_seat=None, cat_deck=())
    assert CHEEZ_TRICKS.options_in(pb.Options(starting_seat=0)).starting_seat == 0


def test_a_level_that_is_none_is_refused_by_the_rules() -> None:
    message = pb.Options()
    message.level = 7  # type: ignore[assignment]
    with pytest.raises(BadOption, match="level"):
        CHEEZ_TRICKS.game.check_options(CHEEZ_TRICKS.options_in(message), 4)
