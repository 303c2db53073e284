"""What the players of a table agree on."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cats import Cat

HOUSE_CAT, WILD_CAT = LEVELS = (1, 2)


class Options(Struct, frozen=True, gc=False):
    """The options of a game. Any value can be held; `check_options` refuses what cannot be played."""

    level: int = HOUSE_CAT
    starting_seat: Seat | None = None
    """Who leads first; None: drawn."""
    cat_deck: tuple[Cat, ...] = ()
    """The table's own cats; none: the built-in deck."""
