"""The typed async client of Cheeseboard. Begin with `Cheeseboard.connect`."""

from cheeseboard_client.client import Cheeseboard
from cheeseboard_client.deals import DealMismatch, VerifiedDeal, verify_deal
from cheeseboard_client.engine_clock import EngineClock
from cheeseboard_client.errors import CheeseboardError, FieldViolation, Refused, Unreachable
from cheeseboard_client.frames import Alive, Frame, Interrupted, Snapshot, Step
from cheeseboard_client.lobby import table_options
from cheeseboard_client.matchmaking import Match, NotMatched, accepted_game
from cheeseboard_client.moves import move_of, new_request_id
from cheeseboard_client.patience import Patience
from cheeseboard_client.play import PlaySession
from cheeseboard_client.tables import Record

__all__ = [
    "Alive",
    "Cheeseboard",
    "CheeseboardError",
    "DealMismatch",
    "EngineClock",
    "FieldViolation",
    "Frame",
    "Interrupted",
    "Match",
    "NotMatched",
    "Patience",
    "PlaySession",
    "Record",
    "Refused",
    "Snapshot",
    "Step",
    "Unreachable",
    "VerifiedDeal",
    "accepted_game",
    "move_of",
    "new_request_id",
    "table_options",
    "verify_deal",
]
