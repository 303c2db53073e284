"""The games that simulated players play. A new game adds its line here."""

from cheeseboard_loadtest.choosing import cheat_trick, cheesy_heist, cheez_tricks
from cheeseboard_loadtest.choosing.habits import Habits

HABITS: dict[str, Habits] = {
    "cheez_tricks": cheez_tricks.HABITS,
    "cheat_trick": cheat_trick.HABITS,
    "cheesy_heist": cheesy_heist.HABITS,
}
"""By the case of GameOptions."""
