"""Pages read as a crawl reads them, then as the directory does."""

from collections.abc import Callable

import pytest

from geoscout_directory.page_reader import EntryReader, PlacedAddress
from geoscout_directory.records import PageEntry
from geoscout_places.geo import Geoparser
from geoscout_places.parse import parse_html
from geoscout_places.parse.document import OpenDocument

ReadHtml = Callable[..., list[PageEntry]]


@pytest.fixture(scope="session")
def geoparser(gazetteer):
    return Geoparser(gazetteer)


@pytest.fixture(scope="session")
def read_html(geoparser):
    """A function that gives the entries of a page."""

    def read(
        html: str, url: str = "http://guide.example/list", *, persons: bool = False
    ) -> list[PageEntry]:
        page = parse_html(html.encode(), url, "text/html; charset=utf-8")
        reading = geoparser.read(page)
        known = [PlacedAddress(a, a.place.id if a.place else 0) for a in reading.addresses]
        outline = OpenDocument(html.encode(), url, "text/html; charset=utf-8").outline()
        return EntryReader(geoparser.gazetteer, persons=persons).read(page, known, outline)

    return read
