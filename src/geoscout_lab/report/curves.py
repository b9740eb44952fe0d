"""The curves of a report.

A curve is a mean over units. Units differ in size, so a point of it is the mean at the same share
of their budgets, not at the same visit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, log10

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
