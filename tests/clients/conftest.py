"""The product for the tests of the clients: two engines and a scoring service, quick bots, an operator's tokens."""

from collections.abc import AsyncIterator, Iterator

import pytest

from cheeseboard_client import Cheeseboard, Patience
from tests.support.stack import QUICK, Stack, running_stack
from tests.support.tokens import identity_file

IMPATIENT = Patience(total=20.0, attempt=1.0, first_pause=0.02, longest_pause=0.3)
"""Tries again sooner than people would like to pay for."""


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product; who kills a replica of it starts it again."""
    folder = tmp_path_factory.mktemp("clients")
    settings = {**QUICK, "CHEESEBOARD_IDENTITY_FILE": str(identity_file(folder))}
    with running_stack(folder, engines=2, settings=settings) as running:
        yield running


@pytest.fixture
async def guest(stack: Stack) -> AsyncIterator[Cheeseboard]:
    """Somebody who is signed in."""
    async with Cheeseboard.connect(stack.engine_addresses, stack.scoring_addresses, patience=IMPATIENT) as cheeseboard:
        await cheeseboard.sign_in_guest("Remy")
        yield cheeseboard
