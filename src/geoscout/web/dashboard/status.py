"""How a crawl stands: counts, rates, nodes, and what it was asked for."""

from __future__ import annotations

from typing import Any

import orjson
from typing_extensions import TypedDict

from geoscout.frontier import read_counts
from geoscout.store.sqlite.reader import ReadOnlyStore
from geoscout.web.dashboard.curve import HarvestCurve
from geoscout.web.dashboard.running import is_running

_RATE_VISITS = 500  # the rate is that over the last so many answers
_RATE_SECONDS = 60.0
_MOST_NODES = 500


class StatusJson(TypedDict):
    """How a crawl stands."""

    crawl: str
    running: bool
    region: list[str]
    strategy: str
    collaboration: str
    visits: int
    pages: int
    relevant: int
    harvest: float
    pages_per_second: float
    frontier: int
    given_up: int
    hosts: int
    failures: dict[str, int]
    links_left_out: dict[str, int]
    first_at: float | None
    last_at: float | None


class NodeJson(TypedDict):
    """One node of a collaborative crawl."""

    node: str
    visits: int
    pages: int
    relevant: int
    harvest: float
    waiting: int


def read_status(store: ReadOnlyStore, name: str, curve: HarvestCurve) -> StatusJson:
    """The figures of a crawl, as committed last; the curve saves counting all over again."""
    totals = curve.totals(store.connection)
    counts = read_counts(store.connection, top=0)
    options = read_options(store)
    return {
        "crawl": name,
        "running": is_running(store.folder),
        "region": [str(text) for text in options.get("region", ())],
        "strategy": str(options.get("strategy", "")),
        "collaboration": str(options.get("collaboration") or ""),
        "visits": totals.visits,
        "pages": totals.pages,
        "relevant": totals.relevant,
        "harvest": round(totals.relevant / totals.pages, 4) if totals.pages else 0.0,
        "pages_per_second": _rate(store, totals.last_at),
        "frontier": counts.waiting,
        "given_up": counts.failed,
        "hosts": counts.hosts,
        "failures": store.tally("failure"),
        "links_left_out": store.tally("links"),
        "first_at": totals.first_at or None,
        "last_at": totals.last_at or None,
    }


def read_options(store: ReadOnlyStore) -> dict[str, Any]:
    """What the crawl was asked for, as it kept it; empty for a crawl without its note."""
    kept = orjson.loads(store.note("options") or "{}")
    return kept if isinstance(kept, dict) else {}


def read_nodes(store: ReadOnlyStore) -> list[NodeJson]:
    """The nodes of a collaborative crawl; of any other one node without a name."""
    done = store.connection.execute(
        "SELECT node, count(*), coalesce(sum(is_page), 0), coalesce(sum(relevant), 0)"
        " FROM visit GROUP BY node"
    ).fetchall()
    waiting = dict(
        store.connection.execute(
            "SELECT node, count(*) FROM frontier_request WHERE number IN"
            " (SELECT number FROM frontier_queue UNION ALL SELECT number FROM frontier_later)"
            " GROUP BY node"
        )
    )
    figures = {node: rest for node, *rest in done}
    names = sorted({*figures, *waiting})[:_MOST_NODES]
    return [_node(name, figures.get(name, [0, 0, 0]), waiting.get(name, 0)) for name in names]


def _node(name: str, figures: list[int], waiting: int) -> NodeJson:
    visits, pages, relevant = figures
    return {
        "node": name,
        "visits": visits,
        "pages": pages,
        "relevant": relevant,
        "harvest": round(relevant / pages, 4) if pages else 0.0,
        "waiting": waiting,
    }


def _rate(store: ReadOnlyStore, last: float) -> float:
    """Answers a second, over the last of them; of a finished crawl its last minute."""
    times = [
        at
        for (at,) in store.connection.execute(
            "SELECT fetched_at FROM visit ORDER BY n DESC LIMIT ?", (_RATE_VISITS,)
        )
        if last - at <= _RATE_SECONDS
    ]
    span = last - min(times, default=last)
    return round((len(times) - 1) / span, 2) if span > 0 else 0.0
