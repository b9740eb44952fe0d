"""How a crawl stands: counts, rates, nodes, and what it was asked for."""

from __future__ import annotations

from typing_extensions import TypedDict

from geoscout.crawling.harvest_curve import HarvestCurve
from geoscout.crawling.status import NodeStatus, read_nodes, read_status
from geoscout.state.base import CrawlView

_MOST_NODES = 500


class StatusJson(TypedDict):
    """How a crawl stands."""

    crawl: str
    running: bool
    state: str  # what it is doing, or how it ended
    barren: str  # that it has found nothing for long, and what may help; "" when it has
    ended_at: float | None  # seconds since the epoch, UTC
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
    statuses: dict[str, int]  # responses by HTTP status
    failures: dict[str, int]
    links_left_out: dict[str, int]
    first_at: float | None
    last_at: float | None
    index_trouble: str  # why search is behind the crawl; "" when it is not
    entries: int | None  # of the directory; null while there is none


class CrawlNodeJson(TypedDict):
    """One node of a collaborative crawl."""

    node: str
    visits: int
    pages: int
    relevant: int
    harvest: float
    waiting: int


def status_json(
    crawl: CrawlView,
    name: str,
    curve: HarvestCurve,
    index_trouble: str = "",
    entries: int | None = None,
) -> StatusJson:
    """The figures of a crawl, as committed last; the curve saves counting all over again."""
    found = read_status(crawl, curve.totals(crawl.reader))
    totals = found.totals
    return {
        "crawl": name,
        "running": found.is_running,
        "state": found.state,
        "barren": found.barren,
        "ended_at": found.ending.at if found.ending and not found.is_running else None,
        "region": list(found.region),
        "strategy": found.strategy,
        "collaboration": found.collaboration,
        "visits": totals.visits,
        "pages": totals.pages,
        "relevant": totals.relevant,
        "harvest": round(totals.harvest, 4),
        "pages_per_second": round(found.pages_per_second, 2),
        "frontier": found.frontier.waiting,
        "given_up": found.frontier.failed,
        "hosts": found.frontier.hosts,
        "statuses": dict(found.statuses),
        "failures": dict(found.failures),
        "links_left_out": dict(found.links_left_out),
        "first_at": totals.first_at or None,
        "last_at": totals.last_at or None,
        "index_trouble": index_trouble,
        "entries": entries,
    }


def nodes_json(crawl: CrawlView) -> list[CrawlNodeJson]:
    """The nodes of a collaborative crawl; of any other one node without a name."""
    return [_node(node) for node in read_nodes(crawl)[:_MOST_NODES]]


def _node(node: NodeStatus) -> CrawlNodeJson:
    totals = node.totals
    return {
        "node": totals.node,
        "visits": totals.visits,
        "pages": totals.pages,
        "relevant": totals.relevant,
        "harvest": round(totals.harvest, 4),
        "waiting": node.waiting,
    }
