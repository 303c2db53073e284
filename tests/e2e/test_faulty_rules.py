"""Rules that raise, which is our bug: the table stays as it was, is held back, and nobody else notices."""

import asyncio
import dataclasses
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cheeseboard_client import Cheeseboard, Snapshot, table_options
from cheeseboard_client.errors import Internal, Quarantined
from engine_service.app import serving
from engine_service.rules.registry import GAMES
from engine_service.settings import EngineSettings
from engine_service.store import keys
from engine_service.tables.commands import QUARANTINE_AFTER
from service_runtime.partitions import partition_of
from service_runtime.redis_connection import RedisConnection
from tests.support.players import QUICK_GAME

FAULTY_SEATS = 5


@pytest.fixture
async def engine(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Cheeseboard, str]]:
    """An engine in this process, whose rules raise at tables of five; a guest of it, and the URL of its Redis."""
    sound = GAMES["cheez_tricks"]

    def decide(state: Any, command: Any) -> Any:
        if state.seats == FAULTY_SEATS:
            raise RuntimeError("a fault of the rules")
        return sound.decide(state, command)

    monkeypatch.setitem(GAMES, "cheez_tricks", dataclasses.replace(sound, decide=decide))  # type: ignore[arg-type]
    settings = EngineSettings(redis_url=redis_url, engine_listen="127.0.0.1:0", guests=True, bot_min_ms=0, bot_max_ms=0)
    async with serving(settings) as engine, Cheeseboard.connect(f"127.0.0.1:{engine.port}") as person:
        await person.sign_in_guest("Guest")
        yield person, redis_url


async def test_a_table_whose_rules_raise_is_held_back_until_an_operator_releases_it(engine: tuple[Cheeseboard, str]):
    """INTERNAL for the move, nothing changed; after five times QUARANTINED; another table plays on all the while."""
    person, redis_url = engine
    faulty, sound = await _table(person, FAULTY_SEATS), await _table(person, 2)
    async with asyncio.timeout(30):
        before = await _asked(person, faulty)
        for _ in range(QUARANTINE_AFTER + 1):
            with pytest.raises((Internal, Quarantined)) as caught:
                await person.move(faulty, before.view.prompt.offers[0])
        assert isinstance(caught.value, Quarantined)
        assert (await _asked(person, sound)).view.prompt.offers
        with pytest.raises(Quarantined):
            await person.view(faulty)
    assert f"{faulty}  raised 5 times, held back" in await _operator(redis_url, "list")
    assert f"{faulty}  released" in await _operator(redis_url, "release", faulty)
    after = await person.snapshot(faulty)
    assert (after.view, after.resume_point) == (before.view, before.resume_point)


async def test_one_partition_that_cannot_be_swept_does_not_stop_the_clock(
    engine: tuple[Cheeseboard, str], connection: RedisConnection
):
    """An answer of Redis that nobody expects is logged; other partitions are swept, and this one when it is mended."""
    person, _ = engine
    first = await _table(person, 2)
    second = await _table(person, 3)
    while partition_of(second) == partition_of(first):
        second = await _table(person, 3)
    name = keys.due(partition_of(first))
    await connection.command("RENAME", name, f"{name}:aside")
    await connection.command("SET", name, "no sorted set")
    await asyncio.sleep(2.5)
    await _until_asked_again(person, second)
    await connection.command("RENAME", f"{name}:aside", name)
    await _until_asked_again(person, first)


async def _until_asked_again(person: Cheeseboard, table_id: str) -> None:
    """Lead, and return when the bots have answered."""
    await person.move(table_id, (await _asked(person, table_id)).view.prompt.offers[0])
    async with asyncio.timeout(10):
        while not (await person.view(table_id)).prompt.offers:
            await asyncio.sleep(0.05)


async def _table(person: Cheeseboard, seats: int) -> str:
    """Return a table with bots, where the person leads."""
    options = table_options(QUICK_GAME, seats, move_seconds=0)
    options.game.cheez_tricks.starting_seat = 0
    table_id = (await person.create_table(options)).table_id
    for _ in range(seats - 1):
        await person.seat_bot(table_id)
    await person.start(table_id)
    return table_id


async def _asked(person: Cheeseboard, table_id: str) -> Snapshot:
    seen = await person.snapshot(table_id)
    assert seen.view.prompt.questions[0].seat == 0
    return seen


async def _operator(redis_url: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "engine_service.quarantine", *arguments]
    environment = {"CHEESEBOARD_REDIS_URL": redis_url, "PATH": ""}
    done = await asyncio.to_thread(subprocess.run, command, env=environment, capture_output=True, text=True, timeout=30)
    assert not done.stderr, done.stderr
    return done.stdout
