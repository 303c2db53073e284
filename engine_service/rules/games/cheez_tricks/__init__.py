"""Cheez-Tricks: win tricks, mind the cats. RULES.md in this folder has the rules, cited as in [CT 6.7]."""

from engine_service.rules.game import Game

from .actions import Action
from .asking import actors, default, offers, permits
from .bots import BOTS
from .cards import PLAYER_COUNTS
from .check import check_options
from .dealing import setup
from .decide import decide
from .events import Event, round_ended
from .evolve import evolve
from .options import Options
from .projection import own, public, seen, veils
from .redeal import redeal
from .state import OVER, State


def is_over(state: State) -> bool:
    """Return whether the game has ended."""
    return state.phase is OVER


CHEEZ_TRICKS: Game[Options, State, Event, Action] = Game(
    name="cheez_tricks",
    title="Cheez-Tricks",
    rules_version=1,
    min_seats=min(PLAYER_COUNTS),
    max_seats=max(PLAYER_COUNTS),
    options_type=Options,
    state_type=State,
    event_type=Event,
    check_options=check_options,
    setup=setup,
    decide=decide,
    evolve=evolve,
    actors=actors,
    offers=offers,
    permits=permits,
    default=default,
    round_ended=round_ended,
    is_over=is_over,
    veils=veils,
    public=public,
    own=own,
    seen=seen,
    redeal=redeal,
    bots=BOTS,
)

__all__ = ["CHEEZ_TRICKS"]
