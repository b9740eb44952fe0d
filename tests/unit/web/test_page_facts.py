"""What the view of a page says of it agrees with what made the page relevant."""

import asyncio
from pathlib import Path

import pytest

from geoscout.crawling.options import NOTE, CrawlOptions, to_note
from geoscout.state.base import Beginning, create_state
from geoscout.store.base import Visit
from geoscout.web.page_facts import PageJson, page_json
from geoscout.web.site import ServedCrawl, Site
from geoscout_places.gazetteer import Region
from geoscout_places.geo.relevance import Judge
from geoscout_places.model import Address, Page, Point, Reading, Request, Response
from tests.pdfs import pdf_of

URL = "http://a.example/"
REGION = "Lisbon, New Hampshire"
BY_POSTCODE = Address(
    start=0,
    end=20,
    text="PO Box 1, NH 03585",
    house_number="",
    street="",
    unit="",
    city="",
    region="NH",
    postcode="03585",
    country="US",
    point=None,
    place=None,
    source="text",
)


HTML = ("text/html", b"<p>Hello")


def shown(folder: Path, reading: Reading, site: Site, sent: tuple[str, bytes] = HTML) -> PageJson:
    """The view of a page with this reading, which the crawl judged itself."""
    options = CrawlOptions(region=(REGION,), relevance="address")
    state = create_state(folder, Beginning(notes={NOTE: to_note(options)}))
    headers = (("content-type", sent[0]),)
    response = Response(URL, 200, headers, sent[1], "", fetched_at=1e9, seconds=0.1)
    region = Region.parse(REGION, site.gazetteer)
    relevant = Judge(region, options.relevance).judge(Page.empty(URL), reading).relevant
    state.writer.add(Visit(Request(URL), response, Page.empty(URL), reading, relevant=relevant))
    asyncio.run(state.commit())
    state.close()
    crawl = ServedCrawl("lisbon", str(folder), site.gazetteer, site.settings)
    with crawl.open() as opened:
        (visit,) = opened.reader.visits()
        return page_json(crawl, opened.reader, visit, site)


def test_an_address_that_only_its_postcode_places_is_inside(tmp_path, site):
    page = shown(tmp_path / "crawl", Reading((BY_POSTCODE,), (), (), ()), site)

    assert page.why[0].startswith("It is relevant: it has the address “PO Box 1, NH 03585” in")
    assert page.addresses[0].inside is True
    assert "It has no address in Lisbon, New Hampshire." not in page.why


def test_a_point_in_the_markup_is_told(tmp_path, site):
    point = Point(44.213, -71.911)
    page = shown(tmp_path / "crawl", Reading((), (), ((point, "geo"),), ()), site)

    assert page.why[0].startswith("It is relevant: its markup states a point in Lisbon")
    assert any("states a point in" in sentence for sentence in page.why)


LARGE_PDF = pdf_of([(50, 700, "Rua 1")], [(50, 700, "x " * 600_000)])


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (("application/pdf", pdf_of([(50, 700, "Rua 1"), (50, 600, "Lisbon")])), "Rua 1\n\nLisbon"),
        (("", pdf_of([(50, 700, "Rua 1")])), "Rua 1"),
        (("application/pdf", LARGE_PDF), "Rua 1"),
        (("text/plain", b"1 < 2\nLisbon"), "1 < 2\nLisbon"),
    ],
)
def test_a_document_is_read_by_its_type(tmp_path, site, sent, text):
    page = shown(tmp_path / "crawl", Reading((), (), (), ()), site, sent)

    assert page.text.strip().startswith(text)


def test_menus_and_what_the_site_repeats_are_told_from_the_text(client):
    page = client.get("/api/page", params={"url": "http://bikes.example/"}).json()

    menus = [page["text"][start:end] for start, end in page["menus"]]

    assert menus == ["Home\nPrices\nContact", "Imprint"]
