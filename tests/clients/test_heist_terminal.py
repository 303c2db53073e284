"""A person plays a whole game of Cheesy Heist against bots in the terminal client, and defends itself in time."""

import re
from pathlib import Path

from tests.clients.typist import Typist, typist
from tests.support.stack import Stack

QUESTION = r"> (?:\d+:\d\d )?(Your turn|The Cat!|The last drop!|Keep up to|Take a card|You are safe|r another game).*\n"


async def test_a_whole_game_against_bots(stack: Stack, tmp_path: Path) -> None:
    """From the command line of the README to the final ranking, by what the questions say alone. Games are played until
    a Defence card was to be had: it counts, though bots are as quick as they may be."""
    arguments = ("--game", "cheesy_heist", "--players", "3", "--set", "goal=3", "--set", "reaction=4", "--name", "Remy")
    addresses = ("--engine", stack.engine_addresses[0], "--scoring", stack.scoring_addresses[0])
    async with typist(tmp_path, *addresses, *arguments) as remy:
        while True:
            await _plays_to_the_end(remy)
            assert "The hands are counted" in remy.said
            assert "chance was fixed before the first card" in remy.said
            if re.search(r"You (open a Cheese Vault|play a Decoy: everyone takes back)", remy.said):
                break
            remy.types("r")
        remy.types("?")
        await remy.sees("Cheesy Heist in short")
        remy.types("q")
        assert await remy.exit_code() == 0
    assert re.search(r"> 0:0[34] The Cat! ", remy.said), "the window counts down"
    assert "it is wasted" not in remy.said
    assert "Traceback" not in remy.said


async def _plays_to_the_end(remy: Typist) -> None:
    """Answer every question: defend where that is possible, keep what one may, else take the first choice."""
    while True:
        question = await remy.sees(QUESTION)
        asked = question.group(0)
        if question.group(1) == "r another game":
            return
        if question.group(1) == "Keep up to":
            remy.types("1")
        elif question.group(1) == "You are safe":
            continue
        elif letter := re.search(r", (\d|[vy]) (Cheese Vault|Decoy)", asked):
            remy.types(letter.group(1))
        else:
            remy.types("2" if re.search(r"Your turn: 1 to [2-9]", asked) else "1")
