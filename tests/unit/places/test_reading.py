"""A document of any type is read, judged and noted by one reader."""

import pytest
from msgspec.structs import replace

from geoscout_places.gazetteer import Region
from geoscout_places.geo import Geoparser
from geoscout_places.geo.geoparser import ReadingLimits
from geoscout_places.geo.relevance import Judge
from geoscout_places.model import Outline, Reading, RelevanceRule, SiteKnowledge
from geoscout_places.reading import Document, PageReader
from tests.pdfs import pdf_of

URL = "http://museum.example/visit"
ADDRESS = "Damm 1, 26135 Oldenburg"
MISSING = b"<title>404 Not Found</title><p>In Berlin there is no such page.</p>"


@pytest.fixture(scope="module")
def geoparser(gazetteer):
    return Geoparser(gazetteer)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (f"<p>Visit us: {ADDRESS}</p>".encode(), "text/html"),
        (f"Visit us:\r\n\r\n{ADDRESS}\r\n".encode(), "text/plain"),
        (pdf_of([(50, 700, "Visit us:"), (50, 660, ADDRESS)]), "application/pdf"),
        (f"Visit us:\n\n{ADDRESS}", ""),
    ],
    ids=["html", "text", "pdf", "string"],
)
def test_any_document_is_read_and_judged(geoparser, body, content_type):
    judge = Judge(Region.parse("Oldenburg, Germany", geoparser.gazetteer), RelevanceRule.ADDRESS)

    found = PageReader(geoparser, judge).read(Document(URL, body, content_type))

    [address] = found.reading.addresses
    assert found.page.text[address.start : address.end] == ADDRESS
    assert found.relevance.relevant


def test_only_the_beginning_of_a_huge_page_is_looked_at(gazetteer):
    reader = PageReader(Geoparser(gazetteer, limits=ReadingLimits(text=20)))

    found = reader.read(Document(URL, b"<p>A walk in Munich</p><p>and one in Hamburg</p>"))

    assert [mention.text for mention in found.reading.mentions] == ["Munich"]
    assert "Hamburg" in found.page.text
    assert "Hamburg" not in found.seen.text


def test_a_page_that_says_that_there_is_none_is_left_alone_where_that_is_asked_for(geoparser):
    document = Document(URL, MISSING)

    skipped = PageReader(geoparser, skips_missing=True).read(document)
    read = PageReader(geoparser).read(document)

    assert (skipped.is_missing, skipped.reading.mentions) == (True, ())
    assert (read.is_missing, [m.text for m in read.reading.mentions]) == (False, ["Berlin"])


def test_outlines_are_taken_of_pages_with_an_address(geoparser):
    with_address = Document(URL, f"<h2>Museum</h2><p>{ADDRESS}</p>".encode())
    without = Document(URL, b"<h2>Museum</h2><p>in Oldenburg</p>")
    reader = PageReader(geoparser, outlines=True)

    assert reader.read(with_address).outline == Outline(((2, "Museum"),))
    assert reader.read(without).outline == Outline()
    assert PageReader(geoparser).read(with_address).outline == Outline()


def test_a_document_is_judged_before_it_is_refined(geoparser):
    """What refines may answer or not, and a verdict must not depend on that."""

    def forget(reading: Reading) -> Reading:
        return replace(reading, addresses=())

    judge = Judge(None, RelevanceRule.ABOUT)  # without a region it asks for an address

    found = PageReader(geoparser, judge, refine=forget).read(Document(URL, ADDRESS))

    assert found.reading.addresses == ()
    assert found.relevance.relevant


def test_what_the_site_tells_changes_the_reading_and_not_the_verdict(geoparser):
    judge = Judge(Region.parse("Oldenburg, Germany", geoparser.gazetteer), RelevanceRule.SCOPE)
    document = Document(URL, f"<p>Opening hours</p><p>Museum, {ADDRESS}</p>".encode())
    reader = PageReader(geoparser, judge)
    alone = reader.read(document)

    on_site = reader.read(
        document, SiteKnowledge(9, repeated=frozenset(reader.notes(alone).blocks))
    )

    assert [address.of_site for address in on_site.reading.addresses] == [True]
    assert (alone.relevance, on_site.relevance.relevant) == (on_site.relevance, True)


def test_what_a_page_tells_of_its_site_helps_to_read_the_next(geoparser):
    menu = b"<ul><li>Inns in Berlin</li><li>Inns in Hamburg</li><li>Inns in Dresden</li></ul>"
    reader = PageReader(geoparser)
    notes = reader.notes(reader.read(Document(URL, menu)))

    site = SiteKnowledge(9, repeated=frozenset(notes.blocks))
    found = reader.read(Document(URL, menu + b"<p>The museum is in Dresden"), site)

    assert [m.of_site for m in found.reading.mentions] == [True, True, True, False]


def test_a_name_means_the_place_in_the_region_of_the_crawl(geoparser: Geoparser) -> None:
    text = Document(URL, b"<html lang=it><p>Le birrerie di Monaco e i musei di Monaco")
    judge = Judge(Region.parse("Munich", geoparser.gazetteer), RelevanceRule.ABOUT)

    (place, *_) = PageReader(geoparser).read(text).reading.scope
    (there, *_) = PageReader(geoparser, judge).read(text).reading.scope

    assert (place.place.country, there.place.name) == ("MC", "Munich")
