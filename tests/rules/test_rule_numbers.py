"""Every numbered rule of a game has a test that cites it, and every citation names a rule.

A game's RULES.md shows at its top how it is cited, as in `[CT 6.7]`; its tests are in the folder of its name.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine_service.rules.games as games
from engine_service.rules.registry import GAMES

every_game = pytest.mark.parametrize("name", GAMES)


def package(name: str) -> Path:
    return Path(str(games.__file__)).parent / name


def text_of(name: str) -> str:
    return (package(name) / "RULES.md").read_text()


def rules(name: str) -> list[str]:
    return re.findall(r"^- \*\*(\d+\.\d+)\*\*", text_of(name), re.MULTILINE)


def chapters(name: str) -> set[str]:
    return {number.split(".")[0] for number in rules(name)}


def cited(name: str, text: str) -> Iterator[str]:
    """Yield the numbers of rules in citations: one, a list, a range, a whole chapter."""
    tag = re.search(r"`\[([A-Z]+) \d+\.\d+\]`", text_of(name))
    assert tag, "RULES.md does not show how it is cited"
    for citation in re.findall(rf"\[{tag[1]} ([^\]]+)\]", text):
        for part in citation.split(","):
            first, _, last = part.strip().partition("-")
            yield from _range(first, last) if last else [first]


def _range(first: str, last: str) -> list[str]:
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
    found = {number for path in package(name).rglob("*.py") for number in cited(name, path.read_text())}
    assert sorted(found - set(rules(name)) - chapters(name)) == []
    assert {number.split(".")[0] for number in found} == chapters(name)


@every_game
def test_rules_are_numbered_without_gaps(name: str) -> None:
    assert chapters(name) == {str(number) for number in range(1, len(chapters(name)) + 1)}
    for chapter in chapters(name):
        own = [int(number.split(".")[1]) for number in rules(name) if number.split(".")[0] == chapter]
        assert own == list(range(1, len(own) + 1))
