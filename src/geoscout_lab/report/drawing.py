"""How a report is drawn: each figure once, as SVG within the page and as PNG beside it.

The colours are those of the page in light (report.css). Within the page they become its variables,
so that the same drawing serves light and dark.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

from geoscout_lab.report.curves import Chart, Crawls, ceiling
from geoscout_places.extras import import_extra

Figure = Any  # matplotlib has no types of its own
PALETTE = (
    "#6b7684", "#0b6fcc", "#c2410c", "#15803d", "#9333ea", "#b4830a", "#0e7490", "#be185d",
)  # fmt: skip
_INK, _SOFT = "#1d2430", "#5b6675"
_VARIABLES = {_INK: "ink", _SOFT: "soft", **{c: f"c{n}" for n, c in enumerate(PALETTE)}}
_SIZE = (8.0, 4.6)  # inches
_LEGEND_LINE = 0.17  # inches
_DOTS = 130  # an inch
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
    """A figure and its axes, or a grid of them that share their scales.

    Raises:
        UsageError: matplotlib is not installed.
    """
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
    written = _saved(figure, "svg", metadata={"Date": None}, transparent=True).decode()
    svg = re.sub(r"<metadata>.*?</metadata>", "", written[written.index("<svg") :], flags=re.DOTALL)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return svg.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1)


def write_png(figure: Figure, file: Path) -> None:
    file.write_bytes(_saved(figure, "png", dpi=_DOTS))


def _saved(figure: Figure, format: str, **more: object) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format=format, **more)
    return stream.getvalue()
