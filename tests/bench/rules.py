"""How fast the rules are: decisions of whole games by random offers, on one core, by the CPU time they take."""

import random
import time
from typing import Any

from engine_service.rules.game import Game, Move, RoundEnded, TimeOut
from engine_service.rules.registry import GAMES
from tests.bench import measure
from tests.rules.kits import KITS

SEATS = 4
PLAIN, SEEN = 16, 4
"""Games a run, without views and with them."""


async def figures() -> dict[str, float]:
    """Measure the kernel, game by game; those of Cheez-Tricks bear no name."""
    found: dict[str, float] = {}
    for name in GAMES:

        async def bare(name: str = name) -> float:
            return decisions_per_second(name, PLAIN, views=False)

        async def with_views(name: str = name) -> float:
            return decisions_per_second(name, SEEN, views=True)

        plain, seen = await measure.in_turn(bare, with_views)
        ending = "" if name == "cheez_tricks" else f"_{name}"
        found |= {f"rules_decisions_per_s{ending}": plain, f"rules_decisions_with_views_per_s{ending}": seen}
    return found


def decisions_per_second(name: str, games: int, views: bool) -> float:
    """Play games to their end; return offers + decide + evolve (+ every seat's view) a second."""
    game, kit, choices = GAMES[name], KITS[name], random.Random(1)
    decisions, began = 0, time.process_time()
    for number in range(games):
        decisions += _play(game, kit, choices, bytes([number % 256]) * 32, views)
    return decisions / (time.process_time() - began)


def _play(game: Game[Any, Any, Any, Any], kit: Any, choices: random.Random, seed: bytes, views: bool) -> int:
    state, ended, decisions = None, None, 0
    for event in game.setup(game.options_type(), SEATS, seed):
        state = game.evolve(state, event)
    while not game.is_over(state):
        question = next(iter(game.actors(state)), None)
        if question is None:
            assert isinstance(ended, RoundEnded)
            command: Any = kit.score(state, ended)
        elif question.seat is None:
            command = TimeOut(None, question.window)
        else:
            offers = game.offers(state, question.seat)
            offer = offers[int(choices.random() * len(offers))]
            actions = kit.chosen(offer.choice)
            command = Move(question.seat, offer.window, actions[int(choices.random() * len(actions))])
            decisions += 1
        for event in game.decide(state, command):
            state = game.evolve(state, event)
            ended = game.round_ended(event) or ended
        if views:
            everyones = game.public(state)
            for seat in range(SEATS):
                game.own(everyones, state, seat)
    return decisions
