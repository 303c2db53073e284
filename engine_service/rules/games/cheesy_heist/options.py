"""What the players of a table agree on, and which options cannot be played."""

from msgspec import Struct

from engine_service.rules.game import BadOption, Seat

from .cards import CHEESE, COPIES

REACTION_SECONDS = 4
VAULT_SECONDS = 20
COLLECT_SECONDS = 5
MOST_SECONDS = 60


class Options(Struct, frozen=True, gc=False):
    """The options of a game. Any value can be held; `check_options` refuses what cannot be played."""

    dealer: Seat | None = None
    """Whose left neighbour starts; None: drawn."""
    goal: int | None = None
    """Cheese to collect; None: five, with five players four."""
    reaction_seconds: int = REACTION_SECONDS
    """How long a reaction window is open at least."""
    vault_seconds: int = VAULT_SECONDS
    """How long one may choose what to keep in a Cheese Vault."""
    collect_seconds: int = COLLECT_SECONDS
    """How long one may choose a dropped card."""


def goal_of(options: Options, seats: int) -> int:
    """Return how much Cheese wins. [CH 1.5]"""
    return options.goal if options.goal is not None else 4 if seats == 5 else 5


def check_options(options: Options, seats: int) -> None:
    """Raise BadOption for the first option that a table of this many seats cannot be played with."""
    if options.dealer is not None and not 0 <= options.dealer < seats:
        raise BadOption("dealer", f"{options.dealer} is no seat of this table: 0 to {seats - 1}")
    if options.goal is not None and not 1 <= options.goal <= COPIES[CHEESE]:
        raise BadOption("goal", f"nobody can collect {options.goal} Cheese: 1 to {COPIES[CHEESE]}")
    for field in ("reaction_seconds", "vault_seconds", "collect_seconds"):
        if not 1 <= getattr(options, field) <= MOST_SECONDS:
            raise BadOption(field, f"must be 1 to {MOST_SECONDS}")
