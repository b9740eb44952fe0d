"""The views of one crawl in `geoscout status DIR`: `--analysis`, `--plot` and `--measures`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoscout.cli.command import StatusView
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.extras import require

if TYPE_CHECKING:
    from geoscout_lab.measures.analysis import Analysis


def create() -> tuple[StatusView, ...]:
    return (
        StatusView(_add_analysis, lambda given: bool(given.analysis or given.plot), _show_analysis),
        StatusView(_add_measures, lambda given: bool(given.measures), _show_measures),
    )


def _add_analysis(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--analysis",
        action="store_true",
        help="add harvest curve, bridges, tails, seed distances and the geospatial graph",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the analysis as a PNG")


def _add_measures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--measures",
        action="store_true",
        help="measures of a collaborative crawl: geo-coverage, geo-focus, overlap and more",
    )


def _show_analysis(arguments: argparse.Namespace, _settings: Settings) -> None:
    """Print the analysis, and draw it where that was asked for."""
    from geoscout.cli.commands.status import print_status, status_figures  # noqa: PLC0415 - slow
    from geoscout.cli.show.terminal import print_json  # noqa: PLC0415

    if arguments.plot:
        require("--plot", "lab", "matplotlib")
    analysis, graph = read_analysis(arguments.folder)
    facts = status_figures(arguments.folder)
    if arguments.json:
        print_json({**facts, "analysis": {**asdict(analysis), "graph": graph}})
    else:
        print_status(facts)
        _print_analysis(analysis)
        _print_graph(graph)
    if arguments.plot:
        _plot(analysis, arguments.plot)


def read_analysis(folder: Path | str) -> tuple[Analysis, dict[str, Any]]:
    """What the crawl did, and the geospatial graph of its pages."""
    from geoscout.state.base import open_state  # noqa: PLC0415
    from geoscout_lab.measures.analysis import analyse, graph_of_crawl  # noqa: PLC0415 - numpy

    with open_state(folder).reader as store:
        return analyse(store.visits()), graph_of_crawl(store)


def _print_analysis(analysis: Analysis) -> None:
    from geoscout.cli.show.terminal import print_table  # noqa: PLC0415
    from geoscout_lab.measures.analysis import histogram_rows, sparkline  # noqa: PLC0415

    top = max((value for _, value in analysis.curve), default=0.0)
    print(f"\nharvest over {analysis.visits:,} visits, at most {top:.3f}")
    print(sparkline(analysis.curve))
    share = f"{analysis.behind_bridges:.0%} of relevant pages are behind a bridge"
    histograms = (
        (f"bridges: {share}", "pages between", analysis.bridges),
        ("tails: what followed the last relevant page", "pages", analysis.tails),
        ("relevant pages by distance from a seed", "links", analysis.seed_distances),
    )
    for title, column, counts in histograms:
        print_table(title, (f"{column}>", "count>", ""), histogram_rows(counts))


def _print_graph(graph: dict[str, Any]) -> None:
    from geoscout.cli.show.terminal import print_table  # noqa: PLC0415
    from geoscout_lab.study.figures import graph_table  # noqa: PLC0415

    rows = [tuple(map(str, row)) for row in graph_table([graph]).rows]
    print_table("the geospatial graph (medians of kilometres)", ("", ">"), rows)


def _plot(analysis: Analysis, file: Path) -> None:
    """A picture of it."""
    from geoscout_lab.measures.analysis import draw  # noqa: PLC0415

    try:
        draw(analysis, file)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {file}: {error}") from error


def _show_measures(arguments: argparse.Namespace, settings: Settings) -> None:
    """Print the measures."""
    from geoscout.cli.show.terminal import print_json, print_table  # noqa: PLC0415 - slow

    figures = read_measures(arguments.folder, settings)
    if arguments.json:
        print_json(figures)
        return
    rows = [(name, _text(value)) for name, value in figures.items() if not isinstance(value, dict)]
    for name, parts in figures.items():
        if isinstance(parts, dict):
            rows += [(f"{name}: {part}", _text(value)) for part, value in parts.items()]
    print_table("", ("measure", "value>"), rows)


def read_measures(folder: Path | str, settings: Settings) -> dict[str, Any]:
    """The measures of the crawl in a folder."""
    from geoscout.cli.show.terminal import gazetteer_for  # noqa: PLC0415 - slow, as what follows
    from geoscout.crawling.nodes import partition_of  # noqa: PLC0415
    from geoscout.crawling.options import NONE, options_of  # noqa: PLC0415
    from geoscout.state.base import open_state  # noqa: PLC0415
    from geoscout_lab.gao2006.checks import figures_of_crawl  # noqa: PLC0415
    from geoscout_places.gazetteer import Region  # noqa: PLC0415

    gazetteer = gazetteer_for(settings)
    with open_state(folder).reader as store:
        options = options_of(store)
        if options.nodes.assignment == NONE:
            raise UsageError(f"the crawl in {folder} was not collaborative; it has no measures")
        region = Region.parse(options.region, gazetteer)
        partition = partition_of(options.nodes.nodes, region, gazetteer)
        return figures_of_crawl(store, partition)


def _text(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
