"""The product for the end-to-end tests: two engine and two scoring replicas on one Valkey server."""

from collections.abc import Iterator

import pytest

from tests.support.stack import QUICK, Stack, running_stack
from tests.support.tokens import identity_file


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product that is shared by all tests which break nothing."""
    folder = tmp_path_factory.mktemp("stack")
    settings = {**QUICK, "CHEESEBOARD_IDENTITY_FILE": str(identity_file(folder))}
    with running_stack(folder, engines=2, scorings=2, settings=settings) as running:
        yield running
