"""Judges pages by the rule of a crawl: collects what a page says of the region, and weighs it.

The title and the URL are read as well, because a page of a directory often says nothing else. The
first place of a title counts: what follows is often the name of the site. So does the end of the
URL, which is a title; one of its folders says nothing, but folders that lie in each other do, such
as state, county and town. Addresses count by their share, so that one of many in a list says
little, and those in footers only where there are no others, because they tell where the publisher
is.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.geoparser import country_of_url
from geoscout_places.geo.relevance.names import NameReader, NameWeights, Standing
from geoscout_places.geo.relevance.rules import (
    RegionEvidence,
    has_address_inside,
    has_scope_inside,
    is_inside,
    weigh,
)
from geoscout_places.geo.scope import stated_fields
from geoscout_places.model import (
    Address,
    Block,
    EvidencePart,
    Kind,
    NameRole,
    Page,
    Part,
    Place,
    Reading,
    Relevance,
    RelevanceRule,
)
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from geoscout_places.urls import host_of, path_texts, registrable_domain

_NO_NAMES = 2.0  # added to the weight of all names, so that one or two are not everything
_NO_TEXT = 0.5  # thousand characters, added to the length, so that no short page is dense by one
_DENSE = 1.2  # no page is denser
_ITSELF = 0.3  # the weight of names from which the region itself is named
_POINT = 0.7  # a point in the markup, where the page has no address
_FRAME = frozenset((Part.FOOTER, Part.ASIDE, Part.NAVIGATION))
_SITE = "http://site.invalid"
_NO_NAME = re.compile(r"(?:index|default|home|welcome)?(?:\.\w+)?", re.IGNORECASE)  # of a page
_WORDS_OF_FOLDER = 3  # more are the title of a page
_PERSON = ("~", "%7e", "%7E")  # how a folder of somebody's own begins
_SIGNATURE = 300  # characters at the end
_LEAST_MATTER = 500  # before it; a shorter page is no more than a signature
_FRONT = 2.0  # what the title of a site's front page says: it is the name of its owner
_WIDE = frozenset((Kind.COUNTRY, Kind.REGION))
_INSIDE, _ELSEWHERE = Standing.INSIDE, Standing.ELSEWHERE
_Found = Sequence[Standing | None]  # where toponyms lie; None: perhaps in the region, perhaps not


class RegionEvidenceReader:
    """Reads the evidence of pages for one region."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._names = NameReader(region)
        self._toponyms = ToponymReader(region.gazetteer, region)
        self._domains = BoundedCache(self._find_domain, _MOST_DOMAINS)

    def read(self, page: Page, reading: Reading) -> RegionEvidence:
        """What a page and its reading say of the region."""
        parts = _parts_of_path(page.url)
        is_matter = _is_matter(parts)
        if is_matter:
            page = _without_signature(page)
        names = self._names.read(page, reading.mentions)
        named = names.inside / (names.inside + names.elsewhere + _NO_NAMES)
        title, path = self._head(page, path_texts([f"{_SITE}/{part}" for part in parts]))
        addresses, footer, away = self._addresses(page, reading)
        main = reading.scope[0].place if reading.scope else None
        if is_matter or (main is not None and self._names.standing(main) is _ELSEWHERE):
            footer = 0.0  # only the publisher is here
        return RegionEvidence(
            named=named,
            dense=_density(names, named),
            itself=float(names.itself > _ITSELF),
            title=title,
            path=path,
            domain=self._domains[registrable_domain(host_of(page.url))] if page.url else 0.0,
            addresses=addresses,
            footer=footer,
            away=away,
        )

    def _head(self, page: Page, parts: Sequence[str]) -> tuple[float, float]:
        """What title and URL say: whether they name the region first, and whether folders do."""
        title, *path = self._toponyms.in_texts([page.title, *parts], raised=1 + len(parts))
        in_title = [self._standing(toponym) for toponym in title]
        if _INSIDE not in in_title and self._names.names_region(page.title):
            in_title.append(_INSIDE)
        at_end = [self._standing(toponym) for toponym in path[-1]] if path else []
        if not parts and page.url and "?" not in page.url and _INSIDE in in_title:
            return _FRONT, 0.0
        names_it = _INSIDE in (_first(in_title), _first(at_end))
        return float(names_it), self._folders(path, parts)

    def _folders(self, path: Sequence[Sequence[Toponym]], parts: Sequence[str]) -> float:
        """1 if a path goes from the region, or what is around it, down into it; -1: elsewhere."""
        folders = [
            found for found, part in zip(path, parts, strict=True)
            if found and len(part.split()) <= _WORDS_OF_FOLDER
        ]  # fmt: skip
        if len(folders) <= 1:
            return 0.0
        widest = folders[0][0].senses[0]
        standing = self._names.standing(widest)
        if standing is _ELSEWHERE:
            return -1.0 if widest.kind in _WIDE else 0.0
        if standing is _INSIDE and widest.id not in self._region.place_ids:
            return 0.0
        found = [self._standing(toponym) for folder in folders for toponym in folder]
        return float(_first(found) is _INSIDE)

    def _standing(self, toponym: Toponym) -> Standing | None:
        likeliest, *others = map(self._names.standing, toponym.senses)
        return likeliest if _INSIDE not in others or likeliest is _INSIDE else None

    def _find_domain(self, domain: str) -> float:
        place = place_of_suffix(domain, self._region.gazetteer)
        return float(place is not None and self._names.standing(place) is _INSIDE)

    def _addresses(self, page: Page, reading: Reading) -> tuple[float, float, float]:
        """The share of the addresses inside, how early footers have one, the share elsewhere.

        A labelled field ("Location: Herndon VA") is as good as an address.
        """
        blocks = page.blocks
        in_frame: dict[tuple[bool, str, str, str], bool] = {}  # each address once
        starts = [block.start for block in blocks] if reading.addresses else []
        for address in reading.addresses:
            inside = is_inside(address, self._region)
            if inside or self._is_elsewhere(address):
                key = (inside, address.postcode, address.street, address.house_number)
                is_in_frame = _is_in_frame(address, blocks, starts)
                in_frame[key] = in_frame.get(key, True) and is_in_frame
        own = [key[0] for key, is_frame in in_frame.items() if not is_frame]
        fields = map(self._names.standing, stated_fields(page.text, self._region.gazetteer))
        own += [where is _INSIDE for where in fields if where is not Standing.AROUND]
        if own:
            here = sum(own)
            return here / len(own), 0.0, (len(own) - here) / (len(own) + 1)
        point = any(self._region.contains_point(point) for point, _ in reading.points)
        offices = [key[0] for key in in_frame]  # the head office comes first
        return _POINT * point, 1 / (1 + offices.index(True)) if True in offices else 0.0, 0.0

    def _is_elsewhere(self, address: Address) -> bool:
        return address.place is not None and self._names.standing(address.place) is _ELSEWHERE


