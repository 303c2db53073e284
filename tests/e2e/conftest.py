"""The product for the end-to-end tests: two engine and two scoring replicas on one Valkey server."""

from collections.abc import Iterator

import pytest

from tests.support.stack import QUICK, Stack, running_stack


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product that is shared by all tests which break nothing."""
    with running_stack(tmp_path_factory.mktemp("stack"), engines=2, scorings=2, settings=QUICK) as running:
        yield running
