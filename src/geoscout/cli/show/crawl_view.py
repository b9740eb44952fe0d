"""What a running crawl looks like in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from geoscout.crawl import Crawl
from geoscout.frontier.base import Waiting
from geoscout.store.base import harvest_of
from geoscout_places.clock import steady_time

_MOST_KINDS = 6  # of failures that are named


def view(crawl: Crawl) -> Table:
    """Pages, rates, frontier, what it waits for, and what went wrong."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, text in _rows(crawl):
        table.add_row(name, text)
    return table


def _rows(crawl: Crawl) -> Iterator[tuple[str, str]]:
    done, frontier, now = crawl.progress, crawl.frontier, steady_time()
    counts = frontier.counts(top=0)
    yield "pages", f"{done.pages:,} of {done.visits:,} responses, {done.rate:,.1f} a second"
    yield "relevant", f"{done.relevant:,}, harvest {done.harvest:.1%}"
    waiting = f"{counts.waiting:,} waiting on {counts.hosts:,} hosts"
    yield "frontier", f"{waiting}, {counts.busy} in flight"
    yield "waits for", _reasons(frontier.waiting(now), now)
    kinds = [f"{kind} {times:,}" for kind, times in done.failures.most_common(_MOST_KINDS)]
    yield "failures", ", ".join(kinds) or "none"
    for node, figures in sorted(done.nodes.items()):
        share = harvest_of(figures["relevant"], figures["pages"])
        yield f"node {node}", f"{figures['pages']:,} pages, harvest {share:.1%}"


def _reasons(waiting: Waiting, now: float) -> str:
    """Why requests wait, and, when none can go, until when."""
    text = ", ".join(f"{why} {requests:,}" for why, requests in waiting.reasons)
    if waiting.until is not None and waiting.until > now + 1:
        text += f"; the next may go in {waiting.until - now:,.0f} s"
    return text or "nothing"
