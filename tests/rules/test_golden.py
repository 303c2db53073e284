"""Golden files say what every viewer sees in whole games, how many ways there are to go on, and what was stored before.

A difference is a change that someone will notice; if it is meant, `python -m tests.rules.golden` writes them anew.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine_service.rules.registry import GAMES
from tests.rules.golden.perft import perfts
from tests.rules.golden.playthroughs import playthroughs
from tests.rules.golden.releases import FOLDER, load
from tests.rules.golden.vectors import DEALS, vectors
from tests.rules.walks import evolved

STORED = sorted(FOLDER.glob("*/*.msgpack"))


def assert_same(files: Mapping[Path, str]) -> None:
    for path, content in files.items():
        for number, (was, now) in enumerate(zip(path.read_text().splitlines(), content.splitlines(), strict=False), 1):
            assert now == was, f"{path.name}, line {number}"
        assert content == path.read_text(), f"{path.name} has another length"


@pytest.mark.parametrize("name", GAMES)
def test_playthroughs(name: str) -> None:
    """Every seat and a spectator see at every question what they saw before."""
    assert_same(playthroughs(GAMES[name]))


@pytest.mark.parametrize("name", GAMES)
def test_perft(name: str) -> None:
    """There are as many ways to go on as there were before, and they lead to the same."""
    assert_same(perfts(GAMES[name]))


@pytest.mark.skipif("CHEESEBOARD_DEEP_PERFT" not in os.environ, reason="takes minutes; set CHEESEBOARD_DEEP_PERFT")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", GAMES)
def test_deep_perft(name: str) -> None:
    assert_same(perfts(GAMES[name], deep=True))


def test_deal_vectors() -> None:
    """Clients check deals against these; they never change for shuffle version 1."""
    assert_same({DEALS: vectors()})


@pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_law_8_what_a_release_stored_still_loads(path: Path) -> None:
    """The log leads through every stored state, and a stored state goes on as the log did."""
    name = max((name for name in GAMES if path.name.startswith(name)), key=len)
    game = GAMES[name]
    log, states = load(path, game)
    for events, state in states.items():
        assert evolved(game, None, log[:events]) == state
        assert evolved(game, state, log[events:]) == evolved(game, None, log)
    assert game.is_over(states[len(log)])
