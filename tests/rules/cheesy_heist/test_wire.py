"""What of Cheesy Heist's messages cannot be is refused with its field; what is not given has its default."""

import pytest

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as pb
from engine_service.rules.games.cheesy_heist.actions import (
    DrawCard,
    DropAll,
    KeepInVault,
    KeepUpTo,
    PlayDecoy,
    PlayMirages,
    PlayThief,
    PlayVault,
    TakeCard,
)
from engine_service.rules.games.cheesy_heist.cards import CARD_NAMES, KINDS
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.wire.game_wire import Malformed
from engine_service.wire.registry import WIRES

WIRE = WIRES["cheesy_heist"]


def unknown(*cards: int) -> pb.KeepInVault:
    message = pb.KeepInVault()
    message.cards.extend(cards)  # type: ignore[arg-type]
    return message


@pytest.mark.parametrize(
    ("move", "field", "reason"),
    [
        (pb.Move(), "action", "BAD_REQUEST"),
        (pb.Move(keep_in_vault=unknown(0)), "keep_in_vault.cards[0]", "UNKNOWN_CARD"),
        (pb.Move(keep_in_vault=unknown(1, 11)), "keep_in_vault.cards[1]", "UNKNOWN_CARD"),
        (pb.Move(keep_in_vault=unknown(-1)), "keep_in_vault.cards[0]", "UNKNOWN_CARD"),
        (pb.Move(play_mirages=pb.PlayMirages(cards=[pb.CARD_UNSPECIFIED])), "play_mirages.cards[0]", "UNKNOWN_CARD"),
    ],
)
def test_moves_that_cannot_be(move: pb.Move, field: str, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        WIRE.action_in(move)
    assert (caught.value.field, caught.value.reason) == (field, reason)


@pytest.mark.parametrize(
    ("move", "action"),
    [
        (pb.Move(draw_card=pb.DrawCard()), DrawCard()),
        (pb.Move(play_thief=pb.PlayThief(target=3)), PlayThief(3)),
        (pb.Move(play_mirages=pb.PlayMirages(cards=[pb.CARD_SOAP, pb.CARD_MOON, pb.CARD_SPONGE])), None),
        (pb.Move(drop_all=pb.DropAll()), DropAll()),
        (pb.Move(play_vault=pb.PlayVault()), PlayVault(wasted=False)),
        (pb.Move(play_decoy=pb.PlayDecoy(wasted=True)), PlayDecoy(wasted=True)),
        (pb.Move(keep_in_vault=pb.KeepInVault()), KeepInVault(())),
        (pb.Move(keep_in_vault=pb.KeepInVault(cards=[pb.CARD_CAT, pb.CARD_CHEESE])), KeepInVault((0, 9))),
        (pb.Move(take_card=pb.TakeCard(owner=1, place=-4)), TakeCard(1, -4)),
    ],
)
def test_moves_that_can_be(move: pb.Move, action: object) -> None:
    """Cards in any order come in sorted; what is no place or seat is the rules' to refuse."""
    assert WIRE.action_in(move) == (action or PlayMirages((6, 7, 8), 0))


def test_every_kind_has_a_card_of_its_name() -> None:
    """The same order on both sides."""
    sent = WIRE.offer_out(KeepUpTo(3, KINDS)).keep_up_to.of
    assert [pb.Card.Name(card).removeprefix("CARD_") for card in sent] == [
        name.upper().split()[-1] for name in CARD_NAMES
    ]


def test_options_not_given() -> None:
    """A drawn dealer, the rulebook's goal and seconds; seat 0 is a dealer that was named."""
    assert WIRE.options_in(pb.Options()) == Options(None, None, reaction_seconds=4, vault_seconds=20, collect_seconds=5)
    assert WIRE.options_in(pb.Options(dealer=0, goal=0)) == Options(dealer=0, goal=0)


def test_options_come_back_as_they_were_sent() -> None:
    """Each in its own field."""
    options = Options(dealer=1, goal=2, reaction_seconds=3, vault_seconds=4, collect_seconds=5)
    assert WIRE.options_in(WIRE.options_out(options)) == options
