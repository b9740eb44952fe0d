"""What a reader makes of a response."""

from __future__ import annotations

from geoscout.crawling.read import read_page
from geoscout.model import Response
from geoscout.store.records import unpack_links

HTML = b"""<html lang=en><title>The Inn</title><nav><a href=/menu>Menu</a></nav>
<p>We are in Austin, Texas. <a href="http://far.example/" rel=nofollow>Far</a></p>
<address>12 Main Street, Austin, TX 78701</address>"""
NOTHING = b"<title>404 Not Found</title><p>There is no such page."


def respond(body: bytes, url: str = "http://inn.example/") -> Response:
    return Response(
        url, 200, (("content-type", "text/html"),), body, "192.0.2.1", fetched_at=1e9, seconds=0.1
    )


def test_page_with_an_address_in_the_region_is_relevant(reader):
    result = reader.read(respond(HTML))

    assert result.relevant
    assert result.reading is not None
    assert [address.postcode for address in result.reading.addresses] == ["78701"]


def test_links_that_may_be_followed_are_given_and_the_others_counted(reader):
    result = reader.read(respond(HTML))

    assert [link.url for link in result.links] == ["http://inn.example/menu"]
    assert result.refused == {"nofollow": 1}


def test_all_links_are_packed_for_the_store(reader):
    result = reader.read(respond(HTML))

    packed = result.exchange.links
    assert packed.number == 2
    assert [link.anchor for link in unpack_links(packed.packed)] == ["Menu", "Far"]


def test_page_keeps_its_text_and_not_what_only_reading_needs(reader):
    result = reader.read(respond(HTML))
    whole = read_page(respond(HTML)).page

    assert (result.page.title, result.page.text) == (whole.title, whole.text)
    assert (result.page.blocks, result.page.links) == ((), ())


def test_page_that_says_it_is_missing_is_none(reader):
    result = reader.read(respond(NOTHING))

    assert result.missing
    assert result.page is None
