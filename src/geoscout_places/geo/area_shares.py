"""How much of what a page or site names lies in which countries, regions and squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict, TypeVar

from geoscout_places.geo.mentions.senses import Whereabouts
from geoscout_places.model import Place

Area = TypeVar("Area", str, int)
WhereaboutsOf = Callable[[Place], Whereabouts]


class SharesOfAreas(TypedDict):
    """The shares as the records of sites have them."""

    countries: tuple[tuple[str, float], ...]
    regions: tuple[tuple[int, float], ...]
    squares: tuple[tuple[int, float], ...]


class AreaShares:
    """Shares that are added up."""

    def __init__(self) -> None:
        self._countries: dict[str, float] = {}
        self._regions: dict[int, float] = {}
        self._squares: dict[int, float] = {}

    def add(self, where: Whereabouts, share: float) -> None:
        """Add the share of a place that is there."""
        if where.country:
            self._countries[where.country] = self._countries.get(where.country, 0.0) + share
        if where.region:
            self._regions[where.region] = self._regions.get(where.region, 0.0) + share
        for square in filter(None, where.squares):
            self._squares[square] = self._squares.get(square, 0.0) + share

    def at_least(self, share: float = 0.0) -> SharesOfAreas:
        """The shares that are not smaller."""
        return {
            "countries": _at_least(share, self._countries.items()),
            "regions": _at_least(share, self._regions.items()),
            "squares": _at_least(share, self._squares.items()),
        }


def _at_least(share: float, items: Iterable[tuple[Area, float]]) -> tuple[tuple[Area, float], ...]:
    return tuple(item for item in items if item[1] >= share)
