"""How long things take that people do: drawn from one of four distributions, each with its own fields."""

import math
from random import Random
from typing import Annotated

import msgspec

Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]


class Fixed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="fixed", tag_field="distribution"):
    """Always the same."""

    seconds: Seconds

    def draw(self, dice: Random) -> float:
        """Return a duration in seconds."""
        return self.seconds


class Uniform(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="uniform", tag_field="distribution"):
    """Anything between two limits."""

    least_seconds: Seconds
    most_seconds: Seconds

    def draw(self, dice: Random) -> float:
        """Return a duration in seconds."""
        return dice.uniform(self.least_seconds, self.most_seconds)


class Exponential(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="exponential", tag_field="distribution"):
    """Mostly short, sometimes long, as the time between chance events."""

    mean_seconds: Seconds
    most_seconds: Seconds = 86_400.0

    def draw(self, dice: Random) -> float:
        """Return a duration in seconds."""
        return min(dice.expovariate(1 / self.mean_seconds), self.most_seconds) if self.mean_seconds else 0.0


class Lognormal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="lognormal", tag_field="distribution"):
    """As people think: half below the median, two in three within `sigma` of it on a logarithmic scale."""

    median_seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)]
    sigma: Annotated[float, msgspec.Meta(ge=0, le=5)] = 0.6
    most_seconds: Seconds = 86_400.0

    def draw(self, dice: Random) -> float:
        """Return a duration in seconds."""
        return min(dice.lognormvariate(math.log(self.median_seconds), self.sigma), self.most_seconds)


Duration = Fixed | Uniform | Exponential | Lognormal
