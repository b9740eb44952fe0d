"""The rows of an export: every kind is flat dictionaries whose keys are stable.

Times are text here, ISO 8601 in UTC; formats with a type for times use it. `fetched_at` is when a
server sent a response, also to the archive that a crawl replays, and `visited_at` when the crawl
took it. docs/export.md explains each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from geoscout.store.base import StoredAddress, StoredReading, StoredVisit
from geoscout.store.distinct_addresses import CountedAddress, count_addresses
from geoscout.store.reader import CrawlReader
from geoscout.store.records import date_text
from geoscout_places.model import Point

Row = dict[str, Any]
_TOGETHER = 200  # pages whose places are asked for together


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rows of a kind."""

    since: float = 0.0  # only what was stored or read again since, in seconds since the epoch
    distinct: bool = False  # one row for all that is the same, with counts


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row: its columns, and how the rows are made of a crawl, since a time."""

    columns: tuple[str, ...]
    rows: Callable[[CrawlReader, float], Iterator[Row]]


def visit_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every response, in the order of the visits."""
    for visit in store.visits(since):
        yield {
            "n": visit.n,
            "url": visit.url,
            "node": visit.node,
            "status": visit.status,
            "relevant": visit.relevant,
            "relevance": round(visit.degree, 4),
            "priority": visit.priority,
            "depth": visit.depth,
            "bridge": visit.distance,
            "from": visit.parent,
            **_times(visit),
        }


def page_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every page as it was last seen, with its places, the main one first."""
    for visit, reading in _with_readings(store, since):
        places = _places(reading)
        main = places[0] if places and places[0]["score"] else {}
        yield {
            "n": visit.n,
            "url": visit.url,
            "title": visit.title,
            "language": visit.language,
            "relevant": visit.relevant,
            "relevance": round(visit.degree, 4),
            **_times(visit),
            "size": visit.size,
            "digest": f"sha1:{visit.digest.hex()}",
            "lat": main.get("lat"),
            "lon": main.get("lon"),
            "precision": main.get("precision"),
            "places": places,
        }


def address_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every address of every page."""
    for stored in store.addresses(since):
        yield {
            "n": stored.n,
            "url": stored.url,
            "relevant": stored.relevant,
            **_address(stored),
            "source": stored.address.source,
            "of_site": stored.address.of_site,
        }


def distinct_address_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every address once, those of the most sites first."""
    for counted in count_addresses(store.addresses(since)):
        yield _counted(counted)


def place_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every place of the crawl, those that most pages are about first."""
    for found in store.places(since):
        place = found.place
        yield {
            "id": place.id,
            "geonameid": place.geonames_id,
            "name": place.name,
            "kind": str(place.kind),
            "path": list(found.path),
            "country": place.country,
            **_degrees(place.point),
            "precision": place.precision,
            "population": place.population,
            "pages_mentioning": found.mentioned_by,
            "pages_about": found.about,
            "pages_mainly_about": found.main_of,
            "mentions": found.mentions,
        }


def link_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every link of every page, in the order of the page."""
    for stored in store.links(since):
        link = stored.link
        yield {
            "n": stored.n,
            "from": stored.source,
            "url": link.url,
            "anchor": link.anchor,
            "title": link.title,
            "alt": link.alt,
            "rel": " ".join(link.rel),
            "part": str(link.part),
        }


def _with_readings(store: CrawlReader, since: float) -> Iterator[tuple[StoredVisit, StoredReading]]:
    """Every page with what was found in it, asked for in groups."""
    pages = store.pages(since)
    while group := list(islice(pages, _TOGETHER)):
        readings = store.readings_of([page.n for page in group])
        yield from ((page, readings.get(page.n, StoredReading())) for page in group)


def _times(visit: StoredVisit) -> Row:
    return {
        "fetched_at": date_text(visit.answered_at),
        "visited_at": date_text(visit.fetched_at),
    }


def _places(reading: StoredReading) -> list[Row]:
    return [
        {
            "name": found.place.name,
            "path": list(found.path),
            "country": found.place.country,
            **_degrees(found.place.point),
            "precision": found.place.precision,
            "id": found.place.id,
            "geonameid": found.place.geonames_id,
            "kind": str(found.place.kind),
            "mentions": found.mentions,
            "site_mentions": found.site_mentions,
            "score": found.score,
        }
        for found in reading.places
    ]


def _address(stored: StoredAddress) -> Row:
    address = stored.address
    return {
        "text": address.text,
        **address.parts(),
        **_degrees(address.point),
        "precision": address.precision,
        "geonameid": stored.place_id if stored.place_id > 0 else None,
    }


def _counted(counted: CountedAddress) -> Row:
    return {
        **_address(counted.first),
        "pages": counted.pages,
        "sites": counted.sites,
        "relevant": counted.relevant,
        "of_site": counted.of_site,
        "n": counted.first.n,
        "url": counted.first.url,
    }


def _degrees(point: Point | None) -> Row:
    return {"lat": point and point.latitude, "lon": point and point.longitude}


# The columns are written out, because a crawl without rows has them, too.
_POINT = ("lat", "lon", "precision")
_ADDRESS = (
    "text", "house_number", "street", "unit", "city", "region", "postcode", "country", *_POINT,
    "geonameid",
)  # fmt: skip
_JUDGED = ("relevant", "relevance")
_TIMES = ("fetched_at", "visited_at")
KINDS = {
    "pages": RowKind(
        ("n", "url", "title", "language", *_JUDGED, *_TIMES, "size", "digest", *_POINT, "places"),
        page_rows,
    ),
    "addresses": RowKind(
        ("n", "url", "relevant", *_ADDRESS, "source", "of_site"), address_rows
    ),
    "places": RowKind(
        (
            "id", "geonameid", "name", "kind", "path", "country", *_POINT, "population",
            "pages_mentioning", "pages_about", "pages_mainly_about", "mentions",
        ),
        place_rows,
    ),
    "links": RowKind(
        ("n", "from", "url", "anchor", "title", "alt", "rel", "part"), link_rows
    ),
    "visits": RowKind(
        (
            "n", "url", "node", "status", *_JUDGED, "priority", "depth", "bridge", "from", *_TIMES,
        ),
        visit_rows,
    ),
}  # fmt: skip
DISTINCT = {
    "addresses": RowKind(
        (*_ADDRESS, "pages", "sites", "relevant", "of_site", "n", "url"), distinct_address_rows
    ),
}
