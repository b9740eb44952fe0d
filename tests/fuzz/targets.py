"""What is fuzzed: each parser of bytes that strangers send, and what must hold of its result."""

import contextlib
import json
import math
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from geoscout.batch.documents import ArchivePages
from geoscout.fetch.browser import is_gain, template_of, visible_length
from geoscout.fetch.http.decoding import BodyDecoder
from geoscout.fetch.robots import Robots
from geoscout.fetch.sitemaps import parse_sitemap
from geoscout.fetch.whois import contacts_in, referral_in
from geoscout.search import open_engine
from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import follow_crawl
from geoscout.settings import Settings
from geoscout.strategy.hybrid.link_features import FeatureReader
from geoscout.warc import parse_http, scan
from geoscout.web.api.pages import defuse
from geoscout_places.errors import GeoscoutError
from geoscout_places.gazetteer import SqliteGazetteer, open_gazetteer
from geoscout_places.gazetteer.arrays import ArrayFile
from geoscout_places.gazetteer.automaton import NameSearch, load_automaton, sight
from geoscout_places.gazetteer.tables import arrays_of
from geoscout_places.geo import Geoparser
from geoscout_places.geo.address import extract_addresses
from geoscout_places.geo.mentions import NameKnowledge
from geoscout_places.geo.structured import addresses_of, points_of
from geoscout_places.model import Link
from geoscout_places.parse import parse_html, parse_text
from geoscout_places.parse.blocks import drop_marks
from geoscout_places.parse.charset import decode
from geoscout_places.parse.html import tree_of, walked_page
from geoscout_places.parse.limits import pieces_of, tame
from geoscout_places.parse.markdown import to_markdown
from geoscout_places.urls import host_of, normalise
from tests.conftest import PROJECT
from tests.unit.places.parse.sound import check_sound
from tests.unit.search.worlds import PAGES, make_crawl

_URL = "http://a.test/dir/page"
_TYPES = ("", "text/html", "text/html; charset=utf-16", "text/html;charset=shift_jis")
_CODINGS = ("gzip", "br", "zstd", "deflate", "gzip, gzip")
_DECODED = 1_000_000
_CASES = PROJECT / "tests" / "cases"


@dataclass(frozen=True)
class Target:
    """A parser, and how to make inputs for it."""

    name: str
    run: Callable[[bytes], object]  # raises if something does not hold
    words: Sequence[bytes] = field(repr=False)  # that inputs are made of, besides any bytes
    grows_to: int = 60_000  # bytes, where growth is measured


def _words(text: str, between: str = "|") -> tuple[bytes, ...]:
    return tuple(word.encode() for word in text.split(between))


