"""One page: what is known of it, why it counts, its links, its copy; and a text that is sent.

The archived copy is made harmless by three walls, each enough alone: what loads or runs is taken
out of the markup, the response's own policy forbids everything but inline styles, and its sandbox
makes it a page of no origin without scripts, forms or pop-ups.
"""

import time
from typing import Annotated, Any

from msgspec import Meta, Struct
from selectolax.lexbor import LexborHTMLParser
from starlette.responses import Response

from geoscout.search.presenting import LONGEST_TITLE, PlaceJson, place_json
from geoscout.search.related import RelatedPage
from geoscout.state.base import CrawlView, Fate, KnownUrl
from geoscout.store.base import StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.web.endpoints import LARGEST_ID, Endpoints, Limit
from geoscout.web.page_facts import PageJson, page_json
from geoscout.web.problems import NotFoundError
from geoscout.web.site import ServedCrawl, Site
from geoscout.web.working import Work
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.model import Link
from geoscout_places.model import Response as Archived
from geoscout_places.parse import parse_html, parse_text
from geoscout_places.parse.charset import decode
from geoscout_places.parse.limits import pieces_of, tame
from geoscout_places.parse.markdown import to_markdown
from geoscout_places.reading import address_as_json, mention_as_json, scope_as_json
from geoscout_places.urls import normalise

endpoints = Endpoints("/api", "pages", problems=(410,))
texts = Endpoints("/api", "places", problems=(413,))
_LOOKING_SECONDS = 1.0  # for links from other pages
_MOST_OUT, _MOST_IN = 500, 100
_LONGEST_ANCHOR = 200
_LEFT_OUT = "left out"  # the state of a link that the crawl never took
_Url = Annotated[str, Meta(max_length=4000, description="the page's URL")]
_Visit = Annotated[int, Meta(ge=0, le=2**53, description="or the number of the visit")]
_Text = Annotated[str, Meta(max_length=1_000_000)]


class LinkJson(Struct, frozen=True, kw_only=True):
    """A link of a page."""

    url: str
    anchor: str
    part: str
    rel: str
    state: str  # "fetched", "waiting", "given up" or "left out"
    priority: float | None
    relevant: bool | None
    status: int | None


class LinksJson(Struct, frozen=True, kw_only=True):
    """The links of a page and to it."""

    out: list[LinkJson]
    out_total: int
    into: list[str]
    looked_at: int  # pages searched for links to it
    pages: int  # that could have been


class RelatedPageJson(Struct, frozen=True, kw_only=True):
    """A page that is related to another by its place."""

    url: str
    title: str
    place: PlaceJson  # its main place
    distance_km: float  # from the main place of the other page
    why: str


class RelatedJson(Struct, frozen=True, kw_only=True):
    """The pages related to a page."""

    place: PlaceJson | None  # the main place of the page; null where it has none
    near: list[RelatedPageJson]
    alike: list[RelatedPageJson]


class GeoparseJson(Struct, frozen=True, kw_only=True):
    """What was found, as `geoscout geoparse --json` has it."""

    toponyms: list[dict[str, Any]]
    addresses: list[dict[str, Any]]
    scope: list[dict[str, Any]]
    text: str
    labels: dict[str, str]  # of the places of toponyms, by id: "Munich, Bavaria, Germany"


@endpoints.get("/page", threads="reading")
def page(site: Site, crawl: ServedCrawl, url: _Url = "", n: _Visit = 0) -> PageJson:
    """Everything known about a page, with its text and the places marked in it."""
    with crawl.open() as opened:
        return page_json(crawl, opened.reader, page_visit(opened.reader, url, n), site)


@endpoints.get("/links")
def links(crawl: ServedCrawl, url: _Url = "", n: _Visit = 0) -> LinksJson:
    """The links of a page with their scores and outcomes, and links to it that were found."""
    with crawl.open() as opened:
        until = time.monotonic() + _LOOKING_SECONDS
        return read_links(opened, page_visit(opened.reader, url, n), until)


