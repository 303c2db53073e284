"""Cheesy Heist: a Vault keeps some of the hand; all else is offered as it is played."""

from random import Random
from typing import Any

from cheeseboard_loadtest.choosing.habits import Habits


def _fill_in(offer: Any, move: Any, dice: Random) -> None:
    keep = offer.keep_up_to
    count = min(keep.count, len(keep.of))
    move.keep_in_vault.cards.extend(dice.sample(list(keep.of), dice.randint(0, count)))
    move.keep_in_vault.SetInParent()


HABITS = Habits(_fill_in)
