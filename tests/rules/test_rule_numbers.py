"""Every numbered rule of a game has a test that cites it, and every citation names a rule.

A game says with which letters it is cited in the docstring of its package, as in [CT 6.7]; its tests have its name.
"""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from engine_service.rules.registry import GAMES

every_game = pytest.mark.parametrize("name", GAMES)


def package(name: str) -> ModuleType:
    return import_module(f"engine_service.rules.games.{name}")


def folder(name: str) -> Path:
    return Path(str(package(name).__file__)).parent


def rules(name: str) -> list[str]:
    """Return the numbers of a game's rules in the order in which they stand."""
    return re.findall(r"^- \*\*(\d+\.\d+)\*\*", (folder(name) / "RULES.md").read_text(), re.MULTILINE)


def chapters(name: str) -> set[str]:
    return set(re.findall(r"^## (\d+) ", (folder(name) / "RULES.md").read_text(), re.MULTILINE))


def letters(name: str) -> str:
    found = re.search(r"\[([A-Z]+) \d", str(package(name).__doc__))
    assert found, f"{name} does not say how it is cited"
    return found.group(1)


def cited(name: str, text: str) -> Iterator[str]:
    """Yield the numbers of rules in citations: one, a list, a range, a whole chapter."""
    for citation in re.findall(rf"\[{letters(name)} ([^\]]+)\]", text):
        for part in citation.split(","):
            first, _, last = part.strip().partition("-")
            yield from _range(first, last) if last else [first]


def _range(first: str, last: str) -> Sequence[str]:
    chapter, start = first.split(".")
    return [f"{chapter}.{number}" for number in range(int(start), int(last.split(".")[1]) + 1)]


def citations_of_tests(name: str) -> set[str]:
    """Return what is cited in the docstring of a test function."""
    found: set[str] = set()
    for path in (Path(__file__).parent / name).glob("test_*.py"):
        for docstring in re.findall(r'^def test_.*?:\n    """(.*?)"""', path.read_text(), re.MULTILINE | re.DOTALL):
            found |= set(cited(name, docstring))
    return found


@every_game
def test_every_rule_has_a_test(name: str) -> None:
    assert sorted(set(rules(name)) - citations_of_tests(name)) == []


@every_game
def test_every_citation_in_a_test_names_a_rule(name: str) -> None:
    assert sorted(citations_of_tests(name) - set(rules(name))) == []


@every_game
def test_every_citation_in_the_code_names_a_rule_or_chapter(name: str) -> None:
    found = {number for path in folder(name).rglob("*.py") for number in cited(name, path.read_text())}
    assert sorted(found - set(rules(name)) - chapters(name)) == []
    assert {number.split(".")[0] for number in found} == chapters(name)


@every_game
def test_rules_are_numbered_without_gaps(name: str) -> None:
    numbers = [number.split(".") for number in rules(name)]
    for chapter in chapters(name):
        own = [int(number) for of, number in numbers if of == chapter]
        assert own == list(range(1, len(own) + 1))
