"""The games by the name of their case in the protos."""

from collections.abc import Mapping

from cheeseboard_terminal.games.cheat_trick import CheatTrick
from cheeseboard_terminal.games.cheesy_heist import CheesyHeist
from cheeseboard_terminal.games.cheez_tricks import CheezTricks
from cheeseboard_terminal.games.contract import Game

GAMES: Mapping[str, Game] = {game.name: game for game in (CheezTricks(), CheesyHeist(), CheatTrick())}
