"""A page of an archive in, its row out: one row for each page, its places and addresses inside it.

The names are those of `geoscout export`. These records are the one list of columns: JSON lines are
their fields, and the Parquet schema is made from their types. Parquet has one more, `geometry`, the
point of the main place. docs/batch.md explains each.
"""

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

from msgspec import Struct, json

from geoscout import __version__
from geoscout.batch.documents import ArchivedDocument, document_codec
from geoscout.crawling.processes import Responder
from geoscout.settings import Settings
from geoscout_places.codec import Codec, record_of
from geoscout_places.gazetteer import Gazetteer, Region, open_gazetteer
from geoscout_places.gazetteer.home import compiled_file
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge
from geoscout_places.geo.structured import stated_precision
from geoscout_places.model import (
    Address,
    Place,
    Reading,
    Relevance,
    RelevanceRule,
    SiteNotes,
    point_as_json,
)
from geoscout_places.reading import Document, PageReader, PageReading


class BatchOptions(Struct, frozen=True, kw_only=True):
    """Everything that decides what the rows of a batch say; it travels to other machines."""

    format: str  # a key of `folder.FORMATS`
    region: tuple[str, ...] = ()  # as the user wrote it; empty: relevance is not judged
    relevance: RelevanceRule
    sites: bool = False  # whether pages are read with what others tell of their sites
    pdf: bool = False  # whether PDF documents are read
    largest_page: int  # bytes after decompression; larger ones are counted and left out
    gazetteer: str  # names the gazetteer by what it was built from
    region_files: str = ""  # digest of the files that the region names; "" for none
    version: str = __version__  # of geoscout


def batch_options(
    settings: Settings,
    *,
    format: str,
    region: tuple[str, ...],
    relevance: RelevanceRule,
    sites: bool = False,
) -> BatchOptions:
    return BatchOptions(
        format=format,
        region=region,
        relevance=relevance,
        sites=sites,
        pdf=settings.pdf,
        largest_page=int(2 * settings.body_megabytes * 1_000_000),  # as for a crawl, decompressed
        gazetteer=gazetteer_key(settings),
        region_files=_digest_of_files(region),
    )


def gazetteer_key(settings: Settings) -> str:
    """The name of this machine's gazetteer: the same for the same tables, extras and imports."""
    return compiled_file(settings).stem


def _digest_of_files(region: tuple[str, ...]) -> str:
    files = [Path(text) for text in region if Path(text).is_file()]
    if not files:
        return ""
    return hashlib.blake2b(b"\0".join(f.read_bytes() for f in files), digest_size=12).hexdigest()


class PagePlace(Struct, frozen=True, gc=False):
    """A place that a page is about or mentions."""

    name: str
    path: tuple[str, ...]  # names from the continent down to the place
    country: str  # ISO 3166 alpha-2
    lat: float
    lon: float
    id: int  # the same for a place in every batch and crawl; that of GeoNames where it has one
    geonameid: int | None  # None where GeoNames has none
    kind: str
    mentions: int  # by the page itself
    site_mentions: int  # in blocks that many pages of its site have
    score: float  # share of the page's geographic weight, 0 to 1; 0 for a mere mention
    precision: str  # of the point: town or region


class PageAddress(Struct, frozen=True, gc=False):
    text: str
    house_number: str
    street: str
    unit: str
    city: str
    region: str
    postcode: str
    country: str
    lat: float | None
    lon: float | None
    geonameid: int | None  # of the city
    source: str  # "text", or where in the markup it is
    of_site: bool  # it stands in a block that many pages of its site have
    precision: str | None  # of the point: house, street, postcode, town or region


class PagePoint(Struct, frozen=True, gc=False):
    """Coordinates in the markup of a page."""

    lat: float
    lon: float
    source: str
    precision: str  # by the digits that are written


class PageRow(Struct, frozen=True, gc=False, kw_only=True):
    """A page. The columns from `place` to `precision` are its main place, or null."""

    url: str
    date: str | None  # when it was archived, ISO 8601 in UTC
    language: str | None
    title: str | None
    place: str | None = None
    path: tuple[str, ...] | None = None
    country: str | None = None
    lat: float | None = None
    lon: float | None = None
    geonameid: int | None = None
    kind: str | None = None
    score: float | None = None
    precision: str | None = None  # of lat and lon: town or region
    relevant: bool | None = None  # None without a region
    relevance: float | None = None
    places: tuple[PagePlace, ...] = ()
    addresses: tuple[PageAddress, ...] = ()
    points: tuple[PagePoint, ...] = ()
    offset: int = 0
    length: int = 0


