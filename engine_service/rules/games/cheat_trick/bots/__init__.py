"""The bots of Cheat Trick. A bot sees what its seat sees, and nothing else."""

from collections.abc import Mapping

from engine_service.rules.game import Bot

from .at_random import at_random
from .careful import careful

BOTS: Mapping[str, Bot] = {"careful": careful, "random": at_random}
