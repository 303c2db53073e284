"""The wires of all games, by the game's name."""

from collections.abc import Mapping

from .cheat_trick import WIRE as CHEAT_TRICK
from .cheesy_heist import WIRE as CHEESY_HEIST
from .cheez_tricks import WIRE as CHEEZ_TRICKS
from .game_wire import GameWire

WIRES: Mapping[str, GameWire] = {wire.game.name: wire for wire in (CHEEZ_TRICKS, CHEESY_HEIST, CHEAT_TRICK)}
