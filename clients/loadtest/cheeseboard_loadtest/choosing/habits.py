"""What the load tester has to know of one game."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any


def _nothing_to_fill_in(offer: Any, move: Any, dice: Random) -> None:
    raise AssertionError(f"{offer.WhichOneof('choice')} is no concrete offer, and nobody says how it is answered")


def _alike(offer: Any) -> float:
    return 1.0


@dataclass(frozen=True)
class Habits:
    """How one game is played. Messages are the game's own, without an envelope."""

    fill_in: Callable[[Any, Any, Random], None] = _nothing_to_fill_in
    """From a parametric Offer, fill in the empty Move."""
    weight: Callable[[Any], float] = _alike
    """How much an Offer is liked, beside the others; 0 is never."""
