"""How a game changes ratings: Weng and Lin's Bradley-Terry model with full pairing, as openskill computes it.

A new player has mu 25 and sigma 25/3. (openskill's Plackett-Luce is not used: it puts tied winners below third place.)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

_MODEL = BradleyTerryFull()


@dataclass(frozen=True, order=True)
class Rating:
    """An estimate of a player's strength and how uncertain it is."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def shown(self) -> float:
        """What leaderboards sort by: a strength that the player has almost certainly."""
        return self.mu - 3 * self.sigma


def rate(priors: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Return each player's rating after a game with these places; equal places are ties.

    Equal priors and equal places give exactly equal ratings, whoever sat where.
    """
    assert len(priors) == len(places) > 1
    entries = list(zip(places, priors, strict=True))
    # Sums of floats depend on their order: one order for all seatings, one result for all who are alike.
    ordered = sorted(entries)
    teams = [[_MODEL.create_rating([prior.mu, prior.sigma])] for _, prior in ordered]
    rated = _MODEL.rate(teams, ranks=[float(place) for place, _ in ordered])
    after: dict[tuple[int, Rating], Rating] = {}
    for entry, (posterior,) in zip(ordered, rated, strict=True):
        after.setdefault(entry, _checked(posterior.mu, posterior.sigma))
    return tuple(after[entry] for entry in entries)


def _checked(mu: float, sigma: float) -> Rating:
    assert math.isfinite(mu) and sigma > 0, (mu, sigma)
    return Rating(mu, sigma)
