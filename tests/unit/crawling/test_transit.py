"""Records arrive as they were sent."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.crawling.transit import from_bytes, to_bytes
from geoscout.model import Point
from geoscout.parse import parse_html

PAGE = b"""<html lang=en><title>Inn</title><nav><a href=/a rel=nofollow>A</a></nav>
<p>See <a href="b.html" title="the B">B</a>.<div itemscope itemtype=x><b itemprop=y>z</b></div>"""


@dataclass(frozen=True, slots=True)
class Lone:
    """A record with one field."""

    value: tuple[int, ...]


def test_page_arrives_as_it_was_sent() -> None:
    page = parse_html(PAGE, "http://inn.example/")

    assert from_bytes(to_bytes(page)) == page


def test_record_with_one_field_arrives_as_it_was_sent() -> None:
    assert from_bytes(to_bytes(Lone((1, 2)))) == Lone((1, 2))


def test_what_is_no_record_arrives_as_it_was_sent() -> None:
    sent = {"a": [1.5, None, b"x"], "b": {2, 3}}

    assert from_bytes(to_bytes(sent)) == sent


def test_what_was_one_object_is_one_again() -> None:
    point = Point(1.0, 2.0)

    one, other = from_bytes(to_bytes((point, point)))

    assert one is other
