"""The curves of a report, and how each figure is drawn once: as SVG in the page, as PNG beside it.

A curve is a mean over units. Units differ in size, so a point of it is the mean at the same share
of their budgets, not at the same visit. The colours are those of the page in light (report.css).
Within the page they become its variables, so that the same drawing serves light and dark.
"""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from math import floor, log10
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout_lab.experiments import Run
from geoscout_places.extras import import_extra

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
    others = [line for line in found if not line.is_limit and line is not base]
    if base is not None and others:
        mean_budget = float(np.mean([run["budget"] for run in runs]))
        charts.append(_relative(others, base, shares, mean_budget))
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
        replace(line, values=np.where(known, line.values / below, np.nan)) for line in lines
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


Figure = Any  # matplotlib has no types of its own
PALETTE = (
    "#6b7684", "#0b6fcc", "#c2410c", "#15803d", "#9333ea", "#b4830a", "#0e7490", "#be185d",
)  # fmt: skip
_INK, _SOFT = "#1d2430", "#5b6675"
_VARIABLES = {_INK: "ink", _SOFT: "soft", **{c: f"c{n}" for n, c in enumerate(PALETTE)}}
_SIZE = (8.0, 4.6)  # inches
_LEGEND_LINE = 0.17  # inches
DOTS = 130  # an inch
_COLUMNS, _SMALL = 3, (2.9, 2.0)  # small pictures in a row, and their size in inches
_THINNED = 4  # every fourth point of a single crawl: there may be fifty of them in a picture
_STYLE = {
    "axes.edgecolor": _SOFT, "axes.labelcolor": _SOFT, "axes.titlecolor": _INK,
    "text.color": _SOFT, "xtick.color": _SOFT, "ytick.color": _SOFT, "font.size": 9,
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
    "svg.fonttype": "none", "svg.hashsalt": "geoscout",
}  # fmt: skip


def draw_chart(chart: Chart) -> Figure:
    """A chart with all its lines, and below it their names with their last values."""
    height = _SIZE[1] + _LEGEND_LINE * len(chart.lines)
    figure, axes = _frame(1, 1, (_SIZE[0], height))
    for line in chart.lines:
        look = {"color": _SOFT, "linestyle": "--"} if line.is_limit else {"color": _of(line.colour)}
        last = shown(float(line.values[-1]), as_percent=chart.as_percent)
        axes.plot(chart.shares, line.values, label=f"{line.name}: {last}", linewidth=1.6, **look)
    axes.set_ylim(0, ceiling(chart))
    for name, value in (chart.ends or {}).items():
        axes.plot([1.0], [value], "o", color=_INK, fillstyle="none", clip_on=False)
        axes.annotate(f"{name}, published", (1.0, value), (-6, 6), textcoords="offset points",
                      ha="right", fontsize=8)  # fmt: skip
    axes.set(xlabel="share of the budget", ylabel=chart.unit, title=chart.title)
    _scale(axes, as_percent=chart.as_percent)
    figure.legend(loc="outside lower left", frameon=False, fontsize=8)
    return figure


def draw_single_crawls(groups: Sequence[Crawls]) -> Figure:
    """A small picture for each strategy: a thin line for each crawl, a thick one for their mean."""
    rows = -(-len(groups) // _COLUMNS)
    figure, grid = _frame(rows, _COLUMNS, (_COLUMNS * _SMALL[0], rows * _SMALL[1]), shared=True)
    for axes in grid.flat[len(groups) :]:
        axes.set_visible(False)
    for axes, group in zip(grid.flat, groups, strict=False):
        count = group.singles.shape[1]
        shares = [(number + 1) / count for number in range(count)]
        thin = {"color": _of(group.colour), "linewidth": 0.5, "alpha": 0.35}
        axes.plot(shares[::_THINNED], group.singles.T[::_THINNED], **thin)
        axes.plot(shares, group.mean, color=_of(group.colour), linewidth=2)
        axes.set_title("\n".join(wrap(group.name.replace(":", ": "), 36)), fontsize=7)
        _scale(axes, as_percent=True)
    grid[0, 0].set_ylim(0, max(group.top for group in groups))
    figure.supxlabel("share of the budget", fontsize=8)
    figure.supylabel("relevant pages / visits so far", fontsize=8)
    return figure


def draw_bars(histograms: Sequence[tuple[str, Sequence[float]]]) -> Figure:
    """Histograms of shares at 0, 1, 2 …, the last bar for all beyond, under their titles."""
    size = (len(histograms) * _SMALL[0], _SMALL[1])
    figure, grid = _frame(1, len(histograms), size, shared=True)
    for axes, (title, shares) in zip(grid.flat, histograms, strict=True):
        names = [*map(str, range(len(shares) - 1)), f"{len(shares) - 1}+"]
        drawn = axes.bar(names, shares, color=PALETTE[1])
        axes.bar_label(drawn, [f"{share:.0%}" if share else "" for share in shares], fontsize=6)
        axes.set_title(title, fontsize=8)
        axes.tick_params(labelsize=7)
        axes.yaxis.set_visible(False)
    return figure


def _frame(rows: int, columns: int, size: tuple[float, float], *, shared: bool = False) -> Any:
    """A figure and its axes, or a grid of them that share their scales."""
    import_extra("a plot", "lab", "matplotlib").rcParams.update(_STYLE)
    figure = import_module("matplotlib.figure").Figure(size, layout="constrained")
    return figure, figure.subplots(rows, columns, sharex=shared, sharey=shared, squeeze=not shared)


def _of(colour: int) -> str:
    return PALETTE[colour % len(PALETTE)]


def _scale(axes: Any, *, as_percent: bool) -> None:
    percent = import_module("matplotlib.ticker").PercentFormatter
    axes.xaxis.set_major_formatter(percent(1.0, decimals=0))
    if as_percent:
        axes.yaxis.set_major_formatter(percent(1.0))
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.25)


def shown(value: float, *, as_percent: bool) -> str:
    """A value with three digits that count."""
    return f"{100 * value:.3g} %" if as_percent else f"{value:.3g}"


def as_svg(figure: Figure, name: str) -> str:
    """The figure to stand in a page, in the colours of that; its name is what it is read out as."""
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata={"Date": None}, transparent=True)
    written = stream.getvalue().decode()
    svg = re.sub(r"<metadata>.*?</metadata>", "", written[written.index("<svg") :], flags=re.DOTALL)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return svg.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1)