class EncodedRow(Struct, frozen=True, gc=False):
    """A row as a line of JSON, and what is counted of it."""

    line: bytes
    addresses: int
    has_place: bool
    relevant: bool
    notes: SiteNotes | None = None  # what the page tells of its site, where that is asked for


row_codec = Codec(EncodedRow)


# As ISO 28500 has it: 2024-05-03T08:00:00Z, with or without a fraction of at most nine digits.
_DATE = re.compile(r"(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d)(?:\.\d{1,9})?Z")


class RowReader:
    """Makes rows of pages; loads what it needs once."""

    def __init__(self, options: BatchOptions, settings: Settings) -> None:
        self.gazetteer: Gazetteer = open_gazetteer(settings)
        self.region = Region.parse(options.region, self.gazetteer) if options.region else None
        judge = Judge(self.region, options.relevance) if self.region else None
        self._reader = PageReader(Geoparser(self.gazetteer), judge)

    def read(self, document: ArchivedDocument) -> tuple[PageReading, PageRow]:
        """What was read of one page, judged where there is a region, and its row."""
        source = Document(document.url, document.body, document.content_type)
        found = self._reader.read(source, document.site)
        return found, self._row(document, found)

    def notes(self, found: PageReading) -> SiteNotes:
        """What a page tells of its site."""
        return self._reader.notes(found)

    def _row(self, document: ArchivedDocument, found: PageReading) -> PageRow:
        page, reading = found.page, found.reading
        places = self._places(reading)
        return PageRow(
            url=document.url,
            date=_date(document.date),
            language=page.language or document.language or None,
            title=page.title or None,
            places=places,
            addresses=tuple(map(_address, reading.addresses)),
            points=tuple(
                PagePoint(p.latitude, p.longitude, source, stated_precision(p))
                for p, source in reading.points
            ),
            offset=document.offset,
            length=document.length,
            **(_main_columns(places[0]) if reading.scope else {}),
            **self._relevance(found.relevance),
        )

    def _relevance(self, judged: Relevance) -> dict[str, Any]:
        if self.region is None:
            return {}
        return {"relevant": judged.relevant, "relevance": round(judged.degree, 4)}

    def _places(self, reading: Reading) -> tuple[PagePlace, ...]:
        """The scope, its main place first, then what is only mentioned, the most frequent first."""
        scores = {part.place: part.score for part in reversed(reading.scope)}
        named = [m for m in reading.mentions if m.place is not None]
        mentions = Counter(m.place for m in named if not m.of_site)
        of_site = Counter(m.place for m in named if m.of_site)
        often = [place for place, _ in (*mentions.most_common(), *of_site.most_common())]
        ordered = dict.fromkeys([*(part.place for part in reading.scope), *filter(None, often)])
        return tuple(
            self._place(place, (mentions[place], of_site[place]), scores.get(place, 0.0))
            for place in ordered
        )

    def _place(self, place: Place, mentions: tuple[int, int], score: float) -> PagePlace:
        """A place with how often the page names it and how often only its site does."""
        return record_of(
            PagePlace,
            place,
            path=tuple(self.gazetteer.path(place)),
            **point_as_json(place.point),
            geonameid=place.geonames_id,
            mentions=mentions[0],
            site_mentions=mentions[1],
            score=round(score, 4),
        )


def row_responder(options: BatchOptions, settings: Settings) -> Responder:
    """A function that makes rows of packed documents in another process."""
    reader = RowReader(options, settings)

    def respond(question: bytes) -> bytes:
        found, row = reader.read(document_codec.decode(question))
        encoded = EncodedRow(
            json.encode(row) + b"\n", len(row.addresses), row.place is not None,
            bool(row.relevant), reader.notes(found) if options.sites else None,
        )  # fmt: skip
        return row_codec.encode(encoded)

    return respond


def _main_columns(main: PagePlace) -> dict[str, Any]:
    """The columns of a page that tell its main place."""
    names = ("path", "country", "lat", "lon", "geonameid", "kind", "score", "precision")
    return {"place": main.name, **{name: getattr(main, name) for name in names}}


def _address(address: Address) -> PageAddress:
    city = address.place.geonames_id if address.place else None
    return record_of(PageAddress, address, **point_as_json(address.point), geonameid=city)


def _date(text: str) -> str | None:
    """A date in whole seconds; None for anything else, which Parquet could not take."""
    match = _DATE.fullmatch(text)
    return f"{match[1]}Z" if match else None
