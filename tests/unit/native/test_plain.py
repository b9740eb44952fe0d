import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geoscout_places.parse import limits
from geoscout_places.parse.blocks import drop_marks
from geoscout_places.parse.charset import decode
from geoscout_places.parse.html import plain_page

_PIECES = st.sampled_from(
    ["<b>", "<B ", "<strong/>", "<html>", "<BODY a=1>", "</p>", "<", "&#1;", "&#x0E;", "&#20",
     "&#21;", "&#65;", "&#", "&", "\x01", "\x0e", "\x1b", "\x00", "\t",
     "é", "—", "😀", "x", " a=1", ">", "'"]
)  # fmt: skip
_TYPES = st.sampled_from(
    ["", "text/html; charset=utf-8", "text/html; charset=iso-8859-1", "text/html; charset=gb2312"]
)
_MARKUP = st.lists(_PIECES, max_size=40).map("".join)


def _by_the_long_way(body: bytes, content_type: str) -> list[bytes]:
    return limits.pieces_of(limits.tame(drop_marks(decode(body, content_type))))


def _check(body: bytes, content_type: str) -> None:
    plain = plain_page(body, content_type)
    if plain is not None:
        page, tags = plain
        pieces = limits.pieces_of(page)
        assert tags == page.count(b"<")
        assert _by_the_long_way(body, content_type) == pieces
        assert not limits.fits_in_one(page, tags) or pieces == [page]


@given(st.one_of(st.binary(max_size=60), _MARKUP.map(str.encode)), _TYPES)
@example(b"\xef\xbb\xbf<p>\xc3\xa9", "text/html; charset=gb2312")
@example(b"<p>\xc3\xa9", "text/html; charset=iso-8859-1")
@example(b"\xed\xa0\x80", "")
def test_plain_pages_are_those_that_the_long_way_leaves_alone(plain, body, content_type):
    assert plain
    _check(body, content_type)


@pytest.mark.parametrize(
    "body",
    [
        "<body>" * (limits.MOST_ROOTS + 1),
        "<b>x" * 800,
        "<p>" * (limits.MOST_TAGS + 1),
        "<p " + "a=1 " * 3000,
        "a\x02b",
        "&#000018;",
        "&#Xf",
        "<p>M\xfcnchen".encode("latin-1"),
        "<p>Ä".encode("utf-16"),
    ],
    ids=lambda body: repr(body[:12]),
)
def test_pages_that_must_be_changed_are_not_plain(plain, body):
    page = body.encode() if isinstance(body, str) else body
    assert plain
    assert plain_page(page, "") is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<",
        b"&",
        "<p>München ist schön &#8211; &#171;".encode(),
        "\ufeff<p>München".encode(),
        b"<div class=x><b>a</b></div>" * 300,
        b"<script>" + b"x " * 20_000 + b"</script>",
        b"<p>x" * (limits.MANY_TAGS + 1),
        "é".encode() * (limits.LONG_PAGE + 1),
    ],
    ids=lambda body: repr(body[:12]),
)
def test_ordinary_pages_are_plain(plain, body):
    assert plain
    assert plain_page(body, "text/html; charset=utf-8") is not None
    _check(body, "text/html; charset=utf-8")


def test_pages_of_every_length_up_to_the_limits(plain):
    for tag in (b"<b>", b"<body>", b"<i a=", b"&#x1", b"<p ", "ü".encode()):
        for count in (*range(12), limits.LONG_TAG // len(tag), 800):
            _check(tag * count, "")
    assert plain
