"""How a crawl stands, as it was committed last: what commands, web pages and the API show of it.

The harvest curve is brought up to date by reading only what is new: a crawl has up to millions of
visits and a screen a thousand columns, so visits are counted in steps, and the step doubles
whenever there are more than enough points. Why a crawl is slow is said by the causes that a user
can act on: politeness towards few hosts, servers that answer slowly, failures that are tried again,
hosts that are left alone, an empty frontier.
"""

import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from geoscout.crawling.ending import (
    BARREN,
    ENDING,
    End,
    Ending,
    barren_text,
    state_text,
    unpack_ending,
    unpack_stretch,
)
from geoscout.crawling.in_flight import ENTITY_STEP
from geoscout.crawling.options import read_crawl_options
from geoscout.frontier.base import Counts, HostState, WaitReason
from geoscout.state.base import CrawlView
from geoscout.store.base import Cursor, NodeTotals, Rest, Topic, Totals
from geoscout.store.reader import CrawlReader

_RATE_VISITS = 500  # responses over which the rate is taken
_RATE_SECONDS = 60.0


class NodeStatus(Struct, frozen=True):
    """One node of a collaborative crawl; "" is the node of any other crawl."""

    totals: NodeTotals
    waiting: int
    sent: int  # links handed to other nodes


class CrawlStatus(Struct, frozen=True, kw_only=True):
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
    times = [at for at, _ in recent if last - at <= _RATE_SECONDS]
    span = last - min(times, default=last)
    return (len(times) - 1) / span if span > 0 else 0.0


_MOST_POINTS = 600
_Drawn = tuple[int, int, int, float]  # visits, pages, relevant ones, seconds since the first


class CurveJson(Struct, frozen=True, kw_only=True):
    """Counts up to each of these numbers of responses."""

    visits: list[int]
    pages: list[int]
    relevant: list[int]
    seconds: list[float]  # since the first response
    entries: list[int]  # of the directory; empty while there is none


@dataclass
class HarvestCurve:
    """The curve of one crawl; one for all requests."""

    _step: int = 1
    _cursor: Cursor = ""  # up to which it is drawn
    _totals: Totals = field(default_factory=Totals)  # up to there
    _points: list[_Drawn] = field(default_factory=list)
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def read(self, crawl: CrawlReader) -> CurveJson:
        """The curve up to the last committed visit."""
        with self._reading:
            self._extend(crawl)
            return self._all_points()

    def totals(self, crawl: CrawlReader) -> Totals:
        """The counts up to the last committed visit."""
        with self._reading:
            self._extend(crawl)
            return self._totals

    def _extend(self, crawl: CrawlReader) -> None:
        known = self._totals
        visits, pages, relevant = known.visits, known.pages, known.relevant
        started, ended = known.first_at, known.last_at
        while (growth := crawl.growth(self._cursor))[0]:
            for step in growth[0]:
                drawn = visits // self._step
                visits, pages = visits + step.visits, pages + step.pages
                relevant, ended = relevant + step.relevant, step.at
                started = started or ended
                if visits // self._step > drawn:
                    self._add((visits, pages, relevant, round(ended - started, 2)))
            self._cursor = growth[1]
            self._totals = Totals(visits, pages, relevant, started, ended)

    def _add(self, point: _Drawn) -> None:
        self._points.append(point)
        if len(self._points) > _MOST_POINTS:
            self._step *= 2
            self._points = self._points[1::2]

    def _all_points(self) -> CurveJson:
        points, known = self._points, self._totals
        if known.visits and (not points or points[-1][0] != known.visits):
            seconds = round(known.last_at - known.first_at, 2)
            points = [*points, (known.visits, known.pages, known.relevant, seconds)]
        return CurveJson(
            visits=[point[0] for point in points],
            pages=[point[1] for point in points],
            relevant=[point[2] for point in points],
            seconds=[point[3] for point in points],
            entries=[],
        )


