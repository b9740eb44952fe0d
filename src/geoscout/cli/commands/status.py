"""Show the state of a crawl: pages, harvest, frontier, failures by kind, skipped links by rule.

Also works while the crawl is running.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from types import ModuleType
from typing import Any

from geoscout.cli.show.terminal import print_json, print_table
from geoscout.frontier import read_counts
from geoscout.plugins import load_plugins
from geoscout.settings import Settings
from geoscout.store.sqlite.reader import ReadOnlyStore

# Entry points of further views of a crawl, such as those of the laboratory: modules with
# `add_arguments`, `is_asked_for` and `run`.
VIEWS = "geoscout.status_views"
EXAMPLE = "  geoscout status oldenburg\n  geoscout status oldenburg --analysis --plot found.png"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the crawl's folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--model", action="store_true", help="show what the strategy has learned (hybrid only)"
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


def _views() -> list[ModuleType]:
    return list(load_plugins(VIEWS).values())


def show_status(folder: Path, *, as_json: bool) -> None:
    """Print how the crawl in a folder stands."""
    facts = read_status(folder)
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


def read_status(folder: Path) -> dict[str, Any]:
    """The facts of a crawl."""
    with ReadOnlyStore.open(folder) as store:
        visits, pages, relevant = store.connection.execute(
            "SELECT count(*), coalesce(sum(is_page), 0), coalesce(sum(relevant), 0) FROM visit"
        ).fetchone()
        counts = read_counts(store.connection)
        options = json.loads(store.note("options") or "{}")
        return {
            "region": "; ".join(options.get("region", ())),
            "strategy": options.get("strategy", ""),
            "visits": visits,
            "pages": pages,
            "relevant": relevant,
            "harvest": round(relevant / pages, 4) if pages else 0.0,
            "frontier": counts.waiting,
            "given up": counts.failed,
            "hosts": counts.hosts,
            "nodes": _nodes(store),
            "failures": store.tally("failure"),
            "links left out": store.tally("links"),
        }


def _nodes(store: ReadOnlyStore) -> dict[str, str]:
    """What each node of a collaborative crawl has done."""
    sent = store.tally("exchanged")
    query = """SELECT node, sum(is_page), sum(relevant) FROM visit WHERE node <> ''
        GROUP BY node ORDER BY node"""
    return {
        node: f"{pages:,} pages, {relevant:,} relevant, {sent.get(node, 0):,} links sent"
        for node, pages, relevant in store.connection.execute(query)
    }


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