@endpoints.get("/pages/{n}/related")
def related(site: Site, crawl: ServedCrawl, n: _Visit, limit: Limit = 6) -> RelatedJson:
    """Pages related to one by the proximity of their places: near it, and alike in meaning."""
    with crawl.open() as opened:
        url = page_visit(opened.reader, "", n).url
    found = crawl.engine().related(url, limit)
    if found is None:
        raise NotFoundError("the index does not have this page")
    return RelatedJson(
        place=place_json(found.place, site.gazetteer) if found.place else None,
        near=[_related(one, site) for one in found.near],
        alike=[_related(one, site) for one in found.alike],
    )


def _related(found: RelatedPage, site: Site) -> RelatedPageJson:
    return RelatedPageJson(
        url=found.url,
        title=found.title[:LONGEST_TITLE],
        place=place_json(found.place, site.gazetteer),
        distance_km=round(found.distance_km, 1),
        why=found.why,
    )


@endpoints.get("/copy", threads="reading")
def copy(crawl: ServedCrawl, url: _Url = "", n: _Visit = 0) -> Response:
    """The archived copy of a page, for a sandboxed frame: nothing in it runs or loads."""
    with crawl.open() as opened:
        try:
            return show_copy(opened.reader.response(page_visit(opened.reader, url, n).n))
        except OSError as error:
            raise DamagedDataError(f"the archive cannot be read: {error}") from error


@endpoints.get("/pages/{n}.md", threads="reading", also={"text/markdown": {"type": "string"}})
def markdown(crawl: ServedCrawl, n: _Visit) -> Response:
    """The text of a page as Markdown, without the menus, headers and footers of its site."""
    with crawl.open() as opened:
        text = visit_as_markdown(opened.reader, page_visit(opened.reader, "", n))
    return Response(text, media_type="text/markdown")


def visit_as_markdown(store: CrawlReader, visit: StoredVisit) -> str:
    """The page of a visit as Markdown.

    Raises:
        DamagedDataError: the archive does not hold it, or cannot be read.
    """
    try:
        found = store.response(visit.n)
    except OSError as error:
        raise DamagedDataError(f"the archive cannot be read: {error}") from error
    return to_markdown(found.body, found.url, found.header("content-type"))


def named_visit(store: CrawlReader, name: str) -> StoredVisit:
    """The visit that a text names, by its number or by the URL of its page."""
    if name.isascii() and name.isdigit():
        return page_visit(store, "", min(int(name[:20]), LARGEST_ID))
    return page_visit(store, name, 0)


def page_visit(store: CrawlReader, url: str, n: int) -> StoredVisit:
    """The visit that was asked for; of a URL the last that was a page."""
    if n:
        visit = store.visit(n)
        if visit is None:
            raise NotFoundError(f"there is no visit {n} in this crawl")
        return visit
    wanted = normalise(url)
    if wanted is None:
        raise UsageError("url must be an http(s) URL, or n the number of a visit")
    visits = store.visits_of(wanted)
    if not visits:
        raise NotFoundError(f"this crawl has not fetched {wanted}")
    return next((visit for visit in reversed(visits) if visit.is_page), visits[-1])


def read_links(crawl: CrawlView, visit: StoredVisit, until: float) -> LinksJson:
    """The links of a visit's page; those to it are looked for until a monotonic time.

    The store has links by the page they stand on, so those to it are searched for among all pages;
    the answer tells how far that went.
    """
    found = crawl.reader.links_of(visit.n)
    shown = found[:_MOST_OUT]
    known = crawl.find({url for link in shown if (url := normalise(link.url))})
    into = crawl.reader.links_to(visit.url, _MOST_IN, until)
    found_on = [visit.parent] if visit.parent else []
    return LinksJson(
        out=[_link(link, known.get(normalise(link.url) or "")) for link in shown],
        out_total=len(found),
        into=list(dict.fromkeys((*found_on, *into.sources)))[:_MOST_IN],
        looked_at=into.looked_at,
        pages=into.pages,
    )


