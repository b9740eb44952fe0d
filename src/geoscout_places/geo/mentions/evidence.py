"""What the sure names of a page, and the other pages of its site, say about the unsure ones.

Countries, regions and squares of the map of the places already believed, with weights.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from geoscout_places.geo.mentions.senses import NameFacts, Senses
from geoscout_places.model import SiteKnowledge

_ENOUGH = 0.4  # weight from which an area is one the page is about
_ENOUGH_WITH_OWN = 1.2  # the same for a name that is part of the evidence
# What the site says counts as this many names of the page. On local news 2 to 8 do equally well.
_SITE_NAMES = 4.0


class Weights:
    """What speaks for which area."""

    __slots__ = ("countries", "regions", "squares")

    def __init__(self) -> None:
        self.countries: dict[str, float] = {}
        self.regions: dict[int, float] = {}
        self.squares: dict[int, float] = {}

    def add(self, senses: Senses, sign: float) -> None:
        """Count what a name may mean for the areas that lies in, or take it out again."""
        countries, regions, squares = self.countries, self.regions, self.squares
        for number, share in senses.shares:
            gain = sign * share
            if country := senses.countries[number]:
                countries[country] = countries.get(country, 0.0) + gain
            if region := senses.regions[number]:
                regions[region] = regions.get(region, 0.0) + gain
            first, second = senses.squares[2 * number], senses.squares[2 * number + 1]
            if first:
                squares[first] = squares.get(first, 0.0) + gain
                squares[second] = squares.get(second, 0.0) + gain

    def add_site(self, site: SiteKnowledge) -> None:
        """Count what the other pages of the site name."""
        for country, share in site.countries:
            self.countries[country] = self.countries.get(country, 0.0) + _SITE_NAMES * share
        for region, share in site.regions:
            self.regions[region] = self.regions.get(region, 0.0) + _SITE_NAMES * share
        for square, share in site.squares:
            self.squares[square] = self.squares.get(square, 0.0) + _SITE_NAMES * share


class Areas(NamedTuple):
    """Those areas that have enough weight to count as what the page is about."""

    countries: frozenset[str]
    regions: frozenset[int]
    squares: frozenset[int]


class PageEvidence:
    """The weights of a page; each name counts once, shared out over its likeliest senses."""

    def __init__(
        self,
        names: Iterable[tuple[str, NameFacts]],
        country_hint: str = "",
        site: SiteKnowledge | None = None,
    ) -> None:
        names = list(names)
        self.sources = (names, country_hint, site)  # what the same evidence can be made of
        self.weights = Weights()
        self.total = 0.0
        self._own: dict[str, Senses] = {}
        self._districts: frozenset[int] | None = None
        self._surroundings: frozenset[int] | None = None
        if country_hint:
            self.weights.countries[country_hint] = self.total = 1.0
        for name, facts in names:
            self.total += 1.0
            senses = self._own[name] = facts.senses()
            self.weights.add(senses, 1.0)
        # Not in the total: names that the page itself has do not count less for it.
        if site is not None:
            self.weights.add_site(site)
        self.areas = self._areas(_ENOUGH)
        self.areas_with_own = self._areas(_ENOUGH_WITH_OWN)

    def districts(self) -> frozenset[int]:
        """Ids of all districts that the names may mean."""
        if self._districts is None:
            self._districts = frozenset().union(
                *[senses.districts for senses in self._own.values()]
            )
        return self._districts

    def surroundings(self) -> frozenset[int]:
        """Ids of all countries, regions and districts that the names may lie in."""
        if self._surroundings is None:
            self._surroundings = frozenset().union(
                *[senses.around for senses in self._own.values()]
            )
        return self._surroundings

    def _areas(self, least: float) -> Areas:
        weights = self.weights
        return Areas(
            frozenset([country for country, weight in weights.countries.items() if weight > least]),
            frozenset([region for region, weight in weights.regions.items() if weight > least]),
            frozenset([square for square, weight in weights.squares.items() if weight > least]),
        )

    def has(self, name: str) -> bool:
        """Whether the name is part of the evidence."""
        return name in self._own

    def mute(self, name: str) -> None:
        """Leave out what a name has put in, so that it does not speak for itself."""
        if name in self._own:
            self.weights.add(self._own[name], -1.0)

    def unmute(self, name: str) -> None:
        """Take up again what a name has put in."""
        if name in self._own:
            self.weights.add(self._own[name], 1.0)
