"""Cheesy Heist: a Vault keeps some of the hand; all else is offered as it is played."""

from random import Random

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_loadtest.choosing.habits import Habits


def _fill_in(offer: proto.Offer, move: proto.Move, dice: Random) -> None:
    keep = offer.keep_up_to
    count = dice.randint(0, min(keep.count, len(keep.of)))
    move.keep_in_vault.CopyFrom(proto.KeepInVault(cards=dice.sample(list(keep.of), count)))
    move.keep_in_vault.SetInParent()  # To keep nothing is a choice too.


HABITS = Habits(_fill_in)
