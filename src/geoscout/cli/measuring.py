"""The measures of a collaborative crawl, finished or not."""

from __future__ import annotations

from pathlib import Path

from geoscout.cli.collaborating import NONE, partition_of
from geoscout.cli.crawling import OPTIONS, read_options
from geoscout.cli.places import gazetteer_for
from geoscout.cli.terminal import print_json, print_table
from geoscout.errors import UsageError
from geoscout.evaluate.gao_crawl import figures_of_crawl
from geoscout.gazetteer import Region
from geoscout.settings import Settings
from geoscout.store.reading import ReadOnlyStore


def show_measures(folder: Path, settings: Settings, *, as_json: bool) -> None:
    """Print the measures of a crawl by its nodes.

    Raises:
        UsageError: the crawl had no nodes.
    """
    gazetteer = gazetteer_for(settings)
    with ReadOnlyStore.open(folder) as store:
        options = read_options(store.note(OPTIONS) or "{}")
        if options.teamwork.assignment == NONE:
            raise UsageError(f"the crawl in {folder} was not collaborative; it has no measures")
        region = Region.parse(options.region, gazetteer)
        partition = partition_of(options.teamwork.nodes, region, gazetteer)
        figures = figures_of_crawl(store, partition)
    if as_json:
        print_json(figures)
        return
    rows = [(name, _text(value)) for name, value in figures.items() if not isinstance(value, dict)]
    for name, parts in figures.items():
        if isinstance(parts, dict):
            rows += [(f"{name}: {part}", _text(value)) for part, value in parts.items()]
    print_table("", ("measure", "value>"), rows)


def _text(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
