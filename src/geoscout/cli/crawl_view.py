"""What a running crawl looks like in the terminal."""

from __future__ import annotations

import time

from rich.table import Table

from geoscout.crawl import Crawl
from geoscout.frontier import Frontier

_started = time.monotonic()


def view(crawl: Crawl, frontier: Frontier) -> Table:
    """Pages, rates, frontier, and what it waits for."""
    done, counts = crawl.progress, frontier.counts(top=0)
    seconds = max(time.monotonic() - _started, 0.001)
    waiting = frontier.waiting(time.time())
    table = Table(box=None, show_header=False, pad_edge=False)
    rows = (
        (
            "pages",
            f"{done.pages:,} of {done.visits:,} answers, {done.visits / seconds:,.1f} a second",
        ),
        ("relevant", f"{done.relevant:,}, harvest {done.relevant / max(done.pages, 1):.1%}"),
        (
            "frontier",
            f"{counts.waiting:,} waiting on {counts.hosts:,} hosts, {counts.busy} in flight",
        ),
        ("waits for", ", ".join(f"{why} {n:,}" for why, n in waiting.reasons) or "nothing"),
        ("failures", f"{done.failures:,}"),
    )
    for row in rows:
        table.add_row(*row)
    return table
