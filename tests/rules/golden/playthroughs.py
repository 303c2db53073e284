"""Whole games as text: at every question, what each seat and a spectator see, and what each was told since.

A line that is the same for all viewers stands once, behind "*"; others behind the seat, or "-" for a spectator. Each
view ends with the beginning of its SHA-256, so that nothing can change in it unseen.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine_service.rules.game import Move, RecordScores, Seat
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.kits import KITS
from tests.rules.walks import AnyGame, Step, walk

FOLDER = Path(__file__).parent / "playthroughs"
SEED = b"playthrough".ljust(32, b".")


def playthroughs(game: AnyGame) -> dict[Path, str]:
    """Return a file for each number of seats and each of the kit's playthrough options."""
    files = {}
    for seats in range(game.min_seats, game.max_seats + 1):
        for name, options in KITS[game.name].playthroughs(seats).items():
            path = FOLDER / f"{game.name}_{seats}_{name}.txt"
            files[path] = "\n".join(_lines(game, options, seats, derived(SEED, path.stem))) + "\n"
    return files


def _lines(game: AnyGame, options: Any, seats: int, seed: bytes) -> Iterator[str]:
    before: dict[Seat | None, Any] = {}
    viewers: tuple[Seat | None, ...] = (None, *range(seats))
    for number, step in enumerate(walk(game, options, seats, seed)):
        yield f"== {number}: {_command(step)}"
        wire = WIRES[game.name]
        told = {viewer: [wire.event_out(game.seen(event, viewer)) for event in step.events] for viewer in viewers}
        yield from _merged({viewer: [KITS[game.name].told(event) for event in told[viewer]] for viewer in viewers})
        views = {viewer: wire.view_out(game.view(step.state, viewer)) for viewer in viewers}
        yield from _merged({viewer: _view(game, step, viewer, views[viewer], before.get(viewer)) for viewer in viewers})
        before = dict(views)


def _command(step: Step) -> str:
    command = step.command
    if isinstance(command, Move):
        return f"{command.seat} answers {command.window}"
    if isinstance(command, RecordScores):
        return f"scores of round {command.round}"
    return "setup" if command is None else f"{command.seat} is out of time in {command.window}"


def _view(game: AnyGame, step: Step, viewer: Seat | None, view: Any, before: Any) -> list[str]:
    offers = () if viewer is None else game.offers(step.state, viewer)
    messages = [WIRES[game.name].offer_out(offer.choice) for offer in offers]
    asked = [f"asked {question.seat} in {question.window}" for question in game.actors(step.state)]
    digest = hashlib.sha256(view.SerializeToString(deterministic=True)).hexdigest()[:8]
    return [*asked, *KITS[game.name].rendered(view, before, messages), f"view {digest}"]


def _merged(lines: dict[Seat | None, Sequence[str]]) -> Iterator[str]:
    """Yield the lines of all viewers, in order, those that all share only once."""
    shared = set.intersection(*map(set, lines.values()))
    for viewer, own in lines.items():
        name = "-" if viewer is None else str(viewer)
        for line in own:
            if line not in shared:
                yield f"{name} {line}"
            elif viewer is None:
                yield f"* {line}"
