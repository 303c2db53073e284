"""Cheat Trick: bids grow a little at a time; vetoes, reneges and accusations are rare; tricks are split anyhow."""

from random import Random

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_loadtest.choosing.habits import Habits

LIKED = {"raise_bid": 0.3, "declare": 0.5, "knock": 0.3, "accuse": 0.1, "leave_split": 0.2}
VETO, RENEGE = 0.2, 0.1


def _fill_in(offer: proto.Offer, move: proto.Move, dice: Random) -> None:
    match offer.WhichOneof("choice"):
        case "declare":
            move.declare.CopyFrom(dice.choice(list(offer.declare.declarations)))
        case "raise_bid":
            least, most = offer.raise_bid.least, offer.raise_bid.most
            move.raise_bid.tricks = dice.randint(least, min(least + 1, most))
        case "accuse":
            move.accuse.CopyFrom(dice.choice(list(offer.accuse.plays)))
        case "split":
            own = dice.randint(offer.split.least, offer.split.most)
            move.split.CopyFrom(proto.Split(own=own, partners=offer.split.total - own))


def _weight(offer: proto.Offer) -> float:
    choice = offer.WhichOneof("choice")
    if choice == "vote" and offer.vote.veto:
        return VETO
    if choice == "play_card" and offer.reneges:
        return RENEGE
    return LIKED.get(choice or "", 1.0)


HABITS = Habits(_fill_in, _weight)
