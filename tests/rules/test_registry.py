"""The registry's games have all that a game needs. A new one is told here what it still lacks."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import engine_service
from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.scoring.v1 import scoring_pb2 as scoring
from engine_service.rules.registry import GAMES
from engine_service.wire.registry import WIRES

from .golden import perft, playthroughs, releases
from .kits import KITS

ENVELOPES: tuple[tuple[str, Any], ...] = (
    ("GameOptions", tables.GameOptions),
    ("Offer", tables.Offer),
    ("TableView", tables.TableView),
    ("TableEvent", tables.TableEvent),
    ("Move", tables.Move),
    ("RoundFacts", scoring.RoundFacts),
    ("ScoreDetail", scoring.ScoreDetail),
)
"""Messages with a case per game."""


def lacking(name: str) -> Iterator[str]:
    """Yield what a game of this name lacks, in the order of the list in engine_service/rules/README.md."""
    package = Path(engine_service.__file__).parent / "rules" / "games" / name
    if name not in GAMES:
        yield "a line in engine_service/rules/registry.py"
    if not (package / "RULES.md").is_file():
        yield "RULES.md beside its rules"
    yield from (
        f"a case in {envelope}" for envelope, message in ENVELOPES if name not in message.DESCRIPTOR.fields_by_name
    )
    if name not in WIRES:
        yield "a wire in engine_service/wire/registry.py"
    if name not in _names("scoring_service.tables.registry", "TABLES"):
        yield "a scoring table in scoring_service/tables/registry.py"
    if name not in KITS:
        yield "a kit in tests/rules/kits"
    for what, folder in (("playthroughs", playthroughs.FOLDER), ("perft counts", perft.FOLDER)):
        if not list(folder.glob(f"{name}*.txt")):
            yield f"golden {what}"
    if not list(releases.FOLDER.glob(f"*/{name}_*.msgpack")):
        yield "stored games of a release"


def _names(module: str, registry: str) -> set[str]:
    return set(getattr(import_module(module), registry))


@pytest.mark.parametrize("name", GAMES)
def test_no_game_lacks_anything(name: str) -> None:
    assert list(lacking(name)) == []


def test_a_game_that_is_not_there_lacks_everything() -> None:
    """The list of what is lacking can be trusted: for a name that nobody has, it is whole."""
    assert len(list(lacking("no_such_game"))) == 8 + len(ENVELOPES)


@pytest.mark.parametrize("name", GAMES)
def test_names_agree(name: str) -> None:
    """A game, its package and its wire go by one name."""
    assert GAMES[name].name == name
    assert WIRES[name].game is GAMES[name]
    assert "random" in GAMES[name].bots
    assert GAMES[name].min_seats <= GAMES[name].max_seats


@pytest.mark.parametrize("name", GAMES)
def test_everyone_is_on_one_side(name: str) -> None:
    """The sides of a game are the seats of its table, each once."""
    for seats in range(GAMES[name].min_seats, GAMES[name].max_seats + 1):
        for options in KITS[name].option_sets(seats):
            sides = GAMES[name].sides(options, seats)
            assert sorted(seat for side in sides for seat in side) == list(range(seats))


def test_playthroughs_cover_every_number_of_seats() -> None:
    for name, game in GAMES.items():
        for seats in range(game.min_seats, game.max_seats + 1):
            assert list(playthroughs.FOLDER.glob(f"{name}_{seats}_*.txt")), f"{name} with {seats}"
