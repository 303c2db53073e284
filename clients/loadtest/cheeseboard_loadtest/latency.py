"""Durations, kept as HdrHistograms: three digits from a microsecond to an hour, whatever their number."""

from dataclasses import dataclass

from hdrh.histogram import HdrHistogram

MOST_MICROS = 3_600_000_000
PERCENTILES = (0, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.95, 99.99, 100)


@dataclass(frozen=True)
class Distribution:
    """What became of a kind of durations, in seconds."""

    count: int
    mean: float
    by_percentile: dict[float, float]
    """For each of PERCENTILES."""
    histogram: str
    """All of it, in microseconds, in HdrHistogram's own encoding (V2, compressed, base64)."""


class Latency:
    """Durations of one kind: all of them, and those since they were asked for last."""

    def __init__(self) -> None:
        self._all = HdrHistogram(1, MOST_MICROS, 3)
        self._lately = HdrHistogram(1, MOST_MICROS, 3)

    def add(self, seconds: float) -> None:
        """Take a duration; more than an hour counts as an hour."""
        micros = min(max(1, round(seconds * 1e6)), MOST_MICROS)
        self._all.record_value(micros)
        self._lately.record_value(micros)

    def percentile(self, percentile: float) -> float | None:
        """Return a percentile of all, in seconds; None if there were none."""
        return _percentile(self._all, percentile)

    def lately(self) -> tuple[float | None, float | None]:
        """Return the median and the 99th percentile since the last time this was asked, in seconds."""
        figures = _percentile(self._lately, 50), _percentile(self._lately, 99)
        if self._lately.get_total_count():
            self._lately.reset()
        return figures

    def distribution(self) -> Distribution:
        """Return all of it."""
        count = int(self._all.get_total_count())
        by_percentile = {p: value for p in PERCENTILES if (value := self.percentile(p)) is not None}
        mean = float(self._all.get_mean_value()) / 1e6 if count else 0.0
        return Distribution(count, mean, by_percentile, self._all.encode().decode())


def _percentile(histogram: HdrHistogram, percentile: float) -> float | None:
    return float(histogram.get_value_at_percentile(percentile)) / 1e6 if histogram.get_total_count() else None
