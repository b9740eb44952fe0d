"""The curves of a report as PNG files, for papers and chats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from geoscout_lab.report.svg import Chart, Crawls, ceiling
from geoscout_places.extras import import_extra

# Those of the page in light colours (report.css), so that a strategy looks the same in both.
PALETTE = (
    "#6b7684", "#0b6fcc", "#c2410c", "#15803d", "#9333ea", "#b4830a", "#0e7490", "#be185d",
)  # fmt: skip
_SIZE = (8.0, 4.6)  # inches
_LEGEND_LINE = 0.17  # inches
_DOTS = 130  # an inch
_COLUMNS, _SMALL = 3, (2.9, 2.0)  # pictures of single crawls in a row, and their size in inches


def write_plots(charts: Sequence[Chart], folder: Path) -> list[Path]:
    """One PNG a chart.

    Raises:
        UsageError: matplotlib is not installed.
    """
    import_extra("a plot", "lab", "matplotlib").use("Agg")
    return [
        _write(chart, folder / f"{chart.title.lower().replace(' ', '-')}.png") for chart in charts
    ]


def write_single_crawls(groups: Sequence[Crawls], folder: Path) -> Path | None:
    """One PNG with a small picture for each strategy; call `write_plots` before."""
    if not groups:
        return None
    from matplotlib import pyplot  # noqa: PLC0415 - after the backend was chosen
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415

    rows = -(-len(groups) // _COLUMNS)
    size = (_COLUMNS * _SMALL[0], rows * _SMALL[1])
    figure, grid = pyplot.subplots(
        rows, _COLUMNS, figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(groups) :]:
        axes.set_visible(False)
    for axes, group in zip(grid.flat, groups, strict=False):
        _draw_crawls(group, axes)
    grid[0, 0].set_ylim(0, max(group.top for group in groups))
    grid[0, 0].xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    grid[0, 0].yaxis.set_major_formatter(PercentFormatter(1.0))
    figure.supxlabel("share of the budget", fontsize=8)
    figure.supylabel("relevant pages / visits so far", fontsize=8)
    file = folder / "single-crawls.png"
    figure.savefig(file, dpi=_DOTS)
    pyplot.close(figure)
    return file


def _draw_crawls(group: Crawls, axes: Any) -> None:  # Any: matplotlib has no types of its own
    count = group.singles.shape[1]
    shares = [(number + 1) / count for number in range(count)]
    colour = PALETTE[group.colour % len(PALETTE)]
    axes.plot(shares, group.singles.T, color=colour, linewidth=0.5, alpha=0.35)
    axes.plot(shares, group.mean, color=colour, linewidth=2)
    axes.set_title("\n".join(wrap(group.name.replace(":", ": "), 36)), loc="left", fontsize=7)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _write(chart: Chart, file: Path) -> Path:
    from matplotlib import pyplot  # noqa: PLC0415 - after the backend was chosen
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415

    height = _SIZE[1] + _LEGEND_LINE * len(chart.lines)  # names are long, so the legend is below
    figure, axes = pyplot.subplots(figsize=(_SIZE[0], height), layout="constrained")
    _draw(chart, axes)
    axes.set_xlabel("share of the budget")
    axes.set_ylabel(chart.unit)
    axes.set_title(chart.title, loc="left")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    if chart.as_percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower left", frameon=False, fontsize=8)
    figure.savefig(file, dpi=_DOTS)
    pyplot.close(figure)
    return file


def _draw(chart: Chart, axes: Any) -> None:  # Any: matplotlib has no types of its own
    for line in chart.lines:
        colour = PALETTE[line.colour % len(PALETTE)]
        look = {"color": "0.5", "linestyle": "--"} if line.is_limit else {"color": colour}
        axes.plot(chart.shares, line.values, label=line.name, linewidth=1.6, **look)
    axes.set_ylim(0, ceiling(chart))
    for name, value in (chart.ends or {}).items():
        axes.plot([1.0], [value], "o", color="black", fillstyle="none", clip_on=False)
        axes.annotate(f"{name}, published", (1.0, value), (-6, 6), textcoords="offset points",
                      ha="right", fontsize=8)  # fmt: skip
