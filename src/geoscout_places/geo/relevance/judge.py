"""Judges pages by the rule of a crawl: collects what a page says of the region, and weighs it.

The title and the URL count as names too, because a page of a directory often has no others. In a
title the first place counts most: what follows is often the name of the site. Addresses count by
their share, so that one of many in a list says little, and less in a footer than in the text,
because a footer tells where the publisher is. So does an address that many pages of the site have,
wherever it stands.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.geo.relevance.names import PART_WEIGHT, NameReader, Standing
from geoscout_places.geo.relevance.rules import (
    RegionEvidence,
    has_address_inside,
    has_scope_inside,
    is_inside,
    weigh,
)
from geoscout_places.model import (
    Address,
    Block,
    EvidencePart,
    Page,
    Part,
    Reading,
    Relevance,
    RelevanceRule,
)
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from geoscout_places.urls import path_texts

_ELSEWHERE_IN_HEAD = 0.5  # other names in title and URL are often those of people and firms
_NO_NAMES = 0.5  # added to the weight of all names, so that one weak name is not everything
_LEAD = 500  # characters of the page itself after which a name comes half as early
_IN_MARKUP = 0.6  # an address that no reader sees
_POINT = 0.5
_FEW_INSIDE, _FEW_AWAY = 0.3, 1.0  # added to addresses: one far away may be the publisher's
_MANY_PLACES = 3  # elsewhere; hundreds are hardly more of a sign than a dozen
_LATER_IN_TITLE = 0.5  # what each place of a title weighs against the one before


class RegionEvidenceReader:
    """Reads the evidence of pages for one region."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._names = NameReader(region)
        self._toponyms = ToponymReader(region.gazetteer, region)

    def read(self, page: Page, reading: Reading) -> RegionEvidence:
        """What a page and its reading say of the region."""
        names = self._names.read(page, reading.mentions)
        (title_in, title_out), (path_in, path_out) = self._head(page)
        inside = names.inside + title_in + path_in
        elsewhere = names.elsewhere + _ELSEWHERE_IN_HEAD * (title_out + path_out)
        first = 0.0 if names.first is None else 1 / (1 + names.first / _LEAD)
        here, there = self._addresses(page.blocks, reading)
        named = inside / (inside + elsewhere + _NO_NAMES)
        # The root, so that a short list of towns is not dense with each of them.
        dense = inside * math.sqrt(named) / (_NO_NAMES + names.length / 1000)
        return RegionEvidence(
            named=named,
            dense=math.log1p(dense),
            lead=max(first, min(1.0, title_in), path_in),
            addresses=here / (here + there + _FEW_INSIDE),
            away=there / (here + there + _FEW_AWAY),
            spread=len(names.others) / (len(names.others) + _MANY_PLACES),
        )

    def _head(self, page: Page) -> tuple[tuple[float, float], tuple[float, float]]:
        """What the title and the path of the URL say: weight inside and elsewhere."""
        path = path_texts([page.url])[0] if page.url.count("/") > 2 else ""
        in_title, in_path = self._toponyms.in_texts([page.title, path], raised=2)
        title = self._standings(in_title, page.title)
        url = self._standings(in_path, path)
        return (
            (_faded(title, Standing.INSIDE), _faded(title, Standing.ELSEWHERE)),
            (float(Standing.INSIDE in url), float(Standing.ELSEWHERE in url)),
        )

    def _standings(self, toponyms: Sequence[Toponym], text: str) -> list[Standing | None]:
        """Where the toponyms of a text lie; None for one that may or may not be in the region."""
        found = [self._standing(toponym) for toponym in toponyms]
        if Standing.INSIDE not in found and self._names.names_region(text):
            found.append(Standing.INSIDE)
        return found

    def _standing(self, toponym: Toponym) -> Standing | None:
        likeliest, *others = map(self._names.standing, toponym.senses)
        return likeliest if Standing.INSIDE not in others or likeliest is Standing.INSIDE else None

    def _addresses(self, blocks: Sequence[Block], reading: Reading) -> tuple[float, float]:
        """The weight of the addresses and points inside and elsewhere, each address once."""
        weights: dict[tuple[bool, str, str, str], float] = {}
        starts = [block.start for block in blocks] if reading.addresses else []
        for address in reading.addresses:
            inside = is_inside(address, self._region)
            if inside or address.place or address.postcode:
                key = (inside, address.postcode, address.street, address.house_number)
                weights[key] = max(weights.get(key, 0.0), _weight(address, blocks, starts))
        here = sum(weight for key, weight in weights.items() if key[0])
        there = sum(weights.values()) - here
        if any(self._region.contains_point(point) for point, _ in reading.points):
            here += _POINT
        elif reading.points:
            there += _POINT
        return here, there


def _faded(standings: Sequence[Standing | None], wanted: Standing) -> float:
    return sum(_LATER_IN_TITLE**i for i, found in enumerate(standings) if found is wanted)


def _weight(address: Address, blocks: Sequence[Block], starts: Sequence[int]) -> float:
    if not address.end:
        return PART_WEIGHT[Part.FOOTER] if address.of_site else _IN_MARKUP
    index = bisect_right(starts, address.start) - 1
    is_in_block = index >= 0 and blocks[index].end > address.start
    weight = PART_WEIGHT[blocks[index].part] if is_in_block else 1.0
    return min(weight, PART_WEIGHT[Part.FOOTER]) if address.of_site else weight


class Judge:
    """Tells whether pages are about a region, how much, and by what.

    Without a region every page with an address is relevant.
    """

    def __init__(self, region: Region | None, rule: RelevanceRule | str) -> None:
        self._region = region
        self.rule = RelevanceRule(rule)
        is_weighed = region is not None and self.rule is RelevanceRule.ABOUT
        self._evidence = RegionEvidenceReader(region) if region and is_weighed else None

    def judge(self, page: Page, reading: Reading) -> Relevance:
        """The relevance of a page; `page` has its blocks."""
        if self._evidence is not None:
            return weigh(self._evidence.read(page, reading))
        if self._region is None:
            return _yes_or_no("address" if reading.addresses else "")
        by = next((name for name, holds in self._asked() if holds(reading, self._region)), "")
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
