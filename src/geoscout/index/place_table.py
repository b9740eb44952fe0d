"""The places an index has: their names for spelling, their points for the nearest one.

Read once for each commit of the index, when it is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from geoscout.index.base import Index, Wanted
from geoscout_places.gazetteer.areas.sphere import EARTH_RADIUS_KM
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, NameRole, Place, Point

_WITH_ALL_NAMES = 500  # places whose names in other languages may be misspelt too
_ALIKE = 5  # names that may be spelt equally like a given one
_SHORTEST_NAME = 4  # letters of such a name


@dataclass(frozen=True, slots=True)
class PlaceNames:
    """The folded names of the places an index has, those with the most pages first."""

    names: tuple[str, ...]

    def nearest(self, folded: str, least_similarity: float) -> str:
        """The name spelt most like the given one; "" when none is similar enough."""
        # rapidfuzz takes 20 ms to import and is needed only when a name was mistyped.
        from rapidfuzz import process  # noqa: PLC0415
        from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415

        found = process.extract(
            folded,
            self.names,
            scorer=DamerauLevenshtein.normalized_similarity,
            score_cutoff=least_similarity,
            limit=_ALIKE,
        )
        # Of equals one as long as what was written: "minchen" is "munchen" before "minche".
        best = max(found, key=lambda f: (f[1], -abs(len(f[0]) - len(folded))), default=None)
        return str(best[0]) if best else ""


@dataclass(frozen=True)
class PlaceTable:
    """The places an index has, with the number of pages that belong to each."""

    places: dict[int, Place]
    pages: dict[int, int]
    ids: npt.NDArray[np.int64]
    degrees: npt.NDArray[np.float64]  # latitude and longitude of each
    gazetteer: Gazetteer

    @classmethod
    def read(cls, reader: Index, gazetteer: Gazetteer) -> PlaceTable:
        pages = reader.count_places(Wanted())
        known = [place for id in pages if (place := gazetteer.place(id)) is not None]
        degrees = [(place.point.latitude, place.point.longitude) for place in known]
        return cls(
            {place.id: place for place in known},
            pages,
            np.array([place.id for place in known], np.int64),
            np.array(degrees, np.float64).reshape(-1, 2),
            gazetteer,
        )

    def names(self, *, with_others: bool = False) -> PlaceNames:
        """Their names; with those in other languages of the places with the most pages."""
        return self._all_names if with_others else self._own_names

    @cached_property
    def countries(self) -> tuple[str, ...]:
        """Codes of countries, that with the most pages first."""
        found = [place for place in self._ordered if place.kind is Kind.COUNTRY]
        return tuple(place.country for place in found)

    def pages_in(self, country: str) -> int:
        """How many pages belong to a country, by its code."""
        found = (p for p in self.places.values() if p.kind is Kind.COUNTRY and p.country == country)
        return max((self.pages[place.id] for place in found), default=0)

    @cached_property
    def _ordered(self) -> list[Place]:
        return sorted(self.places.values(), key=lambda place: -self.pages[place.id])

    @cached_property
    def _own_names(self) -> PlaceNames:
        return PlaceNames(tuple(dict.fromkeys(fold(place.name) for place in self._ordered)))

    @cached_property
    def _all_names(self) -> PlaceNames:
        known = self._ordered[:_WITH_ALL_NAMES]
        others = self.gazetteer.names(known)
        names = [
            fold(name)
            for place in known
            for name, role in others.get(place.id, ())
            if role != NameRole.CODE and len(name) >= _SHORTEST_NAME
        ]
        return PlaceNames(tuple(dict.fromkeys((*self._own_names.names, *names))))

    def nearest(self, point: Point, limit: int) -> list[Place]:
        """The places nearest to a point, the nearest first."""
        distances = distances_km(point, self.degrees[:, 0], self.degrees[:, 1])
        order = np.argsort(distances, kind="stable")[:limit]
        return [self.places[int(id)] for id in self.ids[order]]


def distances_km(
    point: Point, latitudes: npt.NDArray[np.floating], longitudes: npt.NDArray[np.floating]
) -> npt.NDArray[np.float64]:
    """Great-circle distances from one point to many, as `sphere.distance_km` measures one."""
    north, others = np.radians(point.latitude), np.radians(latitudes.astype(np.float64))
    half_turn = np.radians(longitudes.astype(np.float64) - point.longitude) / 2
    haversine = (
        np.sin((others - north) / 2) ** 2 + np.cos(north) * np.cos(others) * np.sin(half_turn) ** 2
    )
    measured: npt.NDArray[np.float64] = (
        2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(haversine, 1.0)))
    )
    return measured
