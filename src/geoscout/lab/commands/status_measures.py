"""The measures of a collaborative crawl, finished or not."""

from __future__ import annotations

import argparse

from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import print_json, print_table
from geoscout.crawling.nodes import partition_of
from geoscout.crawling.options import NONE, options_of
from geoscout.errors import UsageError
from geoscout.gazetteer import Region
from geoscout.lab.gao2006.figures import figures_of_crawl
from geoscout.settings import Settings
from geoscout.store.sqlite.reader import ReadOnlyStore


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """What `geoscout status --measures` does.

    Raises:
        UsageError: the crawl had no nodes.
    """
    folder, gazetteer = arguments.folder, gazetteer_for(settings)
    with ReadOnlyStore.open(folder) as store:
        options = options_of(store)
        if options.nodes.assignment == NONE:
            raise UsageError(f"the crawl in {folder} was not collaborative; it has no measures")
        region = Region.parse(options.region, gazetteer)
        partition = partition_of(options.nodes.nodes, region, gazetteer)
        figures = figures_of_crawl(store, partition)
    if arguments.json:
        print_json(figures)
        return
    rows = [(name, _text(value)) for name, value in figures.items() if not isinstance(value, dict)]
    for name, parts in figures.items():
        if isinstance(parts, dict):
            rows += [(f"{name}: {part}", _text(value)) for part, value in parts.items()]
    print_table("", ("measure", "value>"), rows)


def _text(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