_MARKUP = _words(
    "<p>|</p>|<div>|</div>|<a href=x>|</a>|<b>|</b>|<font size=1>|<br>|<table>|<tr>|<td>|</table>|"
    "<ul>|<li>|<select>|<option>|<template>|</template>|<svg>|<math>|<title>|</title>|<textarea>|"
    "<!--|-->|<![CDATA[|]]>|<script>|</script>|<style>|</style>|<iframe src=z>|<frameset>|<frame>|"
    "<base href=//b/>|<meta charset=utf-16>|<meta http-equiv=refresh content='0;url=x'>|&amp;|"
    "&#x0;|"
    "&#1114112;|&nbsp;|<body onload=x()>|<a href=javascript:x()>|<img src=x onerror=x()>|<|>|\"|'|"
    "Austin, TX 78701|<p hidden>|<nav>|<main>|<address>|<h1>|<pre>|\n| |\x00|\ufeff|\u202e|a\u0301"
)
_STYLED = _words(
    "<span>|</span>|<a>|<a href=y rel=nofollow title=t>|<p style=display:none>|<dialog open>|"
    "<div class='nav x'>|<div role=navigation>|<ul id=menu>|<img alt=z>|<area href=w>|<link rel="
    "canonical href=c>|<meta name=a content=b>|<div itemscope>|<b class=vcard>|<footer>|</footer>|"
    "</nav>|</pre>|\xa0|\xad|\u200b|\u2003|é|😀|_|\x0c|\x1c|&#1;|\x02|word word word word word word"
)
_SHIFTS = (b"\x1b$B", b"\x1b(B", b"\xff\xfe", b"\x80", b"\xe4", b"~{")
_COMPRESSED = (b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"\x06", b"\x00" * 5)
_ITEMS = _words(
    '<script type=application/ld+json>|</script>|{|}|[|]|:|,|"|\\u0000|\\|1e999|-0|null|true|'
    '"@type"|"Place"|"address"|"PostalAddress"|"geo"|"latitude"|"30.2"|"@graph"|"@id"|"#a"|//|/*|'
    "<div itemscope itemtype=http://schema.org/Place>|<b itemprop=address>|<div itemscope itemprop="
    "geo id=i itemref='i j'>|</div>|<div vocab=http://schema.org/ typeof=Place property=geo>|"
    "<div class='vcard h-card adr'>|<b class='p-locality geo latitude'>|<abbr title='30.1;-97.1'>|"
    "<meta name=geo.position content='30.1;-97.1'>|<meta name=ICBM content='1,2'>|"
    "<a href='https://maps.google.com/?q=30.2,-97.7'>|<iframe src='//maps.google.com/maps?ll=1,2'>"
)
_MAPS = _words(
    "<?xml version='1.0' encoding='utf-8'?>|<?xml encoding='punycode'?>|<urlset>|</urlset>|<url>|"
    "</url>|<loc>|</loc>|http://a.test/x|<sitemapindex>|<sitemap>|<priority>|0.5|1e999|<lastmod>|"
    "2024-01-01|<![CDATA[|]]>|<!--|-->|<!DOCTYPE a [<!ENTITY b 'c'>]>|&b;|&amp;|&#x26;|<rss>|"
    "<item>|"
    "<link>|<feed>|<entry>|<link rel=alternate href='/a'/>|<|>|\n|\x1f\x8b\x08|\ufeff|"
    "http://b.test/"
)
_ROBOTS = _words(
    "User-agent: *|User-agent: geoscout|Disallow: /|Disallow:|Allow: /a|Disallow: /*a*b*$|*|$|%|"
    "%2F|Crawl-delay: 1|Crawl-delay: 1e999|Crawl-delay: nan|Sitemap: /s.xml|Sitemap: http://b/|#|:|"
    "\n|\r|\r\n| |\t|\ufeff|disallow /|user agent: x|/aaaa|ä"
)
_RECORDS = _words(
    "WARC/1.0\r\n|WARC/1.1\n|WARC-Type: response\r\n|WARC-Type: revisit\r\n|WARC-Type: conversion|"
    "WARC-Target-URI: http://a.test/\r\n|WARC-Target-URI: <urn:x>\r\n|"
    "WARC-Date: 2024-01-01T00:00:00Z"
    "\r\n|Content-Length: 10\r\n|Content-Length: -1\r\n|Content-Length: 99999999999\r\n|\r\n|"
    "\r\n\r\n|"
    "HTTP/1.1 200 OK\r\n|HTTP/1.1 999\r\n|Content-Type: text/html\r\n|"
    "Transfer-Encoding: chunked\r\n|"
    "5\r\nhello\r\n0\r\n\r\n|<p>Austin|\x1f\x8b\x08\x00|WARC-Payload-Digest: sha1:x\r\n|\x00|\n"
)
_QUERIES = _words(
    'pizza |in |near |Lisbon|Austin, TX|Paris | Texas|10115 |Berlin|Main St 5|"|(|)|-|+|:|*|~|^|'
    "AND |"
    "OR |NOT |38.71,-9.14|-33.86, 151.21|within 5 km of |within |5km|°|N|38°42'N|hotels|cities in |"
    "rivers |Lisbn|ß|İ|ı|中|\u0301|\u202e|\x00| |,|;|/|\\"
)
_ADDRESSES_OF_URLS = _words(
    "http://|https://|//|a.test|[::1]|127.1|%2F|%00|%|:|:80|@|?|#|/|..|/./|\\|\t|\n| |xn--|ä|。|"
    "\u200d|"
    "0x7f|;|&a=b|index.html|?sid=1|/2024/01/|a/a/a/|\ud7ff|user:pw@"
)
_WHOIS = _words(
    "Domain Name: a.test\n|Registrant:|Registrant Organization: X\n|refer: whois.b.test\n|"
    "person:|\n|"
    "  |[Tech]|>>>|%|#|Address: 1 Main St\n|Country: US\n|nic-hdl: X-1\n|owner-c: X-1\n|\r|\t|:|"
    ".....:"
)


