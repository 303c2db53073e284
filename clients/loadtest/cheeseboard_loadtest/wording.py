"""How figures are written."""

SHOWN = (50, 90, 99, 99.9, 100)
"""The percentiles that tables show."""


def head(percentile: float) -> str:
    """Return the name of a percentile."""
    return "max" if percentile == 100 else f"p{percentile:g}"


def number(value: float | None) -> str:
    """Return a figure as it is read best; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.3f}"
