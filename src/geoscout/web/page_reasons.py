"""Why a page is relevant or not: in one sentence, then in detail."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict

from geoscout.store.base import StoredVisit
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.geo.relevance import Judge, RelevanceRule, describe
from geoscout_places.model import Page, Reading

_SHOWN = 3  # addresses
_EVIDENCE = defaultdict(
    lambda: "an address in the region",
    about="all that they say of the region",
    scope="what they are about",
    either="an address in the region or by what they are about",
)


class AddressJson(TypedDict):
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


class ScopeJson(TypedDict):
    """A place a page mentions or is about."""

    id: int
    name: str
    kind: str
    path: list[str]
    parent: int
    lat: float
    lon: float
    mentions: int
    site_mentions: int  # in what many pages of its site have
    score: float
    inside: bool


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """What a page was judged by."""

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
        return [address for address in self.addresses if address["inside"]]

    @property
    def scope(self) -> list[ScopeJson]:
        return [place for place in self.places if place["score"] > 0]


def reasons(page: JudgedPage) -> list[str]:
    """Sentences that say why the page is or is not relevant; the first says it all."""
    if not page.visit.is_page:
        return [f"The response was not a page: status {page.visit.status}."]
    return [
        f"It is {'relevant' if page.visit.relevant else 'not relevant'}: {_main_reason(page)}.",
        *_addresses(page),
        *_scope(page),
        *_degree(page),
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
        whose = "its site" if first["of_site"] else "it"
        more = len(page.inside) - 1
        others = f" and {more} more" if more else ""
        return (
            f"{whose} has the address “{_on_one_line(first['text'])}”{others} in {page.region_name}"
        )
    if page.has_point:
        return f"its markup states a point in {page.region_name}"
    within = [place for place in page.scope if place["inside"]]
    return f"it is about {within[0]['name']}, which lies in the region" if within else ""


def _mostly_about(page: JudgedPage) -> str:
    if not page.scope:
        return ""
    main = page.scope[0]
    return f"{main['score']:.0%} of what it says about places is about {main['name']}"


def _addresses(page: JudgedPage) -> list[str]:
    name, inside = page.region_name, page.inside
    sentences = [
        f"{'Its site' if address['of_site'] else 'It'} has the address"
        f" “{_on_one_line(address['text'])}”, in {name}."
        for address in inside[:_SHOWN]
    ]
    if len(inside) > _SHOWN:
        sentences.append(f"It has {len(inside) - _SHOWN} more addresses in {name}.")
    if not inside:
        sentences.append(f"It has no address in {name}.")
    if page.has_point:
        sentences.append(f"Its markup states a point in {name}.")
    return sentences


def _scope(page: JudgedPage) -> list[str]:
    if not page.scope:
        return []
    sentences = [f"{_first_upper(_mostly_about(page))}{_times(page.scope[0]['mentions'])}."]
    within = [place for place in page.scope if place["inside"]]
    if within:
        sentences.append(f"It is about {within[0]['name']}, which lies in the region.")
    return sentences


def _degree(page: JudgedPage) -> list[str]:
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
