"""How a crawl stands, as it was committed last: the figures that the commands and the web show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from geoscout.crawling.barren import BARREN, barren_text, unpack_stretch
from geoscout.crawling.ending import ENDING, End, Ending, state_text, unpack_ending
from geoscout.crawling.options import read_crawl_options
from geoscout.crawling.progress import ENTITY_STEP
from geoscout.frontier.base import Counts
from geoscout.state.base import CrawlView
from geoscout.store.base import NodeTotals, Rest, Topic, Totals
from geoscout.store.reader import CrawlReader

_RATE_VISITS = 500  # responses over which the rate is taken
_RATE_SECONDS = 60.0


class NodeStatus(Struct, frozen=True):
    """One node of a collaborative crawl; "" is the node of any other crawl."""

    totals: NodeTotals
    waiting: int
    sent: int  # links handed to other nodes


class CrawlStatus(Struct, frozen=True, kw_only=True):
    """How a crawl stands."""

    region: Sequence[str]  # as the user wrote it; empty, as what follows, where none was kept
    strategy: str
    relevance: str  # the rule by which pages are judged
    collaboration: str  # how links are assigned to nodes; "" where there are no nodes
    totals: Totals
    frontier: Counts
    is_running: bool
    pages_per_second: float  # lately; of a finished crawl, in its last minute
    failures: Mapping[str, int]  # by kind
    statuses: Mapping[str, int]  # responses by HTTP status, those to robots.txt among them
    links_left_out: Mapping[str, int]  # by rule
    browser: Mapping[str, int] = {}  # pages shown to a browser, by what came of it
    is_replay: bool = False  # of archives
    new_entities: Sequence[
        tuple[int, int]
    ] = ()  # visits, entities found up to there; if they count
    barren: str = ""  # that it has found nothing for long, and what may help
    ending: Ending | None = None  # of the last run; None for one that runs or was interrupted

    @property
    def state(self) -> str:
        """What the crawl is doing, or how it ended."""
        return state_text(
            self.ending, is_running=self.is_running, has_visits=self.totals.visits > 0
        )


def read_status(crawl: CrawlView, totals: Totals | None = None) -> CrawlStatus:
    """How a crawl stands; `totals` are those of its harvest curve, if they are known already."""
    reader = crawl.reader
    totals = totals or reader.totals()
    options = read_crawl_options(reader)
    return CrawlStatus(
        region=options.region if options else (),
        strategy=options.strategy if options else "",
        relevance=options.relevance if options else "",
        collaboration=options.nodes.assignment if options and options.has_nodes else "",
        totals=totals,
        frontier=crawl.frontier.counts(top=0),
        is_running=reader.is_running(),
        pages_per_second=_rate(reader, totals.last_at),
        failures=reader.tally(Topic.FAILURE),
        statuses=dict(sorted(reader.tally(Topic.STATUS).items())),
        links_left_out=reader.tally(Topic.LINKS),
        browser=reader.tally(Topic.BROWSER),
        is_replay=bool(options and options.replay),
        new_entities=entity_curve(reader.tally(Topic.ENTITIES), totals.visits),
        barren=_barren(reader, totals),
        ending=unpack_ending(reader.note(ENDING)) or _ending_of_crew(crawl, totals),
    )


def entity_curve(found: Mapping[str, int], visits: int) -> list[tuple[int, int]]:
    """How many entities were found up to some numbers of visits, of which `visits` is the last.

    >>> entity_curve({"0": 12, "2": 3}, 240)
    [(100, 12), (240, 15)]
    """
    curve, total = [], 0
    for step in sorted(map(int, found)):
        total += found[str(step)]
        curve.append((min((step + 1) * ENTITY_STEP, visits), total))
    return curve


def read_nodes(crawl: CrawlView) -> Sequence[NodeStatus]:
    """The nodes of a crawl by name, those without a visit among them."""
    done = {node.node: node for node in crawl.reader.nodes()}
    waiting = crawl.frontier.waiting_by_node()
    sent = crawl.reader.tally(Topic.EXCHANGED)
    return [
        NodeStatus(
            done.get(name, NodeTotals(name, 0, 0, 0)), waiting.get(name, 0), sent.get(name, 0)
        )
        for name in sorted({*done, *waiting})
    ]


def _ending_of_crew(crawl: CrawlView, totals: Totals) -> Ending | None:
    """How a crawl by several workers ended, of whom none ends it alone."""
    crew = crawl.crew() if crawl.crew else None
    if crew is None or len(crew.partitions) == 1 or not crew.has_ended:
        return None
    is_spent = any(row.rest == Rest.SPENT for row in crew.partitions)
    return Ending(End.LIMIT if is_spent else End.NOTHING_LEFT, totals.last_at)


def _barren(reader: CrawlReader, totals: Totals) -> str:
    stretch = unpack_stretch(reader.note(BARREN))
    return "" if stretch is None else barren_text(stretch, totals.visits)


def _rate(reader: CrawlReader, last: float) -> float:
    """Responses a second, over the last of them; of a finished crawl its last minute."""
    recent = reader.recent(_RATE_VISITS)
    times = [response.at for response in recent if last - response.at <= _RATE_SECONDS]
    span = last - min(times, default=last)
    return (len(times) - 1) / span if span > 0 else 0.0
