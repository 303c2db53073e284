"""The games that can be played here, by name."""

from collections.abc import Mapping
from typing import Any

from .game import Game
from .games.cheat_trick import CHEAT_TRICK
from .games.cheesy_heist import CHEESY_HEIST
from .games.cheez_tricks import CHEEZ_TRICKS

GAMES: Mapping[str, Game[Any, Any, Any, Any]] = {game.name: game for game in (CHEEZ_TRICKS, CHEESY_HEIST, CHEAT_TRICK)}
