"""Cheesy Heist: collect Cheese, shed Cats, rob the others. RULES.md in this folder has the rules, as in [CH 5.4]."""

from engine_service.rules.game import Game

from .actions import Action
from .asking import actors, default, offers, permits
from .bots import BOTS
from .cards import PLAYER_COUNTS
from .chance import setup
from .decide import decide
from .events import Event, round_ended
from .evolve import evolve
from .options import Options, check_options
from .projection import own, public, seen, veils
from .redeal import redeal
from .state import Phase, State


def is_over(state: State) -> bool:
    """Return whether the game has ended."""
    return state.phase is Phase.OVER


CHEESY_HEIST: Game[Options, State, Event, Action] = Game(
    name="cheesy_heist",
    title="Cheesy Heist",
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

__all__ = ["CHEESY_HEIST"]
