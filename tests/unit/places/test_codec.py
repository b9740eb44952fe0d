import pytest

from geoscout_places.codec import Codec
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import Link, Page, Point
from geoscout_places.parse import parse_html

HTML = b"""<html lang=en><title>Inn</title><nav><a href=/a rel=nofollow>A</a></nav>
<p>See <a href="b.html" title="the B">B</a>.<div itemscope itemtype=x><b itemprop=y>z</b></div>"""


def test_page_is_decoded_as_it_was_encoded():
    page, pages = parse_html(HTML, "http://inn.example/"), Codec(Page)

    assert pages.decode(pages.encode(page)) == page


def test_several_records_are_decoded_as_they_were_encoded():
    links, codec = (
        (Link("http://a.example/", "A"), Link.to("http://b.example/")),
        Codec(tuple[Link, ...]),
    )

    assert codec.decode(codec.encode(links)) == links


@pytest.mark.parametrize(
    "packed",
    [b"", b"\xc1", b"\x92\x01", Codec(Link).encode(Link("u")), b"\xa1\xff", b"\x80\x80"],
    ids=["nothing", "never used", "cut off", "another record", "not UTF-8", "more behind it"],
)
def test_bytes_that_hold_something_else_are_refused(packed):
    with pytest.raises(DamagedDataError, match="not a"):
        Codec(Point).decode(packed)
