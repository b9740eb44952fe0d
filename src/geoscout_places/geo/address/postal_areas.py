"""Where postcodes lie, for countries whose table of postcodes is not shipped.

The first digits of a postcode say the state or province. So a town that is in the right one, and
the postcode behind it, confirm each other, as a table would do, if less sharply.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import towns
from geoscout_places.model import Kind, Place


class PostalAreas(Struct, frozen=True):
    """The regions of a country by the beginnings of its postcodes."""

    country: str
    starts: Sequence[str]  # the first code of each area, in order; an area ends where one begins
    regions: Sequence[frozenset[str]]  # names in the gazetteer; empty where no code is

    def regions_of(self, code: str) -> frozenset[str]:
        """The regions a code may lie in; empty if there is no such code."""
        index = bisect_right(self.starts, code) - 1
        return self.regions[index] if index >= 0 else frozenset()

    def town_of(self, gazetteer: Gazetteer, name: str, code: str) -> Place | None:
        """The likeliest town of this name in the area of the code."""
        regions = self.regions_of(code)
        for place in towns.settlements(gazetteer, name, self.country) if regions else ():
            if any(a.kind is Kind.REGION and a.name in regions for a in gazetteer.ancestors(place)):
                return place
        return None


def postal_areas(country: str, table: str) -> PostalAreas:
    r"""The areas in a table: a line is the first code of an area and its regions, with bars.

    >>> areas = postal_areas("ZA", "0001 Gauteng\n0300 Gauteng|North West\n0500 Limpopo")
    >>> sorted(areas.regions_of("0450")), areas.regions_of("0000")
    (['Gauteng', 'North West'], frozenset())
    """
    rows = [line.strip().partition(" ") for line in table.strip().splitlines()]
    regions = [frozenset(names.split("|")) if names else frozenset() for _, _, names in rows]
    return PostalAreas(country, [start for start, _, _ in rows], regions)
