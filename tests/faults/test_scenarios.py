"""The scenarios in their short form: everything that is promised holds under each of them."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import pytest

from tests.faults import scenarios
from tests.faults.report import Row

SHORT: dict[str, Callable[[scenarios.Site, random.Random], Awaitable[Row]]] = {
    "bad lines": partial(scenarios.bad_lines, seconds=4),
    "engines killed": partial(scenarios.engines_killed, kills=4),
    "scoring killed": partial(scenarios.scorings_killed, kills=4),
    "Redis killed": partial(scenarios.store_killed, kills=2),
    "rolling restarts": partial(scenarios.rolling_restart, rounds=1),
}


@pytest.fixture(scope="module")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[scenarios.Site]:
    """One product for all of them."""
    async with scenarios.site(tmp_path_factory.mktemp("faults")) as running:
        yield running


@pytest.mark.parametrize("name", SHORT)
async def test_nothing_promised_is_broken(site: scenarios.Site, name: str):
    """Nothing acknowledged is missing, nothing shown is gone, nothing is there twice, and every game ends."""
    row = await SHORT[name](site, random.Random(f"short/{name}"))
    assert row.broken == []
