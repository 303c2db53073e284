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


BESIDE = 8
"""One move in so many is of a seat that is not asked, where such a seat may do anything."""


def evolved(game: AnyGame, state: Any, events: Sequence[Any]) -> Any:
    return reduce(game.evolve, events, state)


def ended(game: AnyGame, events: Sequence[Any]) -> RoundEnded | None:
    return game.round_ended(events[-1]) if events else None


def walk(game: AnyGame, options: Any, seats: int, seed: bytes, time_outs: int = 10) -> Iterator[Step]:
    """Yield a whole game: setup, then any offer of any seat; one answer in `time_outs` is a time-out."""
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
    questions, seats = game.actors(step.state), range(step.state.seats)
    beside = [seat for seat in seats if game.offers(step.state, seat) and all(seat != q.seat for q in questions)]
    if beside and below(chance, BESIDE) == 0:
        return _any_move(game, step.state, beside[below(chance, len(beside))], chance)
    question = questions[below(chance, len(questions))]
    offered = question.seat is not None and game.offers(step.state, question.seat)
    if question.seat is None or not offered or below(chance, time_outs) == 0:
        return TimeOut(question.seat, question.window)
    return _any_move(game, step.state, question.seat, chance)


def _any_move(game: AnyGame, state: Any, seat: int, chance: Iterator[int]) -> Move[Any]:
    offers = game.offers(state, seat)
    offer = offers[below(chance, len(offers))]
    actions = KITS[game.name].chosen(offer.choice)
    return Move(seat, offer.window, actions[below(chance, len(actions)) if len(actions) > 1 else 0])
