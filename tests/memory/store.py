"""The facts of a crawl in lists: a writer, and a reader of what was committed."""

from __future__ import annotations

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

from msgspec.structs import replace

from geoscout.errors import DamagedDataError, UsageError
from geoscout.model import (
    Address,
    Link,
    OnProgress,
    Place,
    Point,
    Request,
    RequestKind,
    Response,
)
from geoscout.store.base import (
    ArchiveDamage,
    Change,
    Failure,
    LinksTo,
    PageHistory,
    PlaceCounts,
    StoredAddress,
    StoredLink,
    StoredPlace,
    StoredReading,
    StoredVisit,
    Topic,
    Visit,
)
from geoscout.store.damage import read_all_responses
from geoscout.store.figures import Growth, MappedPage, MappedPages, NodeTotals, Recent, Step, Totals
from geoscout.store.records import Exchange, pack_exchange
from geoscout.urls import normalise

SMALL = ("city", "neighbourhood", "landmark")


@dataclass
class Facts:
    """Everything a crawl knows; visit 1 is the first of the list."""

    visits: list[Visit] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)
    tally: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    notes: dict[str, str] = field(default_factory=dict)
    learned: bytes = b""
    sites: dict[str, bytes] = field(default_factory=dict)
    archive: list[bytes] = field(default_factory=list)
    times: list[float] = field(default_factory=list)  # of the changes

    def copy(self) -> Facts:
        tally: dict[str, Counter[str]] = defaultdict(Counter)
        tally.update({topic: counts.copy() for topic, counts in self.tally.items()})
        return Facts(
            self.visits[:],
            self.failures[:],
            self.changes[:],
            tally,
            dict(self.notes),
            learned=self.learned,
            sites=dict(self.sites),
            archive=self.archive[:],
            times=self.times[:],
        )


