"""What was found in pages, of one visit or of many, for readers that can ask for many at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from geoscout.model import Point
from geoscout.store.base import StoredAddress, StoredPlace, StoredReading


class BatchedReadings(ABC):
    """The part of a `CrawlReader` that needs no more than three questions to its database."""

    def addresses_of(self, n: int) -> Sequence[StoredAddress]:
        return self._addresses_of([n]).get(n, [])

    def places_of(self, n: int) -> Sequence[StoredPlace]:
        return self._places_of([n]).get(n, [])

    def points_of(self, n: int) -> Sequence[tuple[Point, str]]:
        return self._points_of([n]).get(n, [])

    def readings_of(self, visits: Collection[int]) -> dict[int, StoredReading]:
        places, addresses = self._places_of(visits), self._addresses_of(visits)
        points = self._points_of(visits)
        return {
            n: StoredReading(places.get(n, []), addresses.get(n, []), points.get(n, []))
            for n in {*places, *addresses, *points}
        }

    @abstractmethod
    def _places_of(self, visits: Collection[int]) -> Mapping[int, Sequence[StoredPlace]]: ...

    @abstractmethod
    def _addresses_of(self, visits: Collection[int]) -> Mapping[int, Sequence[StoredAddress]]: ...

    @abstractmethod
    def _points_of(self, visits: Collection[int]) -> Mapping[int, Sequence[tuple[Point, str]]]: ...
