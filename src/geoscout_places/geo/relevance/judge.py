"""Judges pages by the rule of a crawl."""

from __future__ import annotations

from collections.abc import Callable

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.geo.relevance.evidence import RegionEvidenceReader
from geoscout_places.geo.relevance.model import weigh
from geoscout_places.geo.relevance.published import has_address_inside, has_scope_inside
from geoscout_places.model import EvidencePart, Page, Reading, Relevance, RelevanceRule


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
