"""How a crawl stands: pages, relevant ones, frontier, failures by kind, links left out by rule.

Works beside a running crawl.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from geoscout.cli.terminal import print_json, print_table
from geoscout.frontier import read_counts
from geoscout.settings import Settings
from geoscout.store.reading import ReadOnlyStore

EXAMPLE = "  geoscout status oldenburg\n  geoscout status oldenburg --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the crawl's folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace, _settings: Settings) -> int:
    show_status(arguments.folder, as_json=arguments.json)
    return 0


def show_status(folder: Path, *, as_json: bool) -> None:
    """Print how the crawl in a folder stands."""
    facts = read_status(folder)
    if as_json:
        print_json(facts)
        return
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
            "failures": store.tally("failure"),
            "links left out": store.tally("links"),
        }


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