def _density(names: NameWeights, named: float) -> float:
    # The root, so that a short list of towns is not dense with each of them.
    dense = names.inside * math.sqrt(named) / (_NO_TEXT + names.length / 1000)
    return min(math.log1p(dense), _DENSE)


def _first(found: _Found) -> Standing | None:
    """Where the first toponym lies that is not around the region."""
    return next((standing for standing in found if standing is not Standing.AROUND), None)


def _parts_of_path(url: str) -> list[str]:
    """The parts of the path of a URL, without the name of a folder's first page."""
    parts = [part for part in url.partition("?")[0].split("/")[3:] if part]
    if parts and _NO_NAME.fullmatch(parts[-1]):
        parts.pop()
    return parts


def _is_matter(parts: Sequence[str]) -> bool:
    """Whether a path goes on for two parts below a person: there are papers, slides and notes."""
    return any(part.startswith(_PERSON) for part in parts[:-2])


def _without_signature(page: Page) -> Page:
    """The page with its last lines as a footer: who wrote it, and where they are."""
    end = len(page.text) - _SIGNATURE
    if end < _LEAST_MATTER:
        return page
    blocks = [
        replace(block, part=Part.FOOTER) if block.start >= end and block.part not in _FRAME
        else block
        for block in page.blocks
    ]  # fmt: skip
    return replace(page, blocks=tuple(blocks))


def _is_in_frame(address: Address, blocks: Sequence[Block], starts: Sequence[int]) -> bool:
    """Whether an address stands in a footer or menu."""
    index = bisect_right(starts, address.start) - 1
    is_in_block = address.end > 0 and index >= 0 and blocks[index].end > address.start
    return is_in_block and blocks[index].part in _FRAME


_MOST_DOMAINS = 20_000
_AREAS = frozenset((Kind.REGION, Kind.DISTRICT, Kind.CITY))
_OWNERS = frozenset("ac co go id ne or".split())  # kinds of owners: ac.id is no site of Aceh
_CODE_LENGTH = 3
_LARGE = 200_000  # inhabitants of a place with a domain of its own, as .berlin


def place_of_suffix(domain: str, gazetteer: Gazetteer) -> Place | None:
    """The place that the public suffix of a domain names below its country, or instead of it.

    Such suffixes are "qc.ca", "nsw.gov.au", "bologna.it", "tokyo.jp", "berlin".
    """
    labels = domain.split(".")[1:]
    country = country_of_url(f"http://{domain}/")
    for label in labels[:-1] if country else labels[-1:]:
        role = NameRole.CODE if len(label) <= _CODE_LENGTH else NameRole.NAME
        if label in _OWNERS or (not country and role is NameRole.CODE):
            continue
        for candidate in gazetteer.candidates(label.replace("-", " ")):
            place = candidate.place
            fits = place.country == country if country else place.population >= _LARGE
            if fits and candidate.role is role and place.kind in _AREAS:
                return place
    return None


class Judge:
    """Tells whether pages are about a region, how much, and by what.

    Without a region every page with an address is relevant.
    """

    def __init__(self, region: Region | None, rule: RelevanceRule | str) -> None:
        self.region = region
        self.rule = RelevanceRule(rule)
        is_weighed = region is not None and self.rule is RelevanceRule.ABOUT
        self._evidence = RegionEvidenceReader(region) if region and is_weighed else None

    def judge(self, page: Page, reading: Reading) -> Relevance:
        """The relevance of a page; `page` has its blocks."""
        if self._evidence is not None:
            return weigh(self._evidence.read(page, reading))
        if self.region is None:
            return _yes_or_no("address" if reading.addresses else "")
        by = next((name for name, holds in self._asked() if holds(reading, self.region)), "")
        return _yes_or_no(by)

    def _asked(self) -> list[tuple[str, Callable[[Reading, Region], bool]]]:
        """The questions of a published rule, the surest first."""
        asked: list[tuple[str, Callable[[Reading, Region], bool]]] = []
        if self.rule is not RelevanceRule.SCOPE:
            asked.append(("address", has_address_inside))
        if self.rule is not RelevanceRule.ADDRESS:
            asked.append(("scope", has_scope_inside))
        return asked


def _yes_or_no(by: str) -> Relevance:
    if not by:
        return Relevance()
    return Relevance(relevant=True, degree=1.0, parts=(EvidencePart(by, 1.0),))