@cache
def _address_words() -> tuple[bytes, ...]:
    """Pieces of real addresses of every country that we have cases of."""
    files = (_CASES / "addresses.jsonl", _CASES / "addresses_overseas.jsonl")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [str(json.loads(line)[3]) for line in lines]
    pieces = {piece for text in texts[::3] for piece in re.split(r"(?<=[,\n ])", text) if piece}
    extra = {", ", "\n", " ", "-", "/", "1", "12a", "c/o ", "PO Box ", "P.O. ", "Apt. ", "º", "#"}
    return tuple(sorted(piece.encode() for piece in pieces | extra))


@cache
def gazetteer() -> SqliteGazetteer:
    """The one of the tests."""
    return open_gazetteer(Settings(home=str(PROJECT / ".cache" / "home"), extras=False))


@cache
def _geoparser() -> Geoparser:
    return Geoparser(gazetteer())


@cache
def _knowledge() -> NameKnowledge:
    return NameKnowledge.load(gazetteer())


@cache
def _automaton() -> NameSearch:
    file = ArrayFile(arrays_of(gazetteer().file))
    return load_automaton(file.part("automaton"))


@cache
def _engine() -> SearchEngine:
    folder = Path(tempfile.mkdtemp(prefix="geoscout-fuzz-"))
    make_crawl(folder, PAGES.items(), _geoparser())
    follow_crawl(folder, gazetteer())
    return open_engine(folder, gazetteer())


@cache
def _scratch() -> Path:
    return Path(tempfile.mkdtemp(prefix="geoscout-fuzz-")) / "fuzz.warc"


def _choose(options: Sequence[str], data: bytes) -> tuple[str, bytes]:
    """One of the options by the first byte, and the rest."""
    return options[data[0] % len(options)] if data else options[0], data[1:]


def _html(data: bytes) -> None:
    content_type, body = _choose(_TYPES, data)
    check_sound(parse_html(body, _URL, content_type))
    assert "\x00" not in to_markdown(body, _URL, content_type)


def _kernels(data: bytes) -> None:
    """Hold the compiled way through a page against the one in Python."""
    content_type, body = _choose(_TYPES, data)
    pieces = pieces_of(tame(drop_marks(decode(body, content_type, _URL))))
    by_python = walked_page(map(tree_of, pieces), _URL)
    assert parse_html(body, _URL, content_type) == by_python


def _links(data: bytes) -> None:
    """Hold the words of a link as the kernel reads them against those of the arrays."""
    text = data.decode("utf-8", "replace")
    url = normalise(f"http://a.test/{text}") or "http://a.test/"
    reader = FeatureReader(None, window=3)
    links = [Link(url, text, before=text), Link("http://b.test/", text.lower(), title=text[:9])]
    assert reader.note(_URL, links) == reader.read_by_arrays(_URL, links).pack()


def _charset(data: bytes) -> None:
    content_type, body = _choose(_TYPES, data)
    decode(body, content_type, _URL).encode("utf-8")  # half surrogate pairs could not be stored


def _structured(data: bytes) -> None:
    page = parse_html(b"<p>" + data, _URL)
    check_sound(page)
    addresses_of(page)
    for point, _ in points_of(page):
        assert -90 <= point.latitude <= 90
        assert -180 <= point.longitude <= 180


def _sitemap(data: bytes) -> None:
    found = parse_sitemap(data, _URL)
    assert all(entry.url.startswith("http") for entry in found.pages)
    assert all(0 <= entry.priority <= 1 for entry in found.pages)


