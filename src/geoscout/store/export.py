"""What a crawl found, as rows for other programs, written in any format that is installed.

Every kind of row is a flat dictionary whose keys are stable. Rows are made and written one by
one, so a crawl of any size can be exported. A format is a module with `create()`, found by its
entry point; ours are in `exporters/`, and yours can be one of them: docs/extend/plugins.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from geoscout.errors import UsageError
from geoscout.model import Point
from geoscout.plugins import load_plugin, plugin_names
from geoscout.store.base import CrawlReader, StoredReading, StoredVisit
from geoscout.store.records import date_text

GROUP = "geoscout.exporters"
_TOGETHER = 200  # pages whose places are asked for together
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExportSource:
    """What is to be written: one kind of row of a crawl."""

    reader: CrawlReader
    what: str  # a key of `ROWS`

    def rows(self) -> Iterator[Row]:
        """The rows, made one by one."""
        return ROWS[self.what](self.reader)


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: how a source is written to a stream.

    `write` raises a `UsageError` for rows that the format, or this machine, cannot have.
    """

    media_type: str  # for a browser that is sent the file
    suffix: str  # of the file's name, without the dot
    write: Callable[[ExportSource, BinaryIO], None]


def format_names() -> tuple[str, ...]:
    """Every format that is installed."""
    return plugin_names(GROUP)


def load_format(name: str) -> ExportFormat:
    """The format of a name.

    Raises:
        UsageError: there is none.
    """
    format: ExportFormat = load_plugin(GROUP, name, "format").create()
    return format


def export(reader: CrawlReader, what: str, format: str, stream: BinaryIO) -> None:
    """Write `what` (a key of `ROWS`) to a stream in the format of a name.

    Raises:
        UsageError: no such rows or format, or a format that these rows or this machine cannot
            have.
    """
    if what not in ROWS:
        raise UsageError(f"cannot export {what!r}; there are {', '.join(ROWS)}")
    load_format(format).write(ExportSource(reader, what), stream)


def visit_rows(store: CrawlReader) -> Iterator[Row]:
    """Every response, in the order of fetching."""
    for visit in store.visits():
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
            "fetched_at": date_text(visit.fetched_at),
        }


def page_rows(store: CrawlReader) -> Iterator[Row]:
    """Every page as it was last seen, with its places, the main one first."""
    for visit, reading in _with_readings(store):
        places = _places(reading)
        main = places[0] if places and places[0]["score"] else {}
        yield {
            "n": visit.n,
            "url": visit.url,
            "title": visit.title,
            "language": visit.language,
            "relevant": visit.relevant,
            "relevance": round(visit.degree, 4),
            "fetched_at": date_text(visit.fetched_at),
            "size": visit.size,
            "digest": f"sha1:{visit.digest.hex()}",
            "lat": main.get("lat"),
            "lon": main.get("lon"),
            "precision": main.get("precision"),
            "places": places,
        }


def address_rows(store: CrawlReader) -> Iterator[Row]:
    """Every address of every page."""
    for stored in store.addresses():
        address = stored.address
        yield {
            "n": stored.n,
            "url": stored.url,
            "relevant": stored.relevant,
            "text": address.text,
            "house_number": address.house_number,
            "street": address.street,
            "unit": address.unit,
            "city": address.city,
            "region": address.region,
            "postcode": address.postcode,
            "country": address.country,
            **_degrees(address.point),
            "precision": address.precision,
            "geonameid": stored.place_id if stored.place_id > 0 else None,
            "source": address.source,
            "of_site": address.of_site,
        }


def link_rows(store: CrawlReader) -> Iterator[Row]:
    """Every link of every page, in the order of the page."""
    for stored in store.links():
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


def _with_readings(store: CrawlReader) -> Iterator[tuple[StoredVisit, StoredReading]]:
    """Every page with what was found in it, asked for in groups."""
    pages = store.pages()
    while group := list(islice(pages, _TOGETHER)):
        readings = store.readings_of([page.n for page in group])
        yield from ((page, readings.get(page.n, StoredReading())) for page in group)


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


def _degrees(point: Point | None) -> Row:
    return {"lat": point and point.latitude, "lon": point and point.longitude}


ROWS: dict[str, Callable[[CrawlReader], Iterator[Row]]] = {
    "pages": page_rows,
    "addresses": address_rows,
    "links": link_rows,
    "visits": visit_rows,
}
