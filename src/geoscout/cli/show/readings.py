"""What the geoparser found, as JSON, as tables, and as a page to look at."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geoscout.cli.show.terminal import print_json, print_table
from geoscout.crawling.site_memory import SiteMemory
from geoscout_places import parse
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Gazetteer, Region
from geoscout_places.geo import Geoparser
from geoscout_places.geo.presenting import (
    address_as_json,
    mention_as_json,
    point_as_json,
    scope_as_json,
)
from geoscout_places.geo.relevance import is_inside
from geoscout_places.model import Address, Mention, Page, Point, Reading, ScopePlace, SiteNotes
from geoscout_places.parse.document import PDF_MARK, check_pdf, parse_pdf


@dataclass(frozen=True, slots=True)
class ReadText:
    """A page and what was found in it."""

    page: Page
    reading: Reading
    is_html: bool


class TextReader:
    """Parses documents and puts their readings into outward form."""

    def __init__(
        self, gazetteer: Gazetteer, region: Sequence[str] = (), *, strict_streets: bool = False
    ) -> None:
        self._gazetteer = gazetteer
        self._geoparser = Geoparser(gazetteer, strict_streets=strict_streets)
        self._region = Region.parse(region, gazetteer) if region else None
        self._sites = SiteMemory()
        self._notes: deque[SiteNotes] = deque()  # of the documents that were learned from

    def document(self, content: bytes, url: str = "", *, html: bool) -> ReadText:
        """Parse and read one document."""
        page = _parsed(content, url, html=html)
        return ReadText(page, self._geoparser.read(page), html or content.startswith(PDF_MARK))

    def read_line(self, given: Mapping[str, Any]) -> dict[str, object]:
        """The reading of one line of JSON lines, with what was learned of its site.

        Where lines were learned from, all of them must be read, in the same order.
        """
        page, is_html = _parsed_line(given)
        own = self._notes.popleft() if self._notes else None
        reading = self._geoparser.read(page, self._sites.recall(page.url, without=own))
        return {"id": given.get("id"), **self.as_json(ReadText(page, reading, is_html))}

    def learn_line(self, given: Mapping[str, Any]) -> None:
        """Learn of its site from one line of JSON lines."""
        page, _ = _parsed_line(given)
        notes = self._geoparser.notes(page, self._geoparser.read(page))
        self._sites.learn(page.url, notes)
        self._notes.append(notes)

    def as_json(self, document: ReadText) -> dict[str, object]:
        """The document's places; offsets are code points into its text."""
        reading = document.reading
        found: dict[str, object] = {
            "toponyms": [self._mention(mention) for mention in reading.mentions],
            "addresses": [self._address(address) for address in reading.addresses],
            "scope": [scope_as_json(place, self._gazetteer) for place in reading.scope],
        }
        if reading.points:
            found["points"] = [
                {**point_as_json(p), "source": source} for p, source in reading.points
            ]
        if document.is_html:
            found["text"] = document.page.text
        return found

    def show(self, document: ReadText, shape: str) -> None:
        """Print the document in one of the forms of `--format`."""
        if shape == "json":
            print_json(self.as_json(document))
        elif shape == "html":
            from geoscout.cli.show.highlight import render  # noqa: PLC0415

            print(render(document.page, document.reading, self._gazetteer))
        elif shape == "table":
            self._print_tables(document.reading)
        else:
            raise UsageError(f"no format is called {shape!r}")

    def _print_tables(self, reading: Reading) -> None:
        print_table(
            "about",
            ("place", "in", "share>"),
            [(s.place.name, _inside(s), f"{s.score:.0%}") for s in reading.scope],
        )
        print_table(
            "addresses",
            ("street", "number", "postcode", "city", "country", "latitude>", "longitude>", "from"),
            [
                (
                    a.street,
                    a.house_number,
                    a.postcode,
                    a.city,
                    a.country,
                    *_cells(a.point),
                    a.source,
                )
                for a in reading.addresses
            ],
        )
        print_table(
            "places",
            ("name", "place", "kind", "latitude>", "longitude>"),
            [
                (m.text, self._label(m), m.kind, *_cells(m.place.point if m.place else None))
                for m in reading.mentions
            ],
        )

    def _label(self, mention: Mention) -> str:
        return self._gazetteer.label(mention.place) if mention.place else ""

    def _mention(self, mention: Mention) -> dict[str, object]:
        found = mention_as_json(mention)
        if self._region:
            found["inside"] = bool(mention.place and self._region.contains_place(mention.place))
        return found

    def _address(self, address: Address) -> dict[str, object]:
        found = address_as_json(address)
        if self._region:
            found["inside"] = is_inside(address, self._region)
        return found


def _parsed(content: bytes, url: str, *, html: bool) -> Page:
    """A page of what a file holds.

    Raises:
        UsageError: it is a PDF, and the extra that reads it is missing.
    """
    if content.startswith(PDF_MARK):
        check_pdf()
        return parse_pdf(content, url)
    if html:
        return parse.parse_html(content, url)  # which imports the parser, and numpy with it
    return parse.parse_text(content.decode("utf-8", "replace"), url)


def _parsed_line(given: Mapping[str, Any]) -> tuple[Page, bool]:
    """The page of a line, and whether it is HTML."""
    url = str(given.get("url") or "")
    if isinstance(given.get("html"), str):
        return parse.parse_html(given["html"].encode("utf-8", "replace"), url), True
    if isinstance(given.get("text"), str):
        return parse.parse_text(given["text"], url), False
    raise TypeError("neither text nor html is there")


def _inside(scope: ScopePlace) -> str:
    return " > ".join(place.name for place in scope.path[:-1])


def _cells(point: Point | None) -> tuple[str, str]:
    return (f"{point.latitude:.4f}", f"{point.longitude:.4f}") if point else ("", "")
