"""Pages related by their places, and the hierarchy of places to browse.

Kozanidis, Stamou and Spiros (2009) link the pages of their index by the proximity of their places,
where no author did: spatial, to pages at the same place and at the nearest others; and semantic, to
pages about what is part of the place, what it is part of, and what is of the same kind by
GeoWordNet, as one island is related to the next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from geoscout.index.base import Index, PlaceField, Wanted, Where
from geoscout.index.places import NO_SYNSET, PlaceTable, SynsetPlaces
from geoscout.search.query_words import kinds_by_name
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place

_PLACES_LOOKED_AT = 40  # the nearest ones; most are of another kind, or the page's own
_TOWNS = frozenset((Kind.CITY, Kind.NEIGHBOURHOOD, Kind.LANDMARK))
_MOST_OF_A_PLACE = 3  # so that one neighbour does not fill the list


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """A page, and by which place it is related."""

    url: str
    title: str
    place: Place
    distance_km: float
    why: str  # "at the same place", "12 km away", "in Portugal too", "another capital"


@dataclass(frozen=True, slots=True)
class RelatedPages:
    """The pages around a page."""

    place: Place | None  # its main place, from which the others are seen; None where it has none
    near: tuple[RelatedPage, ...] = ()  # the nearest first
    alike: tuple[RelatedPage, ...] = ()  # parts, wholes and kinds of the place


@dataclass(frozen=True, slots=True)
class Related:
    """Relates the pages of one index."""

    index: Index
    gazetteer: Gazetteer
    table: PlaceTable
    synsets: SynsetPlaces

    def of(self, url: str, limit: int = 6) -> RelatedPages | None:
        """The pages related to one by its URL; None where the index does not have it."""
        slot = self.index.slot_of(url)
        if slot is None:
            return None
        place = self.gazetteer.place(int(self.index.main_places(np.array([slot]))[0]))
        if place is None:
            return RelatedPages(None)
        taken = {slot}
        near = tuple(self._first(self._near(place), place, taken, limit))
        return RelatedPages(
            place, near, tuple(self._first(self._alike(place), place, taken, limit))
        )

    def _near(self, place: Place) -> Iterator[tuple[Where, str]]:
        """Where pages are that are near, the nearest first."""
        yield Where((place.id,), field=PlaceField.STRONG), "at the same place"
        for other in self.table.nearest(place.point, _PLACES_LOOKED_AT):
            is_like = other.kind is place.kind or {other.kind, place.kind} <= _TOWNS
            if is_like and other.id != place.id:
                away = distance_km(place.point, other.point)
                yield Where((other.id,), field=PlaceField.STRONG), f"{away:.0f} km away"

    def _alike(self, place: Place) -> Iterator[tuple[Where, str]]:
        """Where pages are whose places mean something like it, the narrowest relation first."""
        parts = [part.id for part in self.gazetteer.children(place) if part.id in self.table.pages]
        if parts:
            yield Where(tuple(parts), field=PlaceField.DIRECT), f"part of {place.name}"
        around = (place, *self.gazetteer.ancestors(place))
        known = (
            self.synsets.of_place(one.id)
            for one in around
            if {one.kind, place.kind} <= _TOWNS or one is place
        )
        synset = next((synset for synset in known if synset.offset), NO_SYNSET)
        for name, offsets in _narrowest_first(synset.kinds):
            yield Where(offsets, field=PlaceField.KIND), f"another {name}"
        above = [outer for outer in around[1:] if outer.kind is not Kind.CONTINENT]
        wholes = [self.synsets.place(id) or self.gazetteer.place(id) for id in synset.wholes]
        for whole in (*filter(None, wholes), *above):
            yield Where((whole.id,), field=PlaceField.DIRECT), f"about {whole.name}, around it"

    def _first(
        self, wheres: Iterator[tuple[Where, str]], place: Place, taken: set[int], limit: int
    ) -> Iterator[RelatedPage]:
        """The first pages that are not taken yet."""
        left = limit
        for where, why in wheres:
            if not left:
                return
            found = self.index.find(Wanted(where=(where,)), len(taken) + limit).slots
            fresh = [slot for slot in sorted(found.tolist()) if slot not in taken]
            fresh = fresh[: min(left, _MOST_OF_A_PLACE)]
            taken.update(fresh)
            left -= len(fresh)
            yield from self._pages(fresh, place, why)

    def _pages(self, slots: Sequence[int], place: Place, why: str) -> Iterator[RelatedPage]:
        rows = np.array(slots, np.int64)
        if not len(rows):
            return
        mains = map(self.gazetteer.place, self.index.main_places(rows).tolist())
        for head, main in zip(self.index.heads(rows), mains, strict=True):
            own = main or place
            away = distance_km(place.point, own.point)
            yield RelatedPage(head.url, head.title, own, away, why)


def _narrowest_first(kinds: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The kinds that one can ask for, by name, in the order of what a place is."""
    known = set(kinds)
    named = [(name, o) for name, o in kinds_by_name().items() if known.intersection(o)]
    yield from sorted(named, key=lambda kind: min(map(kinds.index, known.intersection(kind[1]))))


@dataclass(frozen=True, slots=True)
class Branch:
    """A place with what is above and right below it, and how many pages belong to each."""

    place: Place | None  # None at the top, above the continents
    pages: int
    above: tuple[tuple[Place, int], ...]  # from the continent down
    children: tuple[tuple[Place, int], ...]  # those with pages, the most first


def branch_at(index: Index, gazetteer: Gazetteer, place: Place | None, most: int = 200) -> Branch:
    """The part of the hierarchy around a place."""

    def counted(places: Sequence[Place]) -> tuple[tuple[Place, int], ...]:
        return tuple((one, index.pages_at(one.id)) for one in places)

    inside = gazetteer.children(place) if place else gazetteer.of_kind(Kind.CONTINENT)
    children = sorted((child for child in counted(inside) if child[1]), key=lambda child: -child[1])
    above = gazetteer.ancestors(place)[::-1] if place else ()
    pages = index.pages_at(place.id) if place else index.page_count
    return Branch(place, pages, counted(above), tuple(children[:most]))
