"""Checking that deals were fixed before they were played. Shares no code with the engine: only its specification."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client.deals.cat_deck import built_in_cat_deck, read_cat_deck
from cheeseboard_client.deals.cheat_trick import verify_cheat_trick
from cheeseboard_client.deals.verify import DealMismatch, VerifiedDeal, verify_cheez_tricks

__all__ = ["DealMismatch", "VerifiedDeal", "built_in_cat_deck", "read_cat_deck", "verify_deal"]

_GAMES: Mapping[str, Callable[[tables_pb2.TableOptions, Iterable[Any]], tuple[VerifiedDeal, ...]]] = {
    "cheez_tricks": verify_cheez_tricks,
    "cheat_trick": verify_cheat_trick,
}


def verify_deal(options: tables_pb2.TableOptions, events: Iterable[Any]) -> tuple[VerifiedDeal, ...]:
    """Check every opened deal among the events of one game, as watched or from its record; return those checked.

    `options` are the table's; events are `TableEvent`s or the game's own. Raises `DealMismatch` for the first that does
    not agree, and KeyError for a game whose deals this release cannot check.
    """
    return _GAMES[options.game.WhichOneof("game") or ""](options, events)
