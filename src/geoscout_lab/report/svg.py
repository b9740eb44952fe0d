"""The curves of a report, and how they are drawn as SVG, by hand, so that a page needs no scripts.

A curve is a mean over units. Units differ in size, so a point of it is the mean at the same share
of their budgets, not at the same visit. Colours are CSS variables of the page, so that the same
drawing serves light and dark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import floor, isfinite, log10

import numpy as np
from numpy.typing import NDArray

from geoscout_lab.experiments import Run

POINTS = 200
UPPER = "upper bound"
COUNTED = ", training counted"
_MOST = 0.98  # of the points of single crawls are in their picture
_FEW = 5  # relevant pages of the baseline: with fewer, a ratio means nothing

Values = NDArray[np.float64]
Height = Callable[[Values, Values, int], Values]  # of visits, pages found, and pages to find


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: a value at each share of the budget."""

    name: str
    values: Values
    is_limit: bool = False  # an oracle or a bound, drawn in another way
    colour: int = 0  # the same for a strategy in every chart


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    unit: str  # what the height is
    shares: Values
    lines: tuple[Line, ...]
    as_percent: bool
    ends: Mapping[str, float] | None = None  # published values at the end, by name


def charts_of(
    runs: Sequence[Run], baseline: str, ends: Mapping[str, float] | None = None
) -> list[Chart]:
    """Harvest, harvest against the baseline, and recall against the oracle."""
    runs = [run for run in runs if "curve" in run]
    if not runs:
        return []
    shares = np.linspace(1 / POINTS, 1, POINTS)
    found = _mean_lines(runs, lambda visits, counts, _targets: counts / visits)
    recall = _mean_lines(runs, lambda _visits, counts, targets: counts / max(targets, 1))
    unit = "relevant pages / visits"
    charts = [Chart("Harvest", unit, shares, found, as_percent=True, ends=ends)]
    base = next((line for line in found if line.name == baseline), None)
    if base is not None:
        mean_budget = float(np.mean([run["budget"] for run in runs]))
        charts.append(_relative(found, base, shares, mean_budget))
    charts.append(Chart("Recall", "found / reachable", shares, recall, as_percent=True))
    return charts


