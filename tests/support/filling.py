"""Offers that leave something to choose, filled in by chance."""

import random

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import move_of


def filled(offer: tables_pb2.Offer, dice: random.Random) -> tables_pb2.Move:
    """Return a move that the offer allows."""
    if offer.cheesy_heist.HasField("keep_up_to"):
        may = offer.cheesy_heist.keep_up_to
        cards = dice.sample(list(may.of), dice.randint(0, may.count))
        return move_of(heist.Move(keep_in_vault=heist.KeepInVault(cards=cards)))
    return move_of(offer)
