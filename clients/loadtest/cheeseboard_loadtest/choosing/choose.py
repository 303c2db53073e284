"""From the offers of a view to a move, for every game."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import move_of
from cheeseboard_loadtest.choosing.registry import HABITS

ASIDE = 0.05
"""How often somebody who sees them does what answers no question: a knock, an accusation."""


@dataclass(frozen=True)
class Chosen:
    """A move, and the window that it names."""

    window: int
    move: tables_pb2.Move


def choose(offers: Sequence[tables_pb2.Offer], dice: Random) -> Chosen | None:
    """Return one of the offers as a move, by the weights that its game gives; None when there is nothing to do."""
    asked = [offer for offer in offers if offer.window]
    aside = [offer for offer in offers if not offer.window]
    among = aside if aside and dice.random() < ASIDE else asked
    weights = [_weight(offer) for offer in among]
    if not any(weights):
        return None
    offer = dice.choices(among, weights)[0]
    return Chosen(offer.window, _move(offer, dice))


def _weight(offer: tables_pb2.Offer) -> float:
    game = offer.WhichOneof("game")
    return HABITS[game].weight(getattr(offer, game)) if game in HABITS else 0.0


def _move(offer: tables_pb2.Offer, dice: Random) -> tables_pb2.Move:
    try:
        return move_of(offer)
    except ValueError:  # A parametric offer.
        game = str(offer.WhichOneof("game"))
        move = tables_pb2.Move()
        HABITS[game].fill_in(getattr(offer, game), getattr(move, game), dice)
        return move
