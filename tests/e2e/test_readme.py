"""What the README shows works as it is printed."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.stack import Stack

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def _block(language: str, containing: str) -> str:
    """Return the one block of the README in this language that contains this."""
    blocks = [block for block in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if containing in block]
    assert len(blocks) == 1
    return blocks[0]


async def _run(command: list[str], stack: Stack) -> str:
    places = {"ENGINE": stack.engine_addresses[0], "SCORING": stack.scoring_addresses[0]}
    done = await asyncio.to_thread(
        subprocess.run, command, env={**os.environ, **places}, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_the_python_example_plays_a_game(stack: Stack):
    """From signing in to checked deals."""
    said = await _run([sys.executable, "-c", _block("python", "verify_deal")], stack)
    assert re.search(r"round 3 play_card\npoints \[.*\] places \[[1-3], [1-3], [1-3]\]\ndeals checked: 3", said)


async def test_the_python_example_finds_a_game(stack: Stack):
    """Against bots, if nobody else is there."""
    said = await _run([sys.executable, "-c", _block("python", "find_match")], stack)
    assert re.search(r"place in line: 1\n(.*\n)*seat [0-3] at \w{6} beside 3 bots\n\w+\n", said)


async def test_the_shell_example_reaches_a_hand_of_cards(stack: Stack):
    """By reflection, with the commands as they are printed, up to the view."""
    script = _block("bash", "SignInGuest") + _block("bash", "CreateTicket")
    script = script.replace("127.0.0.1:50051", stack.engine_addresses[0])
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    lines = [line for line in script.splitlines() if "WatchTable" not in line]
    said = await _run(["bash", "-e", "-c", "\n".join(lines)], stack)
    assert '"gameNumber": 1' in said and '"hand"' in said and '"cats"' in said
    assert '"state": "TICKET_STATE_MATCHED"' in said and '"bots": 2' in said
