"""The pages a site lists itself: sitemaps, in each of the forms of sitemaps.org.

Index, url set, RSS, Atom and plain lists of lines are told apart by what is in them, since names
and types lie. The XML is not parsed but scanned for the few elements that matter: much of what
is out there is not well formed, and a scanner knows no entities that could unfold and reads each
character once, whatever it is fed.

How large the sitemaps of one domain may be together.

A sitemap may list 50,000 others, and each may be 50 MB of noise. All of it would be archived, so
one host could fill the disk. The budget is that of a domain, since a name server can make any
number of hosts. It is kept in memory only: a crawl that is resumed begins with full budgets.
"""

import contextlib
import html
import re
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import webencodings
from msgspec import Struct, field

from geoscout.fetch.http.decoding import BodyDecoder
from geoscout.fetch.retries import failure
from geoscout_places.errors import FetchError
from geoscout_places.urls import host_of, registrable_domain, resolve

# Bytes, after decompression. sitemaps.org allows 50 MB, but 10,000 links are in far less, and the
# sitemaps of fifty hosts may be in memory at a time.
LARGEST_FILE = 10 * 1024 * 1024
MOST_ENTRIES = 50_000  # sitemaps.org
LONGEST_URL = 2048  # characters
_MOST_TAGS = 20 * MOST_ENTRIES  # so that the time is bounded too
_GZIP = b"\x1f\x8b"
_DECLARED = re.compile(rb"^\s{0,100}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([\w.:-]{1,40})")
# A comment, a CDATA section, a declaration, or a tag with its name (without prefix) and the rest.
# None has two ways to match the same text, so a failed attempt costs no more than its length; an
# unclosed one ends the scan, so there is only one of them.
_MARKUP = re.compile(
    r"<!--(?:(?!-->).)*+(?:-->|\Z)|<!\[CDATA\[(?P<cdata>(?:(?!\]\]>).)*+)(?:\]\]>|\Z)"
    r"|<[!?][^>]*+>?|<(?P<end>/?)(?P<prefix>(?:[\w.-]++:)?+)(?P<name>[\w.-]++)(?P<rest>[^<>]*+)>?",
    re.DOTALL,
)
_HREF = re.compile(r"\bhref\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_REL = re.compile(r"\brel\s*+=\s*+[\"']?+\s*+([\w-]++)")
_CONTAINERS = {"url": "page", "sitemap": "sitemap", "item": "page", "entry": "page"}
_VALUES = {
    "loc": "url",
    "link": "url",
    "guid": "permanent",
    "id": "permanent",
    "lastmod": "changed",
    "pubdate": "changed",
    "updated": "changed",
    "priority": "priority",
}


class SitemapEntry(Struct, frozen=True):
    """A page of a sitemap, with what its site says about it."""

    url: str  # absolute, not yet in normal form
    changed: str = ""  # as written; "" where it is not
    priority: float = 0.5  # 0 to 1, among the pages of the site


class Sitemap(Struct, frozen=True):
    pages: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[str, ...] = ()  # further ones, absolute


def parse_sitemap(body: bytes, url: str) -> Sitemap:
    """Read any bytes; `url` is where they came from, for relative links.

    What cannot be understood is skipped, what is beyond `MOST_ENTRIES` is left out.
    """
    text = _decode(_unzipped(body))
    records = _scan(text) if "<" in text[:1000] else _lines(text)
    return _collect(islice(records, 2 * MOST_ENTRIES), url)  # some may be empty, or known


class _Record(Struct):
    """An element that stands for one page or one further sitemap."""

    kind: str  # "page" or "sitemap"
    prefix: str = ""  # of its name, and of the parts that are its own: not `image:loc`
    values: dict[str, str] = field(default_factory=dict)


def _collect(records: Iterator[_Record], base: str) -> Sitemap:
    pages: dict[str, SitemapEntry] = {}
    sitemaps: dict[str, None] = {}
    for record in records:
        url = _url(record, base)
        if url is None:
            continue
        if record.kind == "sitemap":
            sitemaps[url] = None
        else:
            changed, priority = record.values.get("changed", ""), record.values.get("priority", "")
            pages.setdefault(url, SitemapEntry(url, changed[:40], _priority(priority)))
        if len(pages) + len(sitemaps) >= MOST_ENTRIES:
            break
    return Sitemap(tuple(pages.values()), tuple(sitemaps))


def _url(record: _Record, base: str) -> str | None:
    """Its link, or the name under which a feed says that it stays."""
    found = record.values.get("url", "")
    permanent = record.values.get("permanent", "")
    if not found and permanent.startswith(("http://", "https://")):
        found = permanent
    return resolve(found, base) if 0 < len(found) <= LONGEST_URL else None


def _lines(text: str) -> Iterator[_Record]:
    for found in re.finditer(r"https?://[^\s<>\"]++", text):
        yield _Record("page", values={"url": found[0]})


def _scan(text: str) -> Iterator[_Record]:
    """The records of an XML file, each when its element ends or the next one begins."""
    record: _Record | None = None
    name, start = "", 0  # of the element whose text is being read
    cdata = ""
    for found in islice(_MARKUP.finditer(text), _MOST_TAGS):
        if found["cdata"] is not None:
            cdata = found["cdata"]
        tag = (found["name"] or "").lower()
        if not tag:
            continue
        if tag in _CONTAINERS:
            if record is not None:
                yield record
            record = None if found["end"] else _Record(_CONTAINERS[tag], found["prefix"])
        elif record is not None and tag in _VALUES and found["prefix"] == record.prefix:
            if found["end"] and tag == name:
                value = cdata or html.unescape(text[start : found.start()][: LONGEST_URL * 2])
                record.values.setdefault(_VALUES[tag], value.strip())
            elif tag == "link" and not found["end"]:
                _take_atom_link(record, found["rest"])
        name, start, cdata = ("" if found["end"] else tag), found.end(), ""
    if record is not None:
        yield record


def _take_atom_link(record: _Record, attributes: str) -> None:
    """Atom has its links in attributes; only the page itself counts, not its feed or editor."""
    href, rel = _HREF.search(attributes), _REL.search(attributes)
    if href and (rel is None or rel[1].lower() == "alternate"):
        record.values.setdefault("url", html.unescape(href[1] or href[2] or "").strip())


def _unzipped(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body[:LARGEST_FILE]
    decoder = BodyDecoder("gzip", LARGEST_FILE, cut=True)
    with contextlib.suppress(FetchError):  # what comes before the damage can be used
        decoder.feed(body)
    return decoder.so_far()


def _decode(body: bytes) -> str:
    """The text; only labels of the Encoding Standard count.

    Python knows further codecs, and not all take linear time: punycode is quadratic.
    """
    declared = _DECLARED.match(body)
    found = webencodings.lookup(declared[1].decode("ascii", "replace")) if declared else None
    text: str = webencodings.decode(body, found or webencodings.UTF8)[0]  # a mark decides first
    return text


def _priority(text: str) -> float:
    found = re.fullmatch(r"[01](?:\.\d{1,9})?|\.\d{1,9}", text)
    return min(float(text), 1.0) if found else 0.5


_DOMAINS_REMEMBERED = 20_000


@dataclass(slots=True)
class SitemapGrant:
    """What one sitemap may take, and what it took."""

    most_bytes: int
    used_bytes: int = 0


class SitemapBudget:
    """What is left to each domain."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._left: OrderedDict[str, int] = OrderedDict()

    @contextmanager
    def grant(self, url: str, most_bytes: int) -> Iterator[SitemapGrant]:
        """Room for one sitemap, as much as it may have of that; the caller says what it took.

        What others of the domain may take meanwhile is less by all of it.

        Raises:
            FetchError: kind "sitemap-budget", when nothing is left.
        """
        domain = registrable_domain(host_of(url))
        granted = SitemapGrant(min(most_bytes, self._left.get(domain, self._most_bytes)))
        if granted.most_bytes < 1:
            raise failure("sitemap-budget", url)
        self._spend(domain, granted.most_bytes)
        try:
            yield granted
        finally:
            self._spend(domain, granted.used_bytes - granted.most_bytes)

    def _spend(self, domain: str, size: int) -> None:
        self._left[domain] = self._left.get(domain, self._most_bytes) - size
        self._left.move_to_end(domain)
        if len(self._left) > _DOMAINS_REMEMBERED:
            self._left.popitem(last=False)
