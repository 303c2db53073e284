"""What the players of a table agree on."""

from msgspec import Struct

from engine_service.rules.game import Seat

FORBIDDEN, CATCHABLE = RENEGING = (1, 2)
EXTRAS, ANY = SPLITS = (1, 2)

VETO_LIMIT = 2
LAST_QUESTION_SECONDS = 20
SPLIT_SECONDS = 15


class Options(Struct, frozen=True, gc=False):
    """The options of a game. Any value can be held; `check_options` refuses what cannot be played."""

    dealer: Seat | None = None
    """Who deals first; None: drawn."""
    simplified: bool = False
    """Without the vote and its declarations."""
    veto_limit: int | None = VETO_LIMIT
    """Vetoes that one seat has in the whole game; None: any number."""
    maternal_suits: bool = False
    """Red suits have an order of their own."""
    reneging: int = FORBIDDEN
    teams: bool = False
    """Seats 0 and 2 against 1 and 3."""
    split: int = EXTRAS
    """What partners may give each other."""
    last_question_seconds: int = LAST_QUESTION_SECONDS
    split_seconds: int = SPLIT_SECONDS
