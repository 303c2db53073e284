"""What released versions wrote: snapshots and logs in msgpack, which every later release must still load.

A version's folder is written anew only while that version is the one being made; older folders are never touched.
"""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from engine_service.rules.shuffle import derived
from tests.rules.kits import KITS
from tests.rules.walks import AnyGame, Step, walk

FOLDER = Path(__file__).parent / "releases"
SEED = b"release".ljust(32, b".")
EVERY = 61
"""Which steps of a game are kept as snapshots; the last always is."""


class Stored(msgspec.Struct, frozen=True):
    """A game as it was stored: its log, and some of its states by the number of events before them."""

    seats: int
    log: tuple[msgspec.Raw, ...]
    states: tuple[tuple[int, msgspec.Raw], ...]


def releases(game: AnyGame) -> dict[Path, bytes]:
    """Return the files that this version writes: a game for each number of seats and option set."""
    return {
        FOLDER / version("cheeseboard") / f"{game.name}_{seats}_{number}.msgpack": _stored(
            list(walk(game, options, seats, derived(SEED, f"{seats}/{number}")))
        )
        for seats in range(game.min_seats, game.max_seats + 1)
        for number, options in enumerate(KITS[game.name].option_sets(seats))
    }


def _stored(steps: list[Step]) -> bytes:
    kept = [step for number, step in enumerate(steps) if number % EVERY == 0 or step is steps[-1]]
    return msgspec.msgpack.encode(
        Stored(
            seats=steps[0].state.seats,
            log=tuple(_raw(event) for event in steps[-1].log),
            states=tuple((len(step.log), _raw(step.state)) for step in kept),
        )
    )


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(value))


def load(path: Path, game: AnyGame) -> tuple[tuple[Any, ...], dict[int, Any]]:
    """Return the log of a stored game, and its states by the number of events before them."""
    stored = msgspec.msgpack.decode(path.read_bytes(), type=Stored)
    log = tuple(msgspec.msgpack.decode(event, type=game.event_type) for event in stored.log)
    return log, {events: msgspec.msgpack.decode(state, type=game.state_type) for events, state in stored.states}
