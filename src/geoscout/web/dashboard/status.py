"""How a crawl stands: counts, rates, nodes, and what it was asked for."""

from __future__ import annotations

from typing_extensions import TypedDict

from geoscout.crawling.options import read_crawl_options
from geoscout.state.base import CrawlView
from geoscout.store.base import Topic
from geoscout.store.figures import CrawlFigures, NodeTotals
from geoscout.web.dashboard.curve import HarvestCurve

_RATE_VISITS = 500  # responses over which the rate is taken
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


class CrawlNodeJson(TypedDict):
    """One node of a collaborative crawl."""

    node: str
    visits: int
    pages: int
    relevant: int
    harvest: float
    waiting: int


def read_status(crawl: CrawlView, name: str, curve: HarvestCurve) -> StatusJson:
    """The figures of a crawl, as committed last; the curve saves counting all over again."""
    reader = crawl.reader
    totals, counts, options = (
        curve.totals(reader),
        crawl.frontier.counts(top=0),
        read_crawl_options(reader),
    )
    return {
        "crawl": name,
        "running": reader.is_running(),
        "region": list(options.region) if options else [],
        "strategy": options.strategy if options else "",
        "collaboration": options.nodes.assignment if options and options.has_nodes else "",
        "visits": totals.visits,
        "pages": totals.pages,
        "relevant": totals.relevant,
        "harvest": round(totals.relevant / totals.pages, 4) if totals.pages else 0.0,
        "pages_per_second": _rate(reader, totals.last_at),
        "frontier": counts.waiting,
        "given_up": counts.failed,
        "hosts": counts.hosts,
        "failures": dict(reader.tally(Topic.FAILURE)),
        "links_left_out": dict(reader.tally(Topic.LINKS)),
        "first_at": totals.first_at or None,
        "last_at": totals.last_at or None,
    }


def read_nodes(crawl: CrawlView) -> list[CrawlNodeJson]:
    """The nodes of a collaborative crawl; of any other one node without a name."""
    done = {node.node: node for node in crawl.reader.nodes()}
    waiting = crawl.frontier.waiting_by_node()
    names = sorted({*done, *waiting})[:_MOST_NODES]
    return [
        _node(done.get(name, NodeTotals(name, 0, 0, 0)), waiting.get(name, 0)) for name in names
    ]


def _node(node: NodeTotals, waiting: int) -> CrawlNodeJson:
    return {
        "node": node.node,
        "visits": node.visits,
        "pages": node.pages,
        "relevant": node.relevant,
        "harvest": round(node.relevant / node.pages, 4) if node.pages else 0.0,
        "waiting": waiting,
    }


def _rate(crawl: CrawlFigures, last: float) -> float:
    """Responses a second, over the last of them; of a finished crawl its last minute."""
    recent = crawl.recent(_RATE_VISITS)
    times = [response.at for response in recent if last - response.at <= _RATE_SECONDS]
    span = last - min(times, default=last)
    return round((len(times) - 1) / span, 2) if span > 0 else 0.0
