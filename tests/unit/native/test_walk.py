"""The compiled walk reads every page as the walk in Python does."""

import ctypes
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from geoscout_places.model import Page
from geoscout_places.parse import compiled, parse_html
from geoscout_places.parse.blocks import drop_marks
from geoscout_places.parse.html import markup_of, tree_of, walked_page
from geoscout_places.parse.limits import MOST_TAGS, tame
from tests.unit.places.parse.test_limits import HOSTILE, page_of

_URL = "http://example.org/rooms/index.html"
_NAMES = (
    "a a a b p div div span span td tr table ul li nav header footer main article aside address "
    "pre br img h1 title meta link base area iframe frame frameset noframes script style svg math "
    "template textarea select option noscript plaintext xmp dialog label time data center dl dt dd "
    "x-foo a-name-that-is-much-longer-than-any-that-a-page-has body html head mi hr tbody th"
).split()
_ATTRIBUTES = (
    'href=/x|href="y z"|href=|href|src=/f|alt="A b"|title="T t"|rel=nofollow|rel="Canonical  x"|'
    "role=navigation|role=main|role=x|id=header|id=content|class='nav foo'|class=site-footer|"
    "class=vcard|hidden|style=display:none|style='DISPLAY : None'|style='visibility:hidden'|"
    "style=color:none|style='di\u017fplay:none'|open|name=description|property=og:title|"
    "content='0; url=/r'|content=5|http-equiv=Refresh|itemscope|itemprop=name|typeof=Place|"
    "lang=de|type=application/ld+json|src=/staticmap?center=1,2|href=#f|href=../up|href=http://a.example/b|href=https://a.example/./b|"
    "href=//h.example/|href=?q=1|href=a/../b|href=/a/..|href=..|href=mailto:x@y|href=/a\\\\b|"
    "href=/maps?q=1,2|href=geo:1,2|property=name|href=/a:b|href=a:b|href='/é'|href=HTTP://A/b"
).split("|")
_TEXTS = (
    "word|two words| |  |\n|\t|a b\nc|\xa0|\u2003x|\xadsoft|\u200b|\ufeff|x\u2060y|é|😀|_|1|.|,|"
    "&amp;|&nbsp;|&lt;b&gt;|\x0c|\x1c|\x85|\u2028|\r\n|&#0;|<|</|<!|<!-- c -->|<![CDATA[x]]>|"
    f"<?pi?>|\x7f|Ⅷ|²|中文|{'x' * 70}|{'lorem ipsum ' * 40}"
).split("|")
_TAGS = st.builds(
    lambda name, attributes: f"<{' '.join([name, *attributes])}>",
    st.sampled_from(_NAMES),
    st.lists(st.sampled_from(_ATTRIBUTES), max_size=3),
)
_MARKUP = st.lists(
    st.one_of(_TAGS, st.sampled_from(_NAMES).map("</{}>".format), st.sampled_from(_TEXTS)),
    max_size=60,
).map("".join)


def _trees(html: str) -> Iterator[LexborHTMLParser]:
    html = drop_marks(html.removeprefix("\ufeff"))  # which says at the beginning: this is Unicode
    yield LexborHTMLParser(tame(html), options=lexbor.LexborDocumentOptions.WO_EVENTS)


def _check(html: str) -> None:
    assert parse_html(html.encode(), _URL) == walked_page(_trees(html), _URL)


@settings(max_examples=400, deadline=None)
@given(_MARKUP)
@example('<p>München<a hidden></a><a href="/x">soft</a>')
@example("<p><a href=/x hidden>a</a><a href=/y>b</a>")
@example("word<html class=vcard>")
@example("<pre>a\n\nb <a href=x>\n</a></pre>")
@example("<nav><a href=x>a<div>b</a>c</div></nav>")
@example("<span>a</span><span></span><span>b</span>")
def test_compiled_walk_is_that_of_python(walk, html):
    assert walk
    _check(html)


