"""Charts as SVG, drawn by hand: lines over time, stacked areas, and percentiles on a logarithmic scale.

Colours are the page's (classes c0 to c7), so that a chart is readable in light and dark.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 28

Point = tuple[float, float | None]


@dataclass(frozen=True)
class Line:
    """A named line; a point without a value is a gap."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Scale:
    """From values to places on the page."""

    x: Callable[[float], float]
    y: Callable[[float], float]


def lines(title: str, unit: str, drawn: Sequence[Line]) -> str:
    """Return a chart of lines over seconds."""
    across = max((x for line in drawn for x, _ in line.points), default=1.0) or 1.0
    high = _ceiling(max((y for line in drawn for _, y in line.points if y is not None), default=1.0))
    scale = _scale(across, high)
    marks = "".join(_path(line, index, scale) for index, line in enumerate(drawn))
    return _figure(title, unit, drawn, _grid(scale, high) + _seconds(scale, across) + marks)


def stacked(title: str, unit: str, drawn: Sequence[Line]) -> str:
    """Return a chart of areas over seconds, each on those before it; all lines have the same x."""
    across = max((x for line in drawn for x, _ in line.points), default=1.0) or 1.0
    total = [sum(y or 0.0 for _, y in column) for column in zip(*(line.points for line in drawn), strict=True)]
    high = _ceiling(max(total, default=1.0))
    scale, marks, below = _scale(across, high), "", [0.0] * len(total)
    for index, line in enumerate(drawn):
        above = [low + (y or 0.0) for low, (_, y) in zip(below, line.points, strict=True)]
        xs = [scale.x(x) for x, _ in line.points]
        edge = [f"{x:.1f},{scale.y(y):.1f}" for x, y in zip(xs, above, strict=True)]
        back = [f"{x:.1f},{scale.y(y):.1f}" for x, y in zip(reversed(xs), reversed(below), strict=True)]
        if edge:
            points = " ".join(edge + back)
            marks += f'<polygon class="area c{index}" points="{points}"><title>{escape(line.name)}</title></polygon>'
        below = above
    return _figure(title, unit, drawn, marks + _grid(scale, high) + _seconds(scale, across))


def percentiles(title: str, unit: str, drawn: Sequence[Line]) -> str:
    """Return values by percentile (x, 0 to 100): each step to the right is ten times rarer, values are logarithmic."""
    values = [y for line in drawn for _, y in line.points if y]
    low = 10 ** math.floor(math.log10(min(values, default=0.1)))
    high = 10 ** math.ceil(math.log10(max(values, default=10.0)) + 1e-9)
    decades = max(1.0, math.log10(high / low))

    def x(percentile: float) -> float:
        rarity = -math.log10(max(1e-4, 1 - percentile / 100))
        return LEFT + (WIDTH - LEFT - RIGHT) * rarity / 4

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log10(max(value, low) / low) / decades

    scale, grid = Scale(x, y), ""
    for power in range(round(decades) + 1):
        grid += _level(y(low * 10**power), _short(low * 10**power))
    for percentile in (0, 90, 99, 99.9, 99.99):
        grid += _tick(x(percentile), f"{percentile:g} %")
    return _figure(title, unit, drawn, grid + "".join(_path(line, index, scale) for index, line in enumerate(drawn)))


def _scale(across: float, high: float) -> Scale:
    return Scale(
        lambda x: LEFT + (WIDTH - LEFT - RIGHT) * x / across,
        lambda y: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / high,
    )


def _path(line: Line, index: int, scale: Scale) -> str:
    commands, pen = [], "M"
    for x, y in line.points:
        if y is None:
            pen = "M"
            continue
        alone = "h0" if pen == "M" else ""  # So that a point without neighbours is seen.
        commands.append(f"{pen}{scale.x(x):.1f} {scale.y(y):.1f}{alone}")
        pen = "L"
    return f'<path class="line c{index}" d="{" ".join(commands)}"><title>{escape(line.name)}</title></path>'


def _grid(scale: Scale, high: float) -> str:
    return "".join(_level(scale.y(high * part / 4), _short(high * part / 4)) for part in range(5))


def _seconds(scale: Scale, across: float) -> str:
    step = _ceiling(across / 6)
    return "".join(_tick(scale.x(step * n), f"{step * n:g} s") for n in range(int(across / step) + 1))


def _level(y: float, label: str) -> str:
    line = f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return f'{line}<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'


def _tick(x: float, label: str) -> str:
    anchor = "end" if x > WIDTH - RIGHT - 20 else "middle"
    return f'<text x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}">{label}</text>'


def _ceiling(value: float) -> float:
    """Return the next of 1, 2, 4, 5, 10, 20 … that is no less."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 5, 10) if step * power >= value * (1 - 1e-9))


def _short(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:.4g}"


def _figure(title: str, unit: str, drawn: Sequence[Line], inside: str) -> str:
    keys = "".join(f'<li><i class="c{index}"></i>{escape(line.name)}</li>' for index, line in enumerate(drawn))
    return (
        f"<figure><figcaption><b>{escape(title)}</b> <small>{escape(unit)}</small></figcaption><ul>{keys}</ul>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{inside}</svg></figure>'
    )