def _robots(data: bytes) -> None:
    rules = Robots.parse(data)
    delay = rules.crawl_delay("geoscout")
    assert delay is None or (math.isfinite(delay) and delay >= 0)
    for url in (_URL, "http://a.test/aaaa%2Fb?c", "http://a.test/" + "a" * 300):
        rules.allows("geoscout", url)


def _warc(data: bytes) -> None:
    parse_http(data)
    file = _scratch()
    file.write_bytes(data)
    ignored = lambda *_: None  # noqa: E731 - damage is expected
    with contextlib.suppress(GeoscoutError):
        for found in scan(file, ignored):
            parse_http(found.record.block)
    with contextlib.suppress(GeoscoutError):
        list(ArchivePages(file, _DECODED).documents())


def _addresses(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    found = extract_addresses(text, gazetteer())
    assert all(text[a.start : a.end] == a.text for a in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def _places(data: bytes) -> None:
    page = parse_text(data.decode("utf-8", "replace"), _URL)
    reading = _geoparser().read(page)
    assert all(page.text[m.start : m.end] for m in reading.mentions)


def _names(data: bytes) -> None:
    """Hold the trie of names against the automaton."""
    view = sight(data.decode("utf-8", "replace"))
    assert _knowledge().search.find(view) == _automaton().find(view)


def _query(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    with contextlib.suppress(GeoscoutError):
        _engine().answer(Question(text=text.strip()[:1000]))


def _url(data: bytes) -> None:
    found = normalise(data.decode("utf-8", "replace"), _URL)
    if found is not None:
        assert normalise(found) == found
        assert host_of(found)


def _body(data: bytes) -> None:
    coding, body = _choose(_CODINGS, data)
    decoder = BodyDecoder(coding, _DECODED)
    with contextlib.suppress(GeoscoutError):
        for start in range(0, len(body), 7919):
            decoder.feed(body[start : start + 7919])
        assert len(decoder.finish()) <= _DECODED


def _registry(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    contacts_in(text)
    referral_in(text)


_LEADING = frozenset({"href", "xlink:href", "action", "formaction", "src", "data"})
_LOADING = "script, iframe, frame, object, embed, base, link, meta[http-equiv]"


def _copy(data: bytes) -> None:
    """A browser that reads what is shown must not find anything that runs or loads."""
    tree = LexborHTMLParser(defuse(data.decode("utf-8", "replace")))
    assert not tree.css(_LOADING), tree.html
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            assert not name.lower().startswith("on"), tree.html
            is_script = (value or "").strip().lower().startswith("javascript:")
            assert not (is_script and name.lower() in _LEADING), tree.html


def _browser(data: bytes) -> None:
    assert visible_length(data) <= len(data)
    template_of(data)
    assert not is_gain(data, data)


TARGETS = (
    Target("html", _html, _MARKUP),
    Target("kernels", _kernels, _MARKUP + _STYLED, grows_to=0),  # "html" measures the growth
    Target("links", _links, _ADDRESSES_OF_URLS + _QUERIES),
    Target(
        "charset", _charset, (*_MARKUP, b"\x1b$B", b"\x1b(B", b"\xff\xfe", b"\x80", b"\xe4", b"~{")
    ),
    Target("structured", _structured, _ITEMS),
    Target("sitemap", _sitemap, _MAPS),
    Target("robots", _robots, _ROBOTS),
    Target("warc", _warc, _RECORDS),
    Target("addresses", _addresses, _address_words(), grows_to=24_000),
    Target("places", _places, _address_words(), grows_to=24_000),
    Target("names", _names, _address_words(), grows_to=0),  # "places" measures the growth
    Target("query", _query, _QUERIES, grows_to=0),  # a query has 1,000 letters at most
    Target("url", _url, _ADDRESSES_OF_URLS, grows_to=30_000),
    Target(
        "body", _body, (b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"\x06", b"\x00" * 5)
    ),
    Target("registry", _registry, _WHOIS),
    Target("browser", _browser, _MARKUP),
    Target("copy", _copy, _MARKUP),
)