class MemoryWriter:
    """Implements `CrawlWriter`."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        exchange = exchange or pack_exchange(visit.response, "geoscout")
        self._facts.visits.append(visit)
        self.add_change(len(self._facts.visits))
        self._facts.archive.append(exchange.response + exchange.request)
        return len(self._facts.visits)

    def add_failure(self, failure: Failure) -> None:
        self._facts.failures.append(failure)
        self._facts.tally[Topic.FAILURE][failure.kind] += 1

    def add_change(self, n: int) -> None:
        self._facts.changes.append(n)
        self._facts.times.append(time.time())

    def count_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        self._facts.tally[topic].update(counts)

    def set_note(self, name: str, value: str) -> None:
        self._facts.notes[name] = value

    def keep_model(self, value: bytes) -> None:
        self._facts.learned = value or self._facts.learned

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        for name, packed in sites.items():
            self._facts.sites.pop(name, None)
            if packed:
                self._facts.sites[name] = packed

    async def seen(self, request: Request) -> Response | None:
        if request.kind != RequestKind.REVISIT:
            return None
        reader = MemoryReader(lambda: self._facts, lambda: True)
        pages = [visit for visit in reader.visits_of(request.url) if visit.is_page]
        return reader.response(pages[-1].n) if pages else None


class MemoryReader:
    """Implements `CrawlReader`; what it reads is asked for again each time."""

    def __init__(self, facts: Callable[[], Facts], is_running: Callable[[], bool]) -> None:
        self._of = facts
        self._is_running = is_running

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open."""

    def visits(self, since: float = 0.0) -> Iterator[StoredVisit]:
        yield from sorted(self._changed(self._stored(), since), key=_time)

    def pages(self, since: float = 0.0) -> Iterator[StoredVisit]:
        answered = (visit for visit in self.visits() if visit.status != 304)
        last = {visit.url: visit for visit in answered}
        pages = [visit for visit in last.values() if visit.is_page]
        yield from sorted(self._changed(pages, since), key=_time)

    def _changed(self, visits: Iterable[StoredVisit], since: float) -> Iterator[StoredVisit]:
        """Those that were stored or read again since a time."""
        changes = zip(self._facts.changes, self._facts.times, strict=True)
        changed = {n for n, at in changes if at >= since}
        return (visit for visit in visits if visit.n in changed)

    def pages_of(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        return {page.url: page for page in self.pages() if page.url in urls}

    def histories(self) -> Iterator[PageHistory]:
        for page in sorted(self.pages(), key=lambda page: page.url):
            visits = self.visits_of(page.url)
            texts = [visit.simhash for visit in visits if visit.status != 304]
            yield PageHistory(
                page.url,
                len(visits),
                sum(one != other for one, other in pairwise(texts)),
                first_at=visits[0].fetched_at,
                last_at=visits[-1].fetched_at,
                relevant=page.relevant,
            )

    def lists(self) -> Iterator[str]:
        found = (v for v in self.visits() if v.status == 200 and not v.is_page and v.size)
        yield from sorted({visit.url for visit in found})

    def pages_asked_until(self, at: float) -> Iterator[StoredVisit]:
        asked = {visit.url: visit.fetched_at for visit in self.visits()}
        yield from (page for page in self.pages() if asked[page.url] <= at)

    def visit(self, n: int) -> StoredVisit | None:
        return next((visit for visit in self._stored() if visit.n == n), None)

    def visits_of(self, url: str) -> list[StoredVisit]:
        return [visit for visit in self.visits() if visit.url == url]

    def last_visits(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        return {visit.url: visit for visit in self.visits() if visit.url in urls}

    def addresses(self, since: float = 0.0) -> Iterator[StoredAddress]:
        for page in self.pages(since):
            yield from self.addresses_of(page.n)

    def addresses_of(self, n: int) -> list[StoredAddress]:
        visit = self._visit(n)
        if visit is None or visit.reading is None:
            return []
        return [
            StoredAddress(
                n,
                visit.request.url,
                visit.relevant,
                replace(address, place=None),
                address.place.id if address.place else 0,
            )
            for address in visit.reading.addresses
        ]

    def places(self, since: float = 0.0) -> Iterator[PlaceCounts]:
        found: dict[int, list[StoredPlace]] = defaultdict(list)
        for page in self.pages(since):
            for place in self.places_of(page.n):
                if place.mentions or place.score:
                    found[place.place.id].append(place)
        counts = [
            PlaceCounts(
                of[0].place,
                max((one.path for one in of), key=len),
                sum(one.mentions > 0 for one in of),
                sum(one.score > 0 for one in of),
                sum(bool(one.is_main) for one in of),
                mentions=sum(one.mentions for one in of),
            )
            for of in found.values()
        ]
        yield from sorted(counts, key=lambda c: (-c.about, -c.main_of, -c.mentioned_by, c.place.id))

    def places_of(self, n: int) -> list[StoredPlace]:
        visit = self._visit(n)
        if visit is None or visit.reading is None:
            return []
        reading = visit.reading
        named = [mention for mention in reading.mentions if mention.place is not None]
        places = {m.place.id: m.place for m in named if m.place and m.place.id}
        places |= {part.place.id: part.place for part in reading.scope}
        known = {p.id: p for part in reading.scope for p in part.path}
        known |= {**places, **{p.id: p for p in reading.around}}
        main = reading.scope[0].place.id if reading.scope else 0
        found = [
            StoredPlace(
                place,
                _path(place, known),
                sum(m.place == place for m in named if not m.of_site),
                max((m.confidence for m in named if m.place == place), default=0.0),
                next((part.score for part in reading.scope if part.place == place), 0.0),
                is_main=place.id == main,
                site_mentions=sum(m.place == place for m in named if m.of_site),
            )
            for place in places.values()
        ]
        return sorted(
            found, key=lambda p: (not p.is_main, -p.score, -p.mentions, -p.confidence, p.place.id)
        )

    def points_of(self, n: int) -> list[tuple[Point, str]]:
        visit = self._visit(n)
        return list(visit.reading.points) if visit and visit.reading else []

    def readings_of(self, visits: Collection[int]) -> dict[int, StoredReading]:
        found = {
            n: StoredReading(self.places_of(n), self.addresses_of(n), self.points_of(n))
            for n in visits
        }
        return {n: of for n, of in found.items() if of.places or of.addresses or of.points}

    def entries_of(self, visits: Collection[int]) -> dict[int, bytes]:
        found = {
            n: visit.reading.entries for n in visits if (visit := self._visit(n)) and visit.reading
        }
        return {n: packed for n, packed in found.items() if packed is not None}

    def links(self, since: float = 0.0) -> Iterator[StoredLink]:
        for page in self.pages(since):
            for link in self.links_of(page.n):
                yield StoredLink(page.n, page.url, link)

    def links_of(self, n: int) -> list[Link]:
        visit = self._visit(n)
        if visit is None or visit.page is None:
            return []
        return [replace(link, before="", after="", tag_path="") for link in visit.page.links]

    def links_to(self, url: str, most: int, until: float) -> LinksTo:
        numbers = [visit.n for visit in self._stored() if self.links_of(visit.n)]
        found: dict[str, None] = {}
        looked_at = 0
        for n in numbers:
            if time.monotonic() > until or len(found) >= most:
                break
            looked_at += 1
            if any(normalise(link.url) == url for link in self.links_of(n)):
                found[self._facts.visits[n - 1].request.url] = None
        return LinksTo(tuple(found), looked_at, len(numbers))

    def changes(self, after: str = "", limit: int = 1000) -> list[Change]:
        first = _position(after)
        changes = enumerate(self._facts.changes[first : first + limit], first + 1)
        return [
            Change(f"at {position}", n, self._facts.visits[n - 1].request.url)
            for position, n in changes
        ]

    def changes_left(self, after: str = "") -> int:
        return len(self._facts.changes) - _position(after)

    def last_change(self) -> str:
        return f"at {len(self._facts.changes)}" if self._facts.changes else ""

    def tally(self, topic: Topic) -> dict[str, int]:
        counts = self._facts.tally.get(topic, Counter())
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def note(self, name: str) -> str | None:
        return self._facts.notes.get(name)

    def model(self) -> bytes:
        return self._facts.learned

    def site(self, name: str) -> bytes:
        return self._facts.sites.get(name, b"")

    def sites(self) -> Iterator[tuple[str, bytes]]:
        yield from self._facts.sites.items()

    def response(self, n: int) -> Response:
        visit = self._visit(n)
        if visit is None:
            raise DamagedDataError(f"there is no visit {n}")
        response = visit.response
        length = ("content-length", str(len(response.body)))
        return replace(response, headers=(*response.headers, length))

    def responses(self, visits: Collection[int]) -> Iterator[tuple[int, Response]]:
        yield from ((n, self.response(n)) for n in visits if self._visit(n) is not None)

    def archive_files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        yield "memory.warc.gz", iter(self._facts.archive)

    def damage(self, progress: OnProgress) -> ArchiveDamage:
        return read_all_responses(self, progress)

    def is_running(self) -> bool:
        return self._is_running()

    def totals(self) -> Totals:
        visits = self._stored()
        times = [visit.fetched_at for visit in visits]
        pages, relevant = sum(v.is_page for v in visits), sum(v.relevant for v in visits)
        first, last = min(times, default=0.0), max(times, default=0.0)
        degrees = sum(visit.degree for visit in visits)
        return Totals(len(visits), pages, relevant, first, last, degrees=degrees)

    def growth(self, after: str = "", limit: int = 10_000) -> Growth:
        first = _position(after)
        visits = self._stored()[first : first + limit]
        steps = [Step(1, int(v.is_page), int(v.relevant), v.fetched_at) for v in visits]
        return Growth(steps, f"at {first + len(visits)}" if visits else after)

    def nodes(self) -> list[NodeTotals]:
        by_node: dict[str, list[StoredVisit]] = defaultdict(list)
        for visit in self._stored():
            by_node[visit.node].append(visit)
        return [
            NodeTotals(node, len(of), sum(v.is_page for v in of), sum(v.relevant for v in of))
            for node, of in sorted(by_node.items())
        ]

    def sightings(self, after: str = "", limit: int = 1000) -> MappedPages:
        first = _position(after)
        pages = [v for v in self._stored() if v.is_page and v.n > first][:limit]
        found = [
            MappedPage(page.n, page.url, page.title, page.relevant, point)
            for page in pages
            if (point := self._point(page.n)) is not None
        ]
        return MappedPages(found, f"at {pages[-1].n}" if pages else after, len(pages) == limit)

    def recent(self, limit: int) -> list[Recent]:
        return [Recent(v.fetched_at, v.seconds) for v in reversed(self._stored())][:limit]

    def failures_since(self, at: float) -> int:
        return sum(failure.at >= at for failure in self._facts.failures)

    @property
    def _facts(self) -> Facts:
        return self._of()

    def _visit(self, n: int) -> Visit | None:
        return self._facts.visits[n - 1] if 0 < n <= len(self._facts.visits) else None

    def _stored(self) -> Sequence[StoredVisit]:
        return [_stored(n, visit) for n, visit in enumerate(self._facts.visits, 1)]

    def _point(self, n: int) -> Point | None:
        """An address first, then coordinates in the markup, then a town the page is about."""
        visit = self._visit(n)
        reading = visit.reading if visit else None
        if reading is None:
            return None
        placed = [_where(address) for address in reading.addresses if not address.of_site]
        stated = [point for point, _ in reading.points]
        towns = [part.place.point for part in reading.scope if part.place.kind in SMALL]
        of_site = map(_where, reading.addresses)
        return next((point for point in (*placed, *stated, *towns, *of_site) if point), None)


def _stored(n: int, visit: Visit) -> StoredVisit:
    request, response, page = visit.request, visit.response, visit.page
    return StoredVisit(
        n=n,
        url=request.url,
        node=request.node,
        status=response.status,
        relevant=visit.relevant,
        priority=request.priority,
        depth=request.depth,
        distance=request.distance,
        parent=request.parent,
        fetched_at=response.fetched_at,
        seconds=response.seconds,
        address=response.address,
        size=len(response.body),
        title=page.title if page else "",
        language=page.language if page else "",
        digest=hashlib.sha1(response.body, usedforsecurity=False).digest(),
        simhash=visit.simhash,
        is_page=page is not None,
        noindex=visit.noindex,
        degree=visit.degree,
        captured_at=response.captured_at,
    )


def _where(address: Address) -> Point | None:
    return address.point or (address.place.point if address.place else None)


def _time(visit: StoredVisit) -> tuple[float, int]:
    return visit.fetched_at, visit.n


def _path(place: Place, known: Mapping[int, Place]) -> tuple[str, ...]:
    names = [place.name]
    while (above := known.get(place.parent)) is not None:
        place = above
        names.append(place.name)
    return tuple(reversed(names))


def _position(cursor: str) -> int:
    if cursor and not cursor.startswith("at "):
        raise UsageError(f"{cursor!r} is not a position in this crawl")
    return int(cursor.removeprefix("at ") or 0)
