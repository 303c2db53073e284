"""Every numbered rule has a test that cites it, and every citation names a rule."""

import re
from collections.abc import Iterator
from pathlib import Path

import engine_service.rules.games.cheesy_heist as game

RULES = Path(game.__file__).parent / "RULES.md"
SECTIONS = {str(number) for number in range(1, 11)}


def rules() -> set[str]:
    return set(re.findall(r"^- \*\*(\d+\.\d+)\*\*", RULES.read_text(), re.MULTILINE))


def cited(text: str) -> Iterator[str]:
    """Yield the numbers of rules in citations: one, a list, a range, a whole chapter."""
    for citation in re.findall(r"\[CH ([^\]]+)\]", text):
        for part in citation.split(","):
            first, _, last = part.strip().partition("-")
            yield from _range(first, last) if last else [first]


def _range(first: str, last: str) -> list[str]:
    chapter, start = first.split(".")
    return [f"{chapter}.{number}" for number in range(int(start), int(last.split(".")[1]) + 1)]


def citations_of_tests() -> set[str]:
    """Return what is cited in the docstring of a test function."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path != Path(__file__):
            for docstring in re.findall(r'^def test_.*?:\n    """(.*?)"""', path.read_text(), re.MULTILINE | re.DOTALL):
                found |= set(cited(docstring))
    return found


def test_every_rule_has_a_test() -> None:
    assert sorted(rules() - citations_of_tests()) == []


def test_every_citation_in_a_test_names_a_rule() -> None:
    assert sorted(citations_of_tests() - rules()) == []


def test_every_citation_in_the_code_names_a_rule_or_chapter() -> None:
    found = {number for path in RULES.parent.rglob("*.py") for number in cited(path.read_text())}
    assert found
    assert sorted(found - rules() - SECTIONS) == []
    assert {chapter for number in found for chapter in [number.split(".")[0]]} == SECTIONS


def test_rules_are_numbered_without_gaps() -> None:
    numbers = [number.split(".") for number in re.findall(r"^- \*\*(\d+\.\d+)\*\*", RULES.read_text(), re.MULTILINE)]
    for chapter in SECTIONS:
        own = [int(number) for of, number in numbers if of == chapter]
        assert own == list(range(1, len(own) + 1))
