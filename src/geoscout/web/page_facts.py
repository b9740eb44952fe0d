"""What is known of a page and why it counts, from the store.

The store has the page as it was read, its addresses and its places; where they stand in the text is
found by geoparsing that again, which takes milliseconds.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from geoscout.crawling.options import options_of, region_of
from geoscout.crawling.site_memory import known_site, site_name
from geoscout.search.presenting import LONGEST_TITLE
from geoscout.state.changes import read_again
from geoscout.store.base import StoredAddress, StoredPlace, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.store.records import date_text
from geoscout.web.site import ServedCrawl, Site
from geoscout_places.codec import record_of
from geoscout_places.errors import GeoscoutError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.relevance import Judge, RelevanceRule, describe, is_inside
from geoscout_places.geo.site import Repeats, with_region
from geoscout_places.model import (
    Address,
    Mention,
    Page,
    Part,
    Reading,
    SiteKnowledge,
    point_as_json,
)

_LONGEST_TEXT = 60_000  # letters shown; a hostile page may have megabytes
_MOST_MARKS = 2000
_MOST_ADDRESSES = 200
_AROUND = (Part.NAVIGATION, Part.HEADER, Part.FOOTER)
_LEAST_OWN = 40  # letters; with less of its own, a page is shown as it is
_SHOWN = 3  # addresses
_EVIDENCE = defaultdict(
    lambda: "an address in the region",
    about="all that they say of the region",
    scope="what they are about",
    either="an address in the region or by what they are about",
)


class VisitJson(Struct, frozen=True, kw_only=True):
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


class AddressJson(Struct, frozen=True, kw_only=True):
    """An address of a page."""

    text: str
    city: str
    region: str
    postcode: str
    country: str
    lat: float | None
    lon: float | None
    precision: str | None  # of the point: house, street, postcode, town or region
    source: str
    inside: bool
    of_site: bool  # it stands in what many pages of its site have


class ScopeJson(Struct, frozen=True, kw_only=True):
    """A place a page mentions or is about."""

    id: int
    name: str
    kind: str
    path: Sequence[str]
    parent: int
    lat: float
    lon: float
    mentions: int
    site_mentions: int  # in what many pages of its site have
    score: float
    inside: bool


class MarkJson(Struct, frozen=True, kw_only=True):
    """A part of the text to point out, in code points."""

    start: int
    end: int
    kind: str  # "address", "place", "demonym" or "local"
    label: str
    id: int  # of the place; 0 for none


class PageJson(Struct, frozen=True, kw_only=True):
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
    region = region_of(options, site.gazetteer)
    stored = store.addresses_of(visit.n)[:_MOST_ADDRESSES]
    addresses = [_address(found, region, site.gazetteer) for found in stored]
    places = [_place(found, region) for found in store.places_of(visit.n)]
    page, note = _read_page(store, visit)
    of_site = known_site(store.site(site_name(visit.url)))
    if region is not None:
        of_site = with_region(of_site, site.geoparser.knowledge_of(region))
    alone, reading = site.geoparser.read_twice(page, of_site) if page else (None, None)
    text = page.text[:_LONGEST_TEXT] if page else ""
    return PageJson(
        crawl=crawl.name,
        visit=visit_json(visit),
        visits=len(store.visits_of(visit.url)),
        why=reasons(
            JudgedPage(
                visit=visit,
                addresses=addresses,
                places=places,
                has_point=_has_point(store, visit, region),
                region=region,
                rule=options.relevance,
                read=(page, alone) if page and alone else None,
            )
        ),
        addresses=addresses,
        places=places,
        text=text,
        text_is_cut=bool(page and len(page.text) > len(text)),
        menus=_menus(page, of_site, len(text)) if page else [],
        marks=_marks(reading, len(text), site.gazetteer) if reading else [],
        note=note,
    )


def visit_json(visit: StoredVisit) -> VisitJson:
    return record_of(
        VisitJson,
        visit,
        title=visit.title[:LONGEST_TITLE],
        language=visit.language[:40],
        relevance=round(visit.degree, 4),
        fetched_at=date_text(visit.answered_at),
    )


def _address(stored: StoredAddress, region: Region | None, gazetteer: Gazetteer) -> AddressJson:
    address, place = stored.address, gazetteer.place(stored.place_id)
    point = address.point or (place.point if place else None)
    inside = region is not None and is_inside(replace(address, place=place), region)
    return record_of(
        AddressJson,
        address,
        text=address.text[:LONGEST_TITLE],
        **point_as_json(point),
        precision=address.precision or (place.precision if place else None),
        inside=inside,
    )


def _place(found: StoredPlace, region: Region | None) -> ScopeJson:
    place = found.place
    return record_of(
        ScopeJson,
        place,
        path=found.path,
        **point_as_json(place.point),
        mentions=found.mentions,
        site_mentions=found.site_mentions,
        score=round(found.score, 4),
        inside=bool(region and region.contains_place(place)),
    )


def _read_page(store: CrawlReader, visit: StoredVisit) -> tuple[Page | None, str]:
    if not visit.is_page:
        return None, "there is no text, because the response was not a page"
    if kept := store.read_pages([visit.n]):
        return kept[visit.n].page, ""
    try:
        response = store.response(visit.n)
    except (GeoscoutError, OSError) as error:
        return None, f"the archived copy cannot be read: {error}"
    return read_again(response).page, ""


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
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.end <= length and (not chosen or mark.start >= chosen[-1].end):
            chosen.append(mark)
    return chosen[:_MOST_MARKS]


def _address_mark(address: Address) -> MarkJson:
    parts = (address.street, address.house_number, address.postcode, address.city, address.country)
    label = ", ".join(part for part in parts if part)[:LONGEST_TITLE]
    id = address.place.id if address.place else 0
    return MarkJson(start=address.start, end=address.end, kind="address", label=label, id=id)


def _mention_mark(mention: Mention, gazetteer: Gazetteer) -> MarkJson:
    place = mention.place
    label = gazetteer.label(place) if place else "not resolved"
    return MarkJson(
        start=mention.start,
        end=mention.end,
        kind=mention.kind,
        label=f"{label} ({mention.confidence:.0%})",
        id=place.id if place else 0,
    )


@dataclass(frozen=True, slots=True)
class JudgedPage:
    visit: StoredVisit
    addresses: Sequence[AddressJson]
    places: Sequence[ScopeJson]
    has_point: bool  # its markup states a point in the region
    region: Region | None
    rule: str
    read: tuple[Page, Reading] | None

    @property
    def region_name(self) -> str:
        return self.region.name if self.region else "the region of the crawl"

    @property
    def inside(self) -> list[AddressJson]:
        return [address for address in self.addresses if address.inside]

    @property
    def scope(self) -> list[ScopeJson]:
        return [place for place in self.places if place.score > 0]


def reasons(page: JudgedPage) -> list[str]:
    """Sentences that say why the page is or is not relevant; the first says it all."""
    if not page.visit.is_page:
        return [f"The response was not a page: status {page.visit.status}."]
    return [
        f"It is {'relevant' if page.visit.relevant else 'not relevant'}: {_main_reason(page)}.",
        *_address_sentences(page),
        *_scope_sentences(page),
        *_degree_sentences(page),
        f"Pages of this crawl are judged by {_EVIDENCE[page.rule]}.",
    ]


def _main_reason(page: JudgedPage) -> str:
    inside = _evidence_inside(page)
    about = _mostly_about(page)
    if page.visit.relevant:
        return inside or about or "it says enough of the region"
    missing = f"it has no address in {page.region_name}"
    if inside:
        return f"although {inside}, {about or 'it says too little else of it'}"
    return f"{missing}, and {about}" if about else f"{missing}, and names no place"


def _evidence_inside(page: JudgedPage) -> str:
    """What the page has in the region; "" for nothing."""
    if page.inside:
        first = page.inside[0]
        whose = "its site" if first.of_site else "it"
        more = len(page.inside) - 1
        others = f" and {more} more" if more else ""
        return f"{whose} has the address “{_on_one_line(first.text)}”{others} in {page.region_name}"
    if page.has_point:
        return f"its markup states a point in {page.region_name}"
    within = [place for place in page.scope if place.inside]
    return f"it is about {within[0].name}, which lies in the region" if within else ""


def _mostly_about(page: JudgedPage) -> str:
    if not page.scope:
        return ""
    main = page.scope[0]
    return f"{main.score:.0%} of what it says about places is about {main.name}"


def _address_sentences(page: JudgedPage) -> list[str]:
    name, inside = page.region_name, page.inside
    sentences = [
        f"{'Its site' if address.of_site else 'It'} has the address"
        f" “{_on_one_line(address.text)}”, in {name}."
        for address in inside[:_SHOWN]
    ]
    if len(inside) > _SHOWN:
        sentences.append(f"It has {len(inside) - _SHOWN} more addresses in {name}.")
    if not inside:
        sentences.append(f"It has no address in {name}.")
    if page.has_point:
        sentences.append(f"Its markup states a point in {name}.")
    return sentences


def _scope_sentences(page: JudgedPage) -> list[str]:
    if not page.scope:
        return []
    sentences = [f"{_first_upper(_mostly_about(page))}{_times(page.scope[0].mentions)}."]
    within = [place for place in page.scope if place.inside]
    if within:
        sentences.append(f"It is about {within[0].name}, which lies in the region.")
    return sentences


def _degree_sentences(page: JudgedPage) -> list[str]:
    """Sentences about a degree that was weighed, and what it comes from, as judged now."""
    if page.rule != RelevanceRule.ABOUT:
        return []
    sentences = [f"It is about the region to a degree of {page.visit.degree:.2f}."]
    if page.region is not None and page.read is not None:
        causes = describe(Judge(page.region, page.rule).judge(*page.read))
        sentences += [f"This comes from {', '.join(causes)}."] if causes else []
    return sentences


def _times(mentions: int) -> str:
    if not mentions:
        return ""  # it has an address there
    return " (one mention)" if mentions == 1 else f" ({mentions:,} mentions)"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
