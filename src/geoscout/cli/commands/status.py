"""Show the state of a crawl: pages, harvest, frontier, failures by kind, skipped links by rule.

Also works while the crawl is running.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from geoscout.cli.command import STATUS_VIEWS, Command, StatusView
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.terminal import print_json, print_table
from geoscout.crawling.options import read_crawl_options
from geoscout.plugins import load_plugins
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.base import CrawlReader, Topic

EXAMPLE = "  geoscout status oldenburg\n  geoscout status oldenburg --analysis --plot found.png"


def create() -> Command:
    """The command `status`."""
    return Command(
        summary=SUMMARIES["status"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--model", action="store_true", help="show what the strategy has learned, if it can tell"
    )
    for view in _views():
        view.add_arguments(parser)


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.model:
        from geoscout.cli.show.learned import show_model  # noqa: PLC0415 - numpy is slow to import

        show_model(arguments.folder, settings, as_json=arguments.json)
        return 0
    asked = [view for view in _views() if view.is_asked_for(arguments)]
    for view in asked[:1]:
        view.run(arguments, settings)
    if not asked:
        show_status(arguments.folder, as_json=arguments.json)
    return 0


def _views() -> list[StatusView]:
    """Further views of a crawl, such as those of the laboratory."""
    return [module.create() for module in load_plugins(STATUS_VIEWS).values()]


def show_status(where: Path | str, *, as_json: bool) -> None:
    """Print how the crawl at an address stands."""
    facts = status_figures(where)
    if as_json:
        print_json(facts)
    else:
        print_status(facts)


def print_status(facts: dict[str, Any]) -> None:
    """The facts as a table."""
    rows = [(name, _text(value)) for name, value in facts.items() if not isinstance(value, dict)]
    for name, counts in facts.items():
        if isinstance(counts, dict):
            rows += [(f"{name}: {key}", _text(value)) for key, value in counts.items()]
    print_table("", ("what", "value>"), rows)


def status_figures(where: Path | str) -> dict[str, Any]:
    """The facts of the crawl at an address."""
    with open_state(where) as crawl:
        totals, counts = crawl.reader.totals(), crawl.frontier.counts()
        options = read_crawl_options(crawl.reader)
        return {
            "region": "; ".join(options.region) if options else "",
            "strategy": options.strategy if options else "",
            "judged by": options.relevance if options else "",
            "visits": totals.visits,
            "pages": totals.pages,
            "relevant": totals.relevant,
            "harvest": round(totals.relevant / totals.pages, 4) if totals.pages else 0.0,
            "degrees": round(totals.degrees, 1),
            "harvest by degree": round(totals.degrees / totals.pages, 4) if totals.pages else 0.0,
            "frontier": counts.waiting,
            "given up": counts.failed,
            "hosts": counts.hosts,
            "nodes": _nodes(crawl.reader),
            "failures": crawl.reader.tally(Topic.FAILURE),
            "links left out": crawl.reader.tally(Topic.LINKS),
        }


def _nodes(facts: CrawlReader) -> dict[str, str]:
    """What each node of a collaborative crawl has done."""
    sent = facts.tally(Topic.EXCHANGED)
    return {
        node.node: f"{node.pages:,} pages, {node.relevant:,} relevant,"
        f" {sent.get(node.node, 0):,} links sent"
        for node in facts.nodes()
        if node.node
    }


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
