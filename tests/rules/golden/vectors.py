"""Deals as test vectors for every client that checks deals: tests/vectors/deals.json.

Cards are [suit, value] and levels are numbers, both as in the protos; cats are `Cat` messages in protobuf's JSON form.
"""

import json
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as pb
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.deck import BUILT_IN
from engine_service.rules.games.cheez_tricks.events import CardsDealt, RoundStarted, TrumpSet
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.shuffle import derived, picked, shuffled, words
from engine_service.wire.cheez_tricks_cards import card_out, cat_out, suit_out
from tests.rules.kits.cheez_tricks import THREE_CATS
from tests.rules.walks import walk

from .cheat_trick_vectors import cheat_trick_deals

DEALS = Path(__file__).parents[2] / "vectors" / "deals.json"
SEED = bytes(range(32))
LEVELS = (pb.LEVEL_HOUSE_CAT, pb.LEVEL_WILD_CAT)


def vectors() -> str:
    """Return the whole file."""
    parts = {
        "shuffle": _shuffles(),
        "cat_deck": [_cat(cat) for cat in BUILT_IN],
        "deals": [_deal(seats, derived(SEED, f"vector/{n}")) for seats in (2, 3, 4, 5) for n in range(5)],
        "games": [_game(seats, level, deck) for seats in (2, 3, 4, 5) for level in LEVELS for deck in ((), THREE_CATS)],
    }
    parts["cheat_trick"] = cheat_trick_deals(SEED)
    lines = (
        f" {json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, part)) + "\n ]" for name, part in parts.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _shuffles() -> list[dict[str, Any]]:
    """What a seed and a label give. Nearly half of all words are skipped for the second bound."""
    seeds = [bytes(32), SEED, derived(SEED, "shuffle")]
    return [
        {
            "seed": seed.hex(),
            "label": label,
            "words": [word for word, _ in zip(words(seed, label), range(10), strict=False)],
            "picked_of_6": picked(6, seed, label),
            "picked_of_2147483649": picked(2**31 + 1, seed, label),
            "ten_shuffled": list(shuffled(range(10), seed, label)),
        }
        for seed in seeds
        for label in ("cards", "cats", "trump", "starter")
    ]


def _deal(seats: int, key: bytes) -> dict[str, Any]:
    """A first round: everything that its seed gives."""
    logs = {level: CHEEZ_TRICKS.setup(Options(level=level), seats, key) for level in LEVELS}
    started, dealt, trump = (_only(logs[LEVELS[0]], kind) for kind in (RoundStarted, CardsDealt, TrumpSet))
    return {
        "seats": seats,
        "seed": dealt.seed.hex(),
        "commitment": started.commitment.hex(),
        "starter": started.starter,
        "trump": suit_out(trump.suit),
        "hands": [_cards(hand) for hand in dealt.hands],
        "set_aside": _cards(dealt.set_aside),
        "cats": [
            {"level": level, "cats": [_cat(cat) for cat in _only(log, RoundStarted).cats]}
            for level, log in logs.items()
        ],
    }


def _game(seats: int, level: int, deck: tuple[Any, ...]) -> dict[str, Any]:
    """All rounds of a game, whose cats depend on those before. Without `cat_deck`: the built-in one."""
    options = Options(level=level, starting_seat=1, cat_deck=deck)
    log = list(walk(CHEEZ_TRICKS, options, seats, derived(SEED, f"game/{seats}/{level}")))[-1].log
    started = [event for event in log if isinstance(event, RoundStarted)]
    dealt = [event for event in log if isinstance(event, CardsDealt)]
    rounds = [
        {
            "round": start.round,
            "starter": start.starter,
            "seed": deal.seed.hex(),
            "commitment": start.commitment.hex(),
            "cats": [_cat(cat) for cat in start.cats],
        }
        for start, deal in zip(started, dealt, strict=True)
    ]
    own = {"cat_deck": [_cat(cat) for cat in deck]} if deck else {}
    return {"seats": seats, "level": level, "starting_seat": 1, **own, "rounds": rounds}


def _only(log: Any, kind: type) -> Any:
    (event,) = [event for event in log if isinstance(event, kind)]
    return event


def _cards(cards: tuple[int, ...]) -> list[list[int]]:
    return [[card_out(card).suit, card_out(card).value] for card in cards]


def _cat(cat: Any) -> dict[str, Any]:
    return json_format.MessageToDict(cat_out(cat))
