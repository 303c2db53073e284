"""How one game's messages and structs become each other. One `GameWire` a game; no decisions, no proto maps."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine_service.rules.game import Game


class Malformed(Exception):
    """A message that no struct can be made of. `field` is the path inside the game's own message, `why` a sentence."""

    def __init__(self, field: str, why: str, reason: str = "BAD_REQUEST") -> None:
        super().__init__(f"{field}: {why}")
        self.field = field
        self.why = why
        self.reason = reason
        """A name of cheeseboard.errors.v1.Reason without its prefix."""


@dataclass(frozen=True)
class GameWire:
    """The payloads of one game. Messages are the game's own (cheeseboard.games.<game>.v1), without an envelope."""

    game: Game[Any, Any, Any, Any]
    options_in: Callable[[Any], Any]
    """Options → options, not yet checked; raises Malformed (BAD_OPTION) for what no struct can hold."""
    options_out: Callable[[Any], Any]
    """options → Options."""
    action_in: Callable[[Any], Any]
    """Move → action; raises Malformed (BAD_REQUEST, UNKNOWN_CARD)."""
    offer_out: Callable[[Any], Any]
    """The choice of an offer → Offer."""
    public_out: Callable[[Any], Any]
    """A view → View, without what its viewer alone sees."""
    own_out: Callable[[Any, Any], None]
    """(a view, its View) → what its viewer alone sees is put in."""
    event_out: Callable[[Any], Any]
    """What `game.seen` returns → Event."""
    facts_out: Callable[[Any], Any]
    """The facts of a `RoundEnded` → RoundFacts."""
    detail_in: Callable[[Any], Any]
    """ScoreDetail → the detail of a `RecordScores`."""

    def view_out(self, view: Any) -> Any:
        """Return a view as the game's View."""
        message = self.public_out(view)
        self.own_out(view, message)
        return message
