"""Headings and dialled links of a page."""

import pytest

from geoscout_places.model import Outline
from geoscout_places.parse.document import OpenDocument, feeds_of


def test_headings_come_with_their_levels():
    html = b"<h1>Corner <em>Inn</em></h1><p><b>Hours</b></p><h3>Address</h3>"

    assert OpenDocument(html, "http://a.example/").outline().headings == (
        (1, "Corner Inn"),
        (7, "Hours"),
        (3, "Address"),
    )


def test_dialled_links_are_given_once():
    html = (
        b'<a href="tel:+49%2089%2023">x</a><a href="TEL:+49 89 23">y</a>'
        b'<a href="mailto:a@b.example?subject=s">z</a>'
    )

    outline = OpenDocument(html, "http://a.example/").outline()

    assert outline.phones == ("+49 89 23",)
    assert outline.mails == ("a@b.example",)


def test_any_bytes_are_a_page():
    assert OpenDocument(b"\xff\x00<<<", "http://a.example/").outline() == Outline()


PAGE = "http://a.example/news/"
RSS = '<link rel="alternate" type="application/rss+xml" title="News" href="{}">'


@pytest.mark.parametrize(
    "link",
    [
        RSS.format("feed.xml"),
        "<LINK TYPE='application/atom+xml' HREF='feed.xml' REL='home alternate'/>",
        "<link href=feed.xml rel=alternate type=application/rss+xml>",
    ],
)
def test_feed_is_found_however_it_is_written(link):
    assert feeds_of(f"<head>{link}</head>".encode(), PAGE) == ("http://a.example/news/feed.xml",)


@pytest.mark.parametrize(
    "link",
    [
        "<link rel=stylesheet href=a.css>",
        '<link rel="alternate" type="text/html" hreflang="de" href="/de">',
        '<link rel="self" type="application/rss+xml" href="/feed">',
        RSS.format("javascript:x"),
        RSS.format("/comments/feed/"),
        "<a type='application/rss+xml' href=/feed>",
    ],
)
def test_other_links_are_not_feeds(link):
    assert feeds_of(f"<head>{link}<p>application/rss+xml</p>".encode(), PAGE) == ()


def test_each_feed_is_named_once_and_few_are_taken():
    links = "".join(RSS.format(f"/{n % 5}") for n in range(20))

    assert feeds_of(links.encode(), PAGE) == tuple(f"http://a.example/{n}" for n in range(3))


def test_hostile_bytes_take_no_time():
    body = b"application/rss+xml" + b"<link " * 20_000 + b"rel = " * 20_000

    assert feeds_of(body, PAGE) == ()
