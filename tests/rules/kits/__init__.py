"""A kit for every game; `test_registry` names the games that have none."""

from collections.abc import Mapping

from .cheat_trick import KIT as CHEAT_TRICK
from .cheesy_heist import KIT as CHEESY_HEIST
from .cheez_tricks import KIT as CHEEZ_TRICKS
from .kit import Kit

KITS: Mapping[str, Kit] = {"cheez_tricks": CHEEZ_TRICKS, "cheesy_heist": CHEESY_HEIST, "cheat_trick": CHEAT_TRICK}
