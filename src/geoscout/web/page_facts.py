"""What is known of a page and why, put together from the store and a new reading of its text.

The store has the addresses and the places; where they stand in the text is found by parsing the
archived page again, which takes milliseconds and saves every crawl a third of its size.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from typing_extensions import TypedDict

from geoscout.crawling.options import options_of
from geoscout.crawling.site_memory import known_site, site_name
from geoscout.store.base import StoredAddress, StoredPlace, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.store.records import date_text
from geoscout.web.outward import LONGEST_TITLE
from geoscout.web.page_reasons import AddressJson, JudgedPage, ScopeJson, reasons
from geoscout.web.site import ServedCrawl, Site
from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.relevance import is_inside
from geoscout_places.geo.site import Repeats
from geoscout_places.model import Address, Mention, Page, Part, Reading, SiteKnowledge
from geoscout_places.parse import parse_document
from geoscout_places.parse.document import is_pdf

_LONGEST_TEXT = 60_000  # letters shown; a hostile page may have megabytes
_MOST_MARKS = 2000
_MOST_PARSED = 1_000_000  # bytes of a body that are read again
_MOST_ADDRESSES = 200
_AROUND = (Part.NAVIGATION, Part.HEADER, Part.FOOTER)
_LEAST_OWN = 40  # letters; with less of its own, a page is shown as it is


class VisitJson(TypedDict):
    """The facts of a visit."""

    n: int
    url: str
    title: str
    language: str
    status: int
    relevant: bool
    relevance: float
    is_page: bool
    noindex: bool
    priority: float
    depth: int
    distance: int
    parent: str
    node: str
    fetched_at: str
    seconds: float
    size: int


class MarkJson(TypedDict):
    """A part of the text to point out, in code points."""

    start: int
    end: int
    kind: str  # "address", "place", "demonym" or "local"
    label: str
    id: int  # of the place; 0 for none


class PageJson(TypedDict):
    """Everything about a page."""

    crawl: str
    visit: VisitJson
    visits: int
    why: list[str]  # in one sentence, then in detail
    addresses: list[AddressJson]
    places: list[ScopeJson]
    text: str
    text_is_cut: bool
    marks: list[MarkJson]
    menus: list[tuple[int, int]]  # where menus, headers and footers stand, in code points
    note: str  # why the text is missing; "" where it is not


def page_json(crawl: ServedCrawl, store: CrawlReader, visit: StoredVisit, site: Site) -> PageJson:
    options = options_of(store)
    region = _region(options.region, site.gazetteer)
    addresses = [_address(found, region, site.gazetteer) for found in _addresses(store, visit)]
    places = [_place(found, region) for found in store.places_of(visit.n)]
    page, note = _read_again(store, visit)
    of_site = known_site(store.site(site_name(visit.url)))
    reading = site.geoparser.read(page, of_site) if page else None
    text = page.text[:_LONGEST_TEXT] if page else ""
    return {
        "crawl": crawl.name,
        "visit": visit_json(visit),
        "visits": len(store.visits_of(visit.url)),
        "why": reasons(
            JudgedPage(
                visit=visit,
                addresses=addresses,
                places=places,
                has_point=_has_point(store, visit, region),
                region=region,
                rule=options.relevance,
                read=(page, reading) if page and reading else None,
            )
        ),
        "addresses": addresses,
        "places": places,
        "text": text,
        "text_is_cut": bool(page and len(page.text) > len(text)),
        "menus": _menus(page, of_site, len(text)) if page else [],
        "marks": _marks(reading, len(text), site.gazetteer) if reading else [],
        "note": note,
    }


def visit_json(visit: StoredVisit) -> VisitJson:
    return {
        "n": visit.n,
        "url": visit.url,
        "title": visit.title[:LONGEST_TITLE],
        "language": visit.language[:40],
        "status": visit.status,
        "relevant": visit.relevant,
        "relevance": round(visit.degree, 4),
        "is_page": visit.is_page,
        "noindex": visit.noindex,
        "priority": visit.priority,
        "depth": visit.depth,
        "distance": visit.distance,
        "parent": visit.parent,
        "node": visit.node,
        "fetched_at": date_text(visit.answered_at),
        "seconds": visit.seconds,
        "size": visit.size,
    }


def _region(texts: Sequence[str], gazetteer: Gazetteer) -> Region | None:
    try:
        return Region.parse(texts, gazetteer) if texts else None
    except UsageError:  # its file is gone, or it was made with another gazetteer
        return None


def _addresses(store: CrawlReader, visit: StoredVisit) -> Sequence[StoredAddress]:
    return store.addresses_of(visit.n)[:_MOST_ADDRESSES]


def _address(stored: StoredAddress, region: Region | None, gazetteer: Gazetteer) -> AddressJson:
    address, place = stored.address, gazetteer.place(stored.place_id)
    point = address.point or (place.point if place else None)
    inside = region is not None and is_inside(replace(address, place=place), region)
    return {
        "text": address.text[:LONGEST_TITLE],
        "city": address.city,
        "region": address.region,
        "postcode": address.postcode,
        "country": address.country,
        "lat": point.latitude if point else None,
        "lon": point.longitude if point else None,
        "precision": address.precision or (place.precision if place else None),
        "source": address.source,
        "inside": inside,
        "of_site": address.of_site,
    }


def _place(found: StoredPlace, region: Region | None) -> ScopeJson:
    place = found.place
    return {
        "id": place.id,
        "name": place.name,
        "kind": str(place.kind),
        "path": list(found.path),
        "parent": place.parent,
        "lat": place.point.latitude,
        "lon": place.point.longitude,
        "mentions": found.mentions,
        "site_mentions": found.site_mentions,
        "score": round(found.score, 4),
        "inside": bool(region and region.contains_place(place)),
    }


def _read_again(store: CrawlReader, visit: StoredVisit) -> tuple[Page | None, str]:
    if not visit.is_page:
        return None, "there is no text, because the response was not a page"
    if kept := store.read_pages([visit.n]):
        return kept[visit.n].page, ""
    try:
        response = store.response(visit.n)
    except (GeoscoutError, OSError) as error:
        return None, f"the archived copy cannot be read: {error}"
    body, content_type = response.body, response.header("content-type")
    note = ""
    if len(body) > _MOST_PARSED and not is_pdf(body, content_type):  # half a PDF is none
        body, note = body[:_MOST_PARSED], f"only the first {_MOST_PARSED:,} bytes were read"
    return parse_document(body, response.url, content_type), note


def _has_point(store: CrawlReader, visit: StoredVisit, region: Region | None) -> bool:
    """Whether the markup states a point in the region, which counts as an address does."""
    points = (point for point, _ in store.points_of(visit.n))
    return region is not None and any(map(region.contains_point, points))


def _menus(page: Page, of_site: SiteKnowledge, length: int) -> list[tuple[int, int]]:
    """Stretches of the text that are not the page's own: menus, and what its site repeats.

    None at all where nothing else would be left.
    """
    repeats = Repeats(page, of_site)
    stretches: list[tuple[int, int]] = []
    own = 0
    for block in page.blocks:
        if block.part in _AROUND or repeats.has(block.start):
            is_next = stretches and not page.text[stretches[-1][1] : block.start].strip()
            start = stretches.pop()[0] if is_next else block.start
            stretches.append((start, block.end))
        else:
            own += block.end - block.start
    return [stretch for stretch in stretches if stretch[0] < length] if own >= _LEAST_OWN else []


def _marks(reading: Reading, length: int, gazetteer: Gazetteer) -> list[MarkJson]:
    """Addresses and mentions in the order of the text; an address wins over what is in it."""
    marks = [_address_mark(address) for address in reading.addresses if address.end]
    marks += [_mention_mark(mention, gazetteer) for mention in reading.mentions]
    chosen: list[MarkJson] = []
    for mark in sorted(marks, key=lambda mark: (mark["start"], -mark["end"])):
        if mark["end"] <= length and (not chosen or mark["start"] >= chosen[-1]["end"]):
            chosen.append(mark)
    return chosen[:_MOST_MARKS]


def _address_mark(address: Address) -> MarkJson:
    parts = (address.street, address.house_number, address.postcode, address.city, address.country)
    label = ", ".join(part for part in parts if part)[:LONGEST_TITLE]
    id = address.place.id if address.place else 0
    return {"start": address.start, "end": address.end, "kind": "address", "label": label, "id": id}


def _mention_mark(mention: Mention, gazetteer: Gazetteer) -> MarkJson:
    place = mention.place
    label = gazetteer.label(place) if place else "not resolved"
    return {
        "start": mention.start,
        "end": mention.end,
        "kind": mention.kind,
        "label": f"{label} ({mention.confidence:.0%})",
        "id": place.id if place else 0,
    }