@dataclass(frozen=True, slots=True)
class Crawls:
    """The harvest of all crawls of one strategy."""

    name: str
    singles: Values  # a row a crawl, a column a share of the budget
    colour: int  # that of the strategy in the charts

    @property
    def mean(self) -> Values:
        """Over the crawls."""
        return np.asarray(self.singles.mean(axis=0))

    @property
    def top(self) -> float:
        """A scale on which most of the crawls are whole, from the first twentieth on."""
        late = self.singles[:, self.singles.shape[1] // 20 :]
        return _round_up(float(np.quantile(late, _MOST)) or 1.0)


def crawls_of(runs: Sequence[Run]) -> list[Crawls]:
    """The crawls of each strategy that has more than one; the oracles are left out."""
    runs = [run for run in runs if "curve" in run]
    if not runs:
        return []
    colours = {line.name: line.colour for line in charts_of(runs, "")[0].lines}
    own: dict[str, list[Values]] = {}
    for run in runs:
        if not run.get("oracle"):
            heights = _heights(run, "curve", lambda visits, counts, _targets: counts / visits)
            own.setdefault(run["strategy"], []).append(heights)
    return [
        Crawls(name, np.array(curves), colours[name])
        for name, curves in own.items()
        if len(curves) > 1
    ]


def _relative(lines: Sequence[Line], base: Line, shares: Values, budget: float) -> Chart:
    known = base.values * shares * budget >= _FEW
    below = np.where(known, base.values, 1.0)
    kept = tuple(
        replace(line, values=np.where(known, line.values / below, np.nan))
        for line in lines
        if not line.is_limit and line.name != base.name
    )
    return Chart(f"Harvest against {base.name}", f"× {base.name}", shares, kept, as_percent=False)


def _mean_lines(runs: Sequence[Run], height: Height) -> tuple[Line, ...]:
    """The mean of a height over all runs, for each strategy and limit."""
    series: dict[tuple[str, bool], list[Values]] = {}
    for run in runs:
        for suffix, key in (("", "curve"), (COUNTED, "curve_counted"), ("", "upper_bound_curve")):
            if key in run and not (suffix and _is_all_training(run)):
                name = UPPER if key == "upper_bound_curve" else run["strategy"] + suffix
                limit = bool(run.get("oracle"))
                series.setdefault((name, limit), []).append(_heights(run, key, height))
    ordered = sorted(series.items(), key=lambda item: item[0][1])  # limits last
    return tuple(
        Line(name, np.mean(values, axis=0), limit, colour)
        for colour, ((name, limit), values) in enumerate(ordered)
    )


def _is_all_training(run: Run) -> bool:
    """Whether the training alone takes the budget, so that its curve is that of link distance."""
    return bool(run.get("training_pages", 0) >= run["budget"])


def _heights(run: Run, key: str, height: Height) -> Values:
    visits = np.maximum(np.linspace(1 / POINTS, 1, POINTS) * run["budget"], 1.0)
    counts = np.interp(visits, run[key]["visits"], run[key]["found"])
    return height(visits, counts, run["reachable_relevant"])


def ceiling(chart: Chart) -> float:
    """The top of the scale: where strategies are, with some room; limits may leave the frame.

    The first twentieth does not count: a few pages make any harvest there.
    """
    drawn = [line for line in chart.lines if not line.is_limit] or chart.lines
    late = [line.values[len(line.values) // 20 :] for line in drawn]
    known = [float(np.nanmax(values)) for values in late if np.isfinite(values).any()]
    highest = max([*known, *(chart.ends or {}).values()], default=1.0) or 1.0
    limits = [float(line.values[-1]) for line in chart.lines if line.is_limit]
    top = _round_up(max([highest * 1.1, *limits]))
    return min(top, 1.0) if chart.as_percent else top


def _round_up(value: float) -> float:
    """The next number that divides well.

    >>> _round_up(0.031), _round_up(2.2), _round_up(97)
    (0.04, 2.5, 100.0)
    """
    power = 10.0 ** floor(log10(value))
    steps = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next((round(step * power, 10) for step in steps if step * power >= value), 10 * power)


WIDTH, HEIGHT = 760, 360
LEFT, RIGHT, TOP, BOTTOM = 62, 150, 16, 42
COLOURS = 8  # that the page has
_LABEL_HEIGHT = 15
_TICKS = 5
_SMALL_WIDTH, _SMALL_HEIGHT, _SMALL_EDGE = 300, 150, 18
_THINNED = 4  # every fourth point of a single crawl: there may be fifty of them in a picture


def draw(chart: Chart) -> str:
    """A chart with its axes, curves and their names at their ends."""
    top = ceiling(chart)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(chart.title)}">',
        *_grid(chart, top),
        *(_curve(line, chart, top) for line in chart.lines),
        *_published(chart, top),
        *_names(chart, top),
        "</svg>",
    ]
    return "\n".join(parts)


def style(line: Line) -> str:
    """The classes of a curve."""
    return "limit" if line.is_limit else f"c{line.colour % COLOURS}"


def bars(values: Sequence[float], title: str) -> str:
    """A small histogram of values at 0, 1, 2 …, the last for all beyond."""
    width, height, gap = 300, 120, 3
    step = (width - 10) / max(len(values), 1)
    top = max(values, default=0) or 1
    opening = f'<svg viewBox="0 0 {width} {height}" class="bars" role="img" '
    parts = [f'{opening}aria-label="{escape(title)}">']
    for number, value in enumerate(values):
        tall = (height - 34) * value / top
        left = 5 + number * step
        name = f"{number}+" if number == len(values) - 1 else str(number)
        parts.append(
            f'<rect x="{left:.1f}" y="{height - 16 - tall:.1f}" width="{step - gap:.1f}" '
            f'height="{tall:.1f}"><title>{name}: {value:.1%}</title></rect>'
            f'<text x="{left + (step - gap) / 2:.1f}" y="{height - 3}" class="middle">{name}</text>'
        )
        if value / top > 0.08:  # a lower bar has no room for its number
            parts.append(
                f'<text x="{left + (step - gap) / 2:.1f}" y="{height - 20 - tall:.1f}" '
                f'class="middle">{value:.0%}</text>'
            )
    return "".join([*parts, "</svg>"])


def draw_crawls(crawls: Crawls, top: float) -> str:
    """A small picture: a thin line for each crawl, a thick one for their mean."""
    colour = f"c{crawls.colour % COLOURS}"
    thin = [
        f'<path class="curve single {colour}" d="{_small_path(one, top)}"/>'
        for one in crawls.singles[:, ::_THINNED]
    ]
    mean = f'<path class="curve {colour}" d="{_small_path(crawls.mean, top)}"/>'
    bottom = _SMALL_HEIGHT - _SMALL_EDGE
    end = shown(float(crawls.mean[-1]), as_percent=True)
    return (
        f'<svg viewBox="0 0 {_SMALL_WIDTH} {_SMALL_HEIGHT}" role="img" '
        f'aria-label="{escape(crawls.name)}">'
        f'<line class="grid" x1="0" x2="{_SMALL_WIDTH}" y1="{bottom}" y2="{bottom}"/>'
        f"{''.join(thin)}{mean}"
        f'<text x="2" y="11">{shown(top, as_percent=True)}</text>'
        f'<text x="2" y="{_SMALL_HEIGHT - 3}">0</text>'
        f'<text class="end" x="{_SMALL_WIDTH - 2}" y="{_SMALL_HEIGHT - 3}">'
        f"mean at the end {end}</text></svg>"
    )


def _small_path(values: Values, top: float) -> str:
    steps = max(len(values) - 1, 1)

    def at(number: int, value: float) -> str:
        height = (_SMALL_HEIGHT - _SMALL_EDGE) * (1 - value / top)
        return f"{_SMALL_WIDTH * number / steps:.0f} {height:.1f}"

    return _path(values, top, at)


def _path(values: Values, top: float, at: Callable[[int, float], str]) -> str:
    """Points above the top are left out, and the line begins again after them."""
    points, pen = [], "M"
    for number, value in enumerate(values.tolist()):
        if not isfinite(value) or value > top:
            pen = "M"
            continue
        points.append(f"{pen}{at(number, value)}")
        pen = "L"
    return "".join(points)


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(value: float, top: float) -> float:
    return TOP + (1 - min(value / top, 1.0)) * (HEIGHT - TOP - BOTTOM)


def _grid(chart: Chart, top: float) -> list[str]:
    parts = []
    for tick in range(_TICKS + 1):
        value, share = top * tick / _TICKS, tick / _TICKS
        height, across = _y(value, top), _x(share)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height:.1f}" '
            f'y2="{height:.1f}"/><text class="end" x="{LEFT - 8}" y="{height + 4:.1f}">'
            f"{shown(value, as_percent=chart.as_percent)}</text>"
            f'<text class="middle" x="{across:.1f}" y="{HEIGHT - BOTTOM + 18}">{share:.0%}</text>'
        )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text class="middle" x="{_x(0.5):.1f}" y="{HEIGHT - 6}">share of the budget</text>'
        f'<text class="middle" transform="translate(14 {middle:.1f}) rotate(-90)">'
        f"{escape(chart.unit)}</text>"
    )
    return parts


