"""What comes of checking a deal."""

from dataclasses import dataclass

from cheeseboard_client.errors import CheeseboardError


class DealMismatch(CheeseboardError):
    """A deal is not what its seed gives, or its seed is not what was committed to."""

    def __init__(self, round_number: int, what: str) -> None:
        super().__init__(f"round {round_number}: {what} does not agree with the deal that was committed to")
        self.round = round_number
        self.what = what
        """Cheez-Tricks: one of "commitment", "hands", "set_aside", "cats", "starter", "trump", "plays"; Cheesy Heist:
        "commitment", "dealer", "hands", "draw_pile", or the kind of an event; Cheat Trick: "commitment", "packet",
        "hands", "face_up", "trump", "plays", "dealer"."""


@dataclass(frozen=True)
class VerifiedDeal:
    """A deal that agrees with its commitment."""

    round: int
    checked: tuple[str, ...]
    """What was compared. Cats and later starters need the rounds before; trump is drawn in round 1 only."""
    deal: int = 1
    """Which deal of the round; only where a round may be dealt several times."""