_HOSTS_LOOKED_AT = 2000
_RECENT = 300  # responses
_MANY = 0.5  # a share that deserves a sentence
_SLOW_SECONDS = 2.0
_FAILING_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause."""

    cause: str
    sentence: str
    share: float  # of the waiting requests, or of the recent responses; 0 to 1


class Slowness(Struct, frozen=True, rename={"response_seconds": "answer_seconds"}):
    """What the crawl waits for, and what that means."""

    waiting_for: Mapping[str, int]  # waiting requests by reason, the most first
    hosts_ready: int
    response_seconds: float  # the mean time of the last responses
    causes: Sequence[Cause]


_Waiting = tuple[HostState, str]  # a host, and what it waits for


def why_slow(crawl: CrawlView) -> Slowness:
    """The reasons for which requests wait, and sentences about the weighty ones."""
    now = time.time()
    found = (host for host in crawl.frontier.hosts(_HOSTS_LOOKED_AT) if host.waiting)
    hosts = [(host, str(host.waits_for(now)[0])) for host in found]
    reasons: Counter[str] = Counter()
    for host, reason in hosts:
        reasons[reason] += host.waiting
    seconds, failing = _recent(crawl.reader)
    return Slowness(
        dict(reasons.most_common()),
        sum(reason == WaitReason.READY for _, reason in hosts),
        round(seconds, 3),
        [*_about_frontier(hosts, reasons), *_about_servers(seconds, failing)],
    )


def _about_frontier(hosts: Sequence[_Waiting], reasons: Counter[str]) -> list[Cause]:
    total = sum(reasons.values())
    if not total:
        return [
            _cause("empty frontier", "Nothing waits: every link found has been asked for.", 1.0)
        ]
    causes = []
    largest = hosts[0][0]
    first = largest.waiting / total
    if first >= _MANY and len(hosts) > 1:
        sentence = f"{first:.0%} of what waits is on {largest.host}, asked one page at a time."
        causes.append(_cause("one host", sentence, first))
    if len(hosts) == 1:
        sentence = f"Only {largest.host} has pages left, and it is asked one page at a time."
        causes.append(_cause("one host", sentence, 1.0))
    for reason, requests in reasons.most_common():
        share = requests / total
        if reason != WaitReason.READY and share >= _MANY / 5:
            count = sum(waits_for == reason for _, waits_for in hosts)
            sentence = _SENTENCES.get(reason, f"Hosts that are not asked ({reason}): {{count:,}}.")
            causes.append(_cause(reason, sentence.format(count=count), share))
    return causes


def _about_servers(seconds: float, failing: float) -> list[Cause]:
    causes = []
    if seconds >= _SLOW_SECONDS:
        sentence = (
            f"Servers take {seconds:.1f} s for a response, and the pause after it grows with that."
        )
        causes.append(_cause("slow servers", sentence, min(1.0, seconds / 10)))
    if failing >= _FAILING_SHARE:
        sentence = f"{failing:.0%} of the recent attempts failed and are tried again later."
        causes.append(_cause("failures", sentence, failing))
    return causes


def _recent(crawl: CrawlReader) -> tuple[float, float]:
    """The mean time of the last responses, and the share of failures among the last attempts."""
    responses = crawl.recent(_RECENT)
    failures = crawl.failures_since(min((at for at, _ in responses), default=0.0))
    seconds = sum(took for _, took in responses) / max(len(responses), 1)
    return seconds, failures / max(len(responses) + failures, 1)


def _cause(cause: str, sentence: str, share: float) -> Cause:
    return Cause(cause, sentence, round(share, 3))


_SENTENCES: dict[str, str] = {
    WaitReason.BUDGET: "Hosts that have had all the requests one host may take: {count:,}.",
    WaitReason.HELD: "Hosts with only links that wait for their registrants: {count:,}.",
    WaitReason.POLITENESS: "Hosts in the pause that politeness asks for: {count:,}.",
    WaitReason.RETRY: "Hosts with only pages that failed and are tried again later: {count:,}.",
}
