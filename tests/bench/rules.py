"""How fast the rules are: decisions of whole games by random offers, on one core."""

import random
import time
from typing import Any

from engine_service.rules.game import Game, Move, RoundEnded
from engine_service.rules.registry import GAMES
from tests.rules.kits import KITS

SEATS = 4


def decisions_per_second(name: str, games: int, views: bool) -> float:
    """Play games to their end; return offers + decide + evolve (+ every seat's view) a second."""
    game, kit, choices = GAMES[name], KITS[name], random.Random(1)
    decisions, began = 0, time.perf_counter()
    for number in range(games):
        decisions += _play(game, kit, choices, bytes([number % 256]) * 32, views)
    return decisions / (time.perf_counter() - began)


def _play(game: Game[Any, Any, Any, Any], kit: Any, choices: random.Random, seed: bytes, views: bool) -> int:
    state, ended, decisions = None, None, 0
    for event in game.setup(game.options_type(), SEATS, seed):
        state = game.evolve(state, event)
    while not game.is_over(state):
        question = next(iter(game.actors(state)), None)
        if question is None or question.seat is None:
            assert isinstance(ended, RoundEnded)
            command: Any = kit.score(state, ended)
        else:
            offers = game.offers(state, question.seat)
            offer = offers[int(choices.random() * len(offers))]
            command = Move(question.seat, question.window, offer.choice)
            decisions += 1
        for event in game.decide(state, command):
            state = game.evolve(state, event)
            ended = game.round_ended(event) or ended
        if views:
            for seat in range(SEATS):
                game.view(state, seat)
    return decisions
