"""Offers that leave something to choose, filled in by chance."""

import random

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import move_of


def filled(offer: tables_pb2.Offer, dice: random.Random) -> tables_pb2.Move:
    """Return a move that the offer allows."""
    if offer.cheesy_heist.HasField("keep_up_to"):
        may = offer.cheesy_heist.keep_up_to
        cards = dice.sample(list(may.of), dice.randint(0, may.count))
        return move_of(heist.Move(keep_in_vault=heist.KeepInVault(cards=cards)))
    match offer.cheat_trick.WhichOneof("choice"):
        case "declare":
            return move_of(cheat.Move(declare=dice.choice(offer.cheat_trick.declare.declarations)))
        case "raise_bid":
            raises = offer.cheat_trick.raise_bid
            return move_of(cheat.Move(raise_bid=cheat.Raise(tricks=dice.randint(raises.least, raises.most))))
        case "accuse":
            return move_of(cheat.Move(accuse=dice.choice(offer.cheat_trick.accuse.plays)))
        case "split":
            split = offer.cheat_trick.split
            own = dice.randint(split.least, split.most)
            return move_of(cheat.Move(split=cheat.Split(own=own, partners=split.total - own)))
        case _:
            return move_of(offer)
