"""Law 5: nobody can tell a state from one with other secrets, and nothing sent names a secret.

CHEESEBOARD_LEAK_STATES counts the states compared, each for every seat and a spectator.
"""

import os
from collections.abc import Iterator

import pytest

from engine_service.rules.registry import GAMES
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES

from .kits import KITS
from .leaks import Watcher, event_leaks, scan_leaks, score_leaks, state_leaks
from .walks import AnyGame, Step, walk

STATES = int(os.environ.get("CHEESEBOARD_LEAK_STATES", "250"))
KEY = b"leaks".ljust(32, b".")


def games_of(game: AnyGame, part: str, keep: int = 1) -> Iterator[Step]:
    """Yield every `keep`-th step of game after game, over all seat counts and option sets, without end."""
    number = 0
    while True:
        for seats in range(game.min_seats, game.max_seats + 1):
            for options in KITS[game.name].option_sets(seats):
                number += 1
                for i, step in enumerate(walk(game, options, seats, derived(KEY, f"{part}/{number}"))):
                    if (i + number) % keep == 0 or game.round_ended(step.events[-1]):
                        yield step


def watchers(game: AnyGame, seats: int) -> list[Watcher]:
    return [Watcher(game, WIRES[game.name], KITS[game.name], seat) for seat in (None, *range(seats))]


def seats_of(step: Step) -> int:
    return int(step.state.seats)


@pytest.mark.parametrize("name", GAMES)
def test_a_state_and_its_redeal_look_the_same(name: str) -> None:
    """Views, questions, offers, refusals and events are equal on the wire, whoever looks."""
    game = GAMES[name]
    for number, step in enumerate(games_of(game, "states", keep=7)):
        if number == STATES:
            break
        for watcher in watchers(game, seats_of(step)):
            seed = derived(KEY, f"redeal/{number}/{watcher.seat}")
            assert state_leaks(watcher, step, seed) == []
            assert score_leaks(watcher, step, seed) == []


@pytest.mark.parametrize("name", GAMES)
def test_an_event_and_its_disguise_look_the_same(name: str) -> None:
    """What an event keeps secret does not change a byte of it."""
    game = GAMES[name]
    for number, step in enumerate(games_of(game, "events")):
        if number == 1000:
            break
        for watcher in watchers(game, seats_of(step)):
            for event in step.events:
                assert event_leaks(watcher, event, derived(KEY, f"event/{number}")) == []


@pytest.mark.parametrize("name", GAMES)
def test_nothing_sent_names_a_secret(name: str) -> None:
    """Over a whole game of every kind: no seed before it is opened, no card that the kit says is not known."""
    game, finished = GAMES[name], 0
    kinds = sum(len(KITS[name].option_sets(seats)) for seats in range(game.min_seats, game.max_seats + 1))
    for step in games_of(game, "scan"):
        for watcher in watchers(game, seats_of(step)):
            assert list(scan_leaks(watcher, step)) == []
        finished += game.is_over(step.state)
        if finished == kinds:
            break