def _link(link: Link, known: KnownUrl | None) -> LinkJson:
    visit = known.visit if known else None
    return LinkJson(
        url=link.url[:2000],
        anchor=(link.anchor or link.alt or link.title)[:_LONGEST_ANCHOR],
        part=link.part,
        rel=" ".join(link.rel)[:_LONGEST_ANCHOR],
        state=known.fate if known else _LEFT_OUT,
        priority=known.request.priority if known and known.fate != Fate.GIVEN_UP else None,
        relevant=visit.relevant if visit else None,
        status=visit.status if visit else None,
    )


@texts.post("/geoparse", threads="reading")
def geoparse(
    site: Site,
    work: Work,
    text: _Text | None = None,
    html: _Text | None = None,
    url: Annotated[
        str, Meta(max_length=4000, description="the address of the page, as a clue")
    ] = "",
) -> GeoparseJson:
    """Find the places of a text; offsets count code points in the `text` of the response."""
    if (text is None) == (html is None):
        raise UsageError("send either text or html")
    if html is not None:
        page = parse_html(html.encode("utf-8", "replace"), url)
    else:
        page = parse_text(text or "", url)
    work.check()
    reading = site.geoparser.read(page)
    return GeoparseJson(
        toponyms=[mention_as_json(mention) for mention in reading.mentions],
        addresses=[address_as_json(address) for address in reading.addresses],
        scope=[scope_as_json(part) for part in reading.scope],
        text=page.text,
        labels={
            str(mention.place.id): site.gazetteer.label(mention.place)
            for mention in reading.mentions
            if mention.place
        },
    )


_LARGEST = 1_000_000  # bytes shown
_REMOVED = (
    "script, link, base, iframe, frame, frameset, object, embed, applet, portal, noscript,"
    " meta[http-equiv], template, audio, video, source, track"
)
_LOADING = ("src", "srcset", "background", "poster", "data", "ping", "autofocus")
_LEADING = ("action", "formaction")
_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'self'"
)
# Style sheets of other files are not in the archive: without them icons fill the screen and lines
# run from edge to edge. It stands first, so that what the page says of itself wins.
_STYLE = (
    "<!doctype html><style>body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:1rem"
    " auto;padding:0 1rem}:where(img){max-width:100%;height:auto}:where(svg:not([width]),"
    "svg[width$='%']){width:1.3em;height:1.3em}:where(nav,footer){font-size:.85em}</style>"
)
_HEADERS = {"content-security-policy": _POLICY, "x-dns-prefetch-control": "off"}


def show_copy(response: Archived) -> Response:
    """The copy as a response of ours; what is not HTML is shown as text."""
    content_type = response.header("content-type")
    body = response.body[:_LARGEST]
    if "html" in content_type.lower() or not content_type:
        text = _STYLE + defuse(decode(body, content_type, response.url))
        return Response(text, media_type="text/html; charset=utf-8", headers=_HEADERS)
    return Response(body, media_type="text/plain; charset=utf-8", headers=_HEADERS)


def defuse(html: str) -> str:
    """HTML without anything that runs, loads or leads on by itself.

    Markup that would take the parser minutes is parsed in pieces, as when it was crawled.

    >>> defuse('<body onload="x()"><a href="javascript:x()">a</a><script>x()</script></body>')
    '<html><head></head><body><a>a</a></body></html>'
    """
    return "".join(map(_defused, pieces_of(tame(html))))


def _defused(piece: bytes) -> str:
    tree = LexborHTMLParser(piece)
    for node in tree.css(_REMOVED):
        node.decompose()
    for node in tree.css("*"):
        for name, value in list(node.attributes.items()):
            if _is_unsafe(name.lower(), value or ""):
                del node.attrs[name]
    return tree.html or ""


def _is_unsafe(name: str, value: str) -> bool:
    if name.startswith("on") or name in _LOADING:
        return not (name == "src" and value.startswith("data:image/"))
    if name in _LEADING:
        return True
    if name in ("href", "xlink:href"):
        return not value.lower().lstrip().startswith(("http:", "https:", "#"))
    return name == "style" and "url(" in value.lower()
