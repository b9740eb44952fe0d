"""The curves of a report as PNG files, for papers and chats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from geoscout.errors import UsageError
from geoscout.lab.report.curves import Chart, ceiling

_SIZE = (8.0, 4.6)  # inches
_DOTS = 130  # an inch


def write_plots(charts: Sequence[Chart], folder: Path) -> list[Path]:
    """One PNG a chart.

    Raises:
        UsageError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl  # noqa: PLC0415 - optional, and takes a second to import
    except ImportError as error:
        raise UsageError("plots need matplotlib: pip install 'geoscout[lab]'") from error
    mpl.use("Agg")
    return [
        _write(chart, folder / f"{chart.title.lower().replace(' ', '-')}.png") for chart in charts
    ]


def _write(chart: Chart, file: Path) -> Path:
    from matplotlib import pyplot  # noqa: PLC0415 - after the backend was chosen
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=_SIZE, layout="constrained")
    _draw(chart, axes)
    axes.set_xlabel("share of the budget")
    axes.set_ylabel(chart.unit)
    axes.set_title(chart.title, loc="left")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    if chart.as_percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    figure.savefig(file, dpi=_DOTS)
    pyplot.close(figure)
    return file


def _draw(chart: Chart, axes: Any) -> None:  # Any: matplotlib has no types of its own
    for line in chart.lines:
        look = (
            {"color": "0.5", "linestyle": "--"} if line.is_limit else {"color": f"C{line.colour}"}
        )
        axes.plot(chart.shares, line.values, label=line.name, linewidth=1.6, **look)
    axes.set_ylim(0, ceiling(chart))
    for name, value in (chart.ends or {}).items():
        axes.plot([1.0], [value], "o", color="black", fillstyle="none", clip_on=False)
        axes.annotate(f"{name}, published", (1.0, value), (-6, 6), textcoords="offset points",
                      ha="right", fontsize=8)  # fmt: skip
