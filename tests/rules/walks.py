"""Games played at random through the kernel's contract alone, step by step, for the laws to look at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from engine_service.rules.game import Game, Move, RecordScores, RoundEnded, TimeOut
from engine_service.rules.shuffle import below, derived, words

from .kits import KITS

AnyGame = Game[Any, Any, Any, Any]
Command = Move[Any] | TimeOut | RecordScores


@dataclass(frozen=True)
class Step:
    """One command of a game: the state it met, the events it brought, the state after them."""

    before: Any
    command: Command | None
    """None for the game's setup."""
    events: tuple[Any, ...]
    state: Any
    log: Sequence[Any]
    """All events of the game up to here."""


def evolved(game: AnyGame, state: Any, events: Sequence[Any]) -> Any:
    return reduce(game.evolve, events, state)


def ended(game: AnyGame, events: Sequence[Any]) -> RoundEnded | None:
    return game.round_ended(events[-1]) if events else None


def walk(game: AnyGame, options: Any, seats: int, seed: bytes, time_outs: int = 10) -> Iterator[Step]:
    """Yield a whole game: setup, then any offer of any seat asked; one answer in `time_outs` is a time-out."""
    chance = words(seed, "walk")
    log = list(game.setup(options, seats, derived(seed, "game")))
    state = evolved(game, None, log)
    step = Step(None, None, tuple(log), state, tuple(log))
    yield step
    while not game.is_over(step.state):
        command = _next_command(game, step, chance, time_outs)
        step = taken(game, step, command)
        yield step


def taken(game: AnyGame, step: Step, command: Command) -> Step:
    """Return the step that a legal command makes."""
    events = game.decide(step.state, command)
    return Step(step.state, command, events, evolved(game, step.state, events), (*step.log, *events))


def _next_command(game: AnyGame, step: Step, chance: Iterator[int], time_outs: int) -> Command:
    if round_over := ended(game, step.log):
        return KITS[game.name].score(step.state, round_over)
    questions = game.actors(step.state)
    question = questions[below(chance, len(questions))]
    offers = () if question.seat is None else game.offers(step.state, question.seat)
    if question.seat is None or not offers or below(chance, time_outs) == 0:
        return TimeOut(question.seat, question.window)
    offer = offers[below(chance, len(offers))]
    family = KITS[game.name].family(offer.choice)
    action = family[below(chance, len(family))] if len(family) > 1 else family[0]
    return Move(question.seat, offer.window, action)