@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE.keys())
def test_compiled_walk_of_hostile_pages(walk, pattern):
    assert walk
    html = page_of(pattern, 6000).decode()
    assert html.count("<") < MOST_TAGS
    _check(html)


def test_windows_of_links_in_long_texts(walk):
    assert walk
    for word in ("ab ", "Größe ", "x" * 390 + " ", "中" * 500, "a\n"):
        for count in (1, 24, 25, 26, 60, 200):
            _check(f"<p>{word * count}<a href=x>link</a> {word * count}<a href=y>{word}</a>")


def _content(html: str) -> Page | None:
    return compiled.read_compiled(_trees(html), _URL)


def test_pages_in_pieces_are_read_as_by_python(walk):
    head = "<html lang=de><title>Inn</title><base href=/b/><meta name=a content=b>"
    part = "<nav><a href=x{0}>Größe {0}</a></nav><p itemscope><b itemprop=name>n{0}</b> word<p>"
    meta = "<meta http-equiv=refresh content='0; url=/r'><meta name=geo.region content=DE-BY>"
    body = (head + "".join(map((part + meta).format, range(1500)))).encode()
    pieces = markup_of(body, _URL, "")
    assert walk
    assert len(pieces) > 2
    page = parse_html(body, _URL)
    assert page == walked_page(map(tree_of, pieces), _URL)
    assert (page.title, page.language, len(page.links)) == ("Inn", "de", 3000)


def test_endless_names_and_paths_are_cut(walk):
    assert walk
    html = f"<x{'é' * 50}>" * 60 + "<a href=x>"
    content = _content(html)
    assert content is not None
    assert content.links[0].tag_path.split("/") == ["x" + "é" * 39] * 39 + ["a"]
    _check(html)


def test_references_of_a_page_without_a_host(walk):
    assert walk
    html = "<a href=/x>a</a> <a href=y>b</a> <a href=http://a.example/>c</a>"
    for url in ("", "page.html", "about:blank"):
        assert parse_html(html.encode(), url) == walked_page(_trees(html), url)


def test_pages_of_frames_are_walked_in_python(walk):
    assert walk
    assert _content("<frameset><frame src=x><noframes><p>Hello</noframes>") is None


@pytest.fixture
def fresh_reader():
    compiled._reader.cache_clear()
    yield
    compiled._reader.cache_clear()


@pytest.mark.usefixtures("fresh_reader")
def test_another_lexbor_is_walked_in_python_and_that_is_logged_once(walk, monkeypatch, caplog):
    assert walk
    monkeypatch.setattr(lexbor, "LEXBOR_VERSION_MAJOR", 99)
    assert _content("<p>Hello") is None
    assert parse_html(b"<p>Hello", _URL).text == "Hello"
    assert [one.getMessage() for one in caplog.records] == [
        "selectolax has lexbor 99, not 3, so pages are read by the slower form in Python"
    ]


@pytest.mark.usefixtures("fresh_reader")
def test_a_lexbor_without_the_functions_is_walked_in_python(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda _path: object())
    assert _content("<p>Hello") is None


@pytest.mark.usefixtures("fresh_reader")
def test_errors_of_answers_are_raised(walk, monkeypatch):
    def fail(*_about: object) -> int:
        raise LookupError("no answer")

    assert walk
    monkeypatch.setattr(compiled, "_answer", fail)
    with pytest.raises(LookupError, match="no answer"):
        _content("<div class=nav>Hello")


def test_reader_refuses_tables_that_do_not_fit(walk):
    with pytest.raises(ValueError, match="function of lexbor"):
        walk.TreeReader(
            [1], actions=b"", traits=b"", names=[], inside=b"", part_marks=b"", apart=[], dialog=0,
            answer=None, target=None, most_links=1, deepest_path=1, longest_name=1, block=None,
            link=None, parts=(), menus={},
        )  # fmt: skip
