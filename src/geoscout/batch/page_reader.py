"""A page of an archive in, its row out."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from msgspec import json

from geoscout.batch.documents import ArchivedDocument, document_codec
from geoscout.batch.options import BatchOptions
from geoscout.batch.rows import EncodedRow, PageAddress, PagePlace, PagePoint, PageRow, row_codec
from geoscout.crawling.processes import Responder
from geoscout.settings import Settings
from geoscout_places.gazetteer import Gazetteer, Region, open_gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge
from geoscout_places.geo.structured import stated_precision
from geoscout_places.model import Address, Page, Place, Reading, SiteNotes
from geoscout_places.parse import parse_document

# As ISO 28500 has it: 2024-05-03T08:00:00Z, with or without a fraction of at most nine digits.
_DATE = re.compile(r"(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d)(?:\.\d{1,9})?Z")


class PageReader:
    """Makes rows of pages; loads what it needs once."""

    def __init__(self, options: BatchOptions, settings: Settings) -> None:
        self.gazetteer: Gazetteer = open_gazetteer(settings)
        self._geoparser = Geoparser(self.gazetteer)
        self.region = Region.parse(options.region, self.gazetteer) if options.region else None
        self._takes_notes = options.sites
        self._judge = Judge(self.region, options.relevance) if self.region else None

    def read(self, document: ArchivedDocument) -> PageRow:
        """Parse and geoparse one page, and judge it where there is a region."""
        return self.read_with_notes(document)[0]

    def read_with_notes(self, document: ArchivedDocument) -> tuple[PageRow, SiteNotes | None]:
        """The row of a page, and what the page tells of its site, where that is asked for."""
        page, reading, row = self.look(document)
        notes = self._geoparser.notes(page, reading) if self._takes_notes else None
        return row, notes

    def look(self, document: ArchivedDocument) -> tuple[Page, Reading, PageRow]:
        """The page, what was found in it, and its row."""
        page = parse_document(document.body, document.url, document.content_type)
        reading = self._geoparser.read(page, document.site)
        return page, reading, self._row(document, page, reading)

    def _row(self, document: ArchivedDocument, page: Page, reading: Reading) -> PageRow:
        return PageRow(
            url=document.url,
            date=_date(document.date),
            language=page.language or document.language or None,
            title=page.title or None,
            places=self._places(reading),
            addresses=tuple(map(_address, reading.addresses)),
            points=tuple(
                PagePoint(p.latitude, p.longitude, source, stated_precision(p))
                for p, source in reading.points
            ),
            offset=document.offset,
            length=document.length,
            **self._main_place(reading),
            **self._relevance(page, reading),
        )

    def _main_place(self, reading: Reading) -> dict[str, Any]:
        if not reading.scope:
            return {}
        main = reading.scope[0]
        return {
            "place": main.place.name,
            "path": tuple(self.gazetteer.path(main.place)),
            "country": main.place.country,
            "lat": main.place.point.latitude,
            "lon": main.place.point.longitude,
            "geonameid": main.place.geonames_id,
            "kind": str(main.place.kind),
            "score": round(main.score, 4),
            "precision": str(main.place.precision),
        }

    def _relevance(self, page: Page, reading: Reading) -> dict[str, Any]:
        if self._judge is None:
            return {}
        judged = self._judge.judge(page, reading)
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
        return PagePlace(
            place.name, tuple(self.gazetteer.path(place)), place.country,
            lat=place.point.latitude, lon=place.point.longitude,
            id=place.id, geonameid=place.geonames_id, kind=str(place.kind),
            mentions=mentions[0], site_mentions=mentions[1], score=round(score, 4),
            precision=place.precision,
        )  # fmt: skip


def row_responder(options: BatchOptions, settings: Settings) -> Responder:
    """A function that makes rows of packed documents in another process."""
    reader = PageReader(options, settings)

    def respond(question: bytes) -> bytes:
        row, notes = reader.read_with_notes(document_codec.decode(question))
        found = EncodedRow(
            json.encode(row) + b"\n", len(row.addresses), row.place is not None,
            bool(row.relevant), notes,
        )  # fmt: skip
        return row_codec.encode(found)

    return respond


def _address(address: Address) -> PageAddress:
    point, place = address.point, address.place
    return PageAddress(
        text=address.text,
        **address.parts(),
        lat=point.latitude if point else None,
        lon=point.longitude if point else None,
        geonameid=place.geonames_id if place else None,
        source=address.source,
        of_site=address.of_site,
        precision=address.precision,
    )


def _date(text: str) -> str | None:
    """A date in whole seconds; None for anything else, which Parquet could not take."""
    match = _DATE.fullmatch(text)
    return f"{match[1]}Z" if match else None