def shown(value: float, *, as_percent: bool) -> str:
    """A number on an axis."""
    return f"{100 * value:.3g} %" if as_percent else f"{value:.3g}"


def _curve(line: Line, chart: Chart, top: float) -> str:
    shares = chart.shares.tolist()
    path = _path(line.values, top, lambda n, value: f"{_x(shares[n]):.1f} {_y(value, top):.1f}")
    last = shown(float(line.values[-1]), as_percent=chart.as_percent)
    return (
        f'<path class="curve {style(line)}" d="{path}">'
        f"<title>{escape(line.name)}: {last} at the end</title></path>"
    )


def _published(chart: Chart, top: float) -> list[str]:
    """Open circles at the right edge for what was published."""
    parts = []
    for name, value in (chart.ends or {}).items():
        words = f"{name}, published: {shown(value, as_percent=chart.as_percent)}"
        parts.append(
            f'<circle class="published" cx="{_x(1):.1f}" cy="{_y(value, top):.1f}" r="5">'
            f"<title>{escape(words)}</title></circle>"
        )
    return parts


def _names(chart: Chart, top: float) -> list[str]:
    """The names at the ends of the curves, pushed apart where they would overlap."""
    known = [line for line in chart.lines if isfinite(float(line.values[-1]))]
    ends = sorted(known, key=lambda line: -float(line.values[-1]))
    parts: list[str] = []
    highest = HEIGHT - BOTTOM - _LABEL_HEIGHT * (len(ends) - 1)
    before = -1.0e9
    for rank, line in enumerate(ends):
        height = _y(float(line.values[-1]), top)
        at = max(min(height, highest + rank * _LABEL_HEIGHT), before + _LABEL_HEIGHT)
        before = at
        parts.append(
            f'<text class="name {style(line)}" x="{WIDTH - RIGHT + 10}" y="{at + 4:.1f}">'
            f"<title>{escape(line.name)}</title>{escape(shortened(line, chart))}</text>"
        )
    return parts


def shortened(line: Line, chart: Chart) -> str:
    """Value and name without options; the legend below has the whole name."""
    value = shown(float(line.values[-1]), as_percent=chart.as_percent)
    return f"{value}  {line.name.partition(':')[0]}"


def legend(chart: Chart) -> str:
    """The whole names with their colours, the highest first."""
    known = [line for line in chart.lines if isfinite(float(line.values[-1]))]
    items = [
        f'<li class="{style(line)}">{escape(line.name)}</li>'
        for line in sorted(known, key=lambda line: -float(line.values[-1]))
    ]
    return f'<ul class="legend">{"".join(items)}</ul>'
