"""The places of an index: how a page hangs in their hierarchy, their names, points and synsets.

What a page says of a town, its county inherits. The result is one small tree per area: leaves are
the places the page names, inner places are those that contain them. The share of an inner place is
the sum over what lies right inside, unless the page's scope gave it more itself.

GeoWordNet adds what people speak of besides: New England, Scandinavia, the Balkans. Each place
carries its synset, and hangs below what GeoWordNet says it is part of and the gazetteer does not.
A synset that is not in the gazetteer has a number of its own, so that it can be a place all the
same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from geoscout.index.base import ADDRESS, DIRECT, MAIN, PART, Index, PlaceEvidence, PlaceRows, Wanted
from geoscout_places.gazetteer.areas.sphere import EARTH_RADIUS_KM
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.wordnet import GeoWordNet, Synset, load_geowordnet
from geoscout_places.model import Kind, NameRole, Place, Point

if TYPE_CHECKING:
    from geoscout.index.base import Numbers

STRONG = ADDRESS | MAIN
_MOST_MENTIONS = 65_535

_ABOUT = 0.3  # the share of a page's scope from which the page is about a place
_TRACE = 0.1  # a smaller share is that of a name in passing

Ancestors = Callable[[int], Sequence[int]]  # of a place, from its parent upwards


@dataclass(frozen=True, slots=True)
class PlaceSynset:
    offset: int = 0  # of its synset; 0 where it has none
    wholes: tuple[int, ...] = ()  # places it is part of that the hierarchy above it does not have
    kinds: tuple[int, ...] = ()  # offsets of what it is, the narrow kinds and the wide


SynsetOf = Callable[[int], PlaceSynset]
NO_SYNSET = PlaceSynset()


def no_synset(_place: int) -> PlaceSynset:
    """For an index without GeoWordNet."""
    return NO_SYNSET


@dataclass(frozen=True, slots=True)
class HierarchyRow:
    """One place of a page's hierarchy, with all that the page says of it or inside it."""

    place_id: int
    share: float
    mentions: int
    flags: int  # DIRECT where the page itself names it; ADDRESS, MAIN also when inherited
    synset: int = 0  # of GeoWordNet; 0 where it has none

    @property
    def is_about(self) -> bool:
        """Whether the page belongs to the place rather than names it in passing."""
        return bool(self.flags & STRONG) or self.share >= _TRACE


def are_about(rows: PlaceRows) -> Numbers:
    """The same of many rows: which of them are more than names in passing."""
    found: Numbers = (rows.flags & STRONG > 0) | (rows.shares >= _TRACE)
    return found


def hang(
    evidence: Iterable[PlaceEvidence], ancestors: Ancestors, synset_of: SynsetOf = no_synset
) -> list[HierarchyRow]:
    """The rows of every place of the page's hierarchy, in the order of their ids."""
    given = {part.place_id: part for part in evidence if part.place_id}
    parents: dict[int, int] = {}
    depths: dict[int, int] = {}
    flags: dict[int, int] = defaultdict(int)
    mentions: dict[int, int] = defaultdict(int)
    for part in given.values():
        path = (part.place_id, *ancestors(part.place_id))
        parents |= zip(path, (*path[1:], 0), strict=True)
        depths |= zip(path, range(len(path), 0, -1), strict=True)
        flags[part.place_id] |= DIRECT
        passed_on = ADDRESS * part.has_address | MAIN * part.is_main
        for id in path:
            flags[id] |= passed_on
            mentions[id] += part.mentions
    shares = {id: part.share for id, part in given.items()}
    _add_up(shares, parents, sorted(depths, key=lambda id: -depths[id]))
    rows = {
        id: HierarchyRow(
            id, shares[id], min(mentions[id], _MOST_MENTIONS), flags[id], synset_of(id).offset
        )
        for id in parents
    }
    rows |= _hang_parts(rows, parents, synset_of)
    return [rows[id] for id in sorted(rows)]


def kinds_about(evidence: Iterable[PlaceEvidence], synset_of: SynsetOf) -> set[int]:
    """The kinds of the places a page is about: capitals, islands; offsets of GeoWordNet."""
    places = (p.place_id for p in evidence if p.is_main or p.has_address or p.share >= _ABOUT)
    return {kind for id in places for kind in synset_of(id).kinds}


def _hang_parts(
    rows: dict[int, HierarchyRow], parents: dict[int, int], synset_of: SynsetOf
) -> dict[int, HierarchyRow]:
    """The rows of what the places are part of by GeoWordNet, with all that their parts have."""
    parts: dict[int, set[int]] = defaultdict(set)
    for id in rows:
        for whole in synset_of(id).wholes:
            parts[whole].add(id)
    return {
        whole: _join(
            whole, [rows[id] for id in inside if parents[id] not in inside], rows, synset_of
        )
        for whole, inside in parts.items()
    }


def _join(
    whole: int, parts: list[HierarchyRow], rows: dict[int, HierarchyRow], synset_of: SynsetOf
) -> HierarchyRow:
    """The row of a whole; each of the parts is inside none of the others."""
    own = rows.get(whole, HierarchyRow(whole, 0.0, 0, 0))
    flags = own.flags
    for part in parts:
        flags |= PART | part.flags & STRONG
    return HierarchyRow(
        whole,
        max(own.share, min(1.0, sum(part.share for part in parts))),
        min(_MOST_MENTIONS, own.mentions + sum(part.mentions for part in parts)),
        flags,
        synset_of(whole).offset,
    )


def _add_up(shares: dict[int, float], parents: dict[int, int], deepest_first: list[int]) -> None:
    """Give every place what its children have together, if that is more than its own."""
    inside: dict[int, float] = defaultdict(float)
    for id in deepest_first:
        shares[id] = min(1.0, max(shares.get(id, 0.0), inside[id]))
        inside[parents[id]] += shares[id]


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


_FIRST_ID = -(10**14)  # below every id of the gazetteer; an offset has eight digits
# Wholes of these kinds are in the hierarchy of the gazetteer, which is newer than WordNet.
_ADMINISTRATIVE = (
    Kind.CONTINENT, Kind.COUNTRY, Kind.REGION, Kind.DISTRICT, Kind.CITY, Kind.NEIGHBOURHOOD,
)  # fmt: skip
_MOST_PARTS = 500  # of a third of all places one cannot say more: the northern hemisphere, the West
_PLACES_REMEMBERED = 50_000


class SynsetPlaces:
    """The places of GeoWordNet as an index has them."""

    def __init__(self, gazetteer: Gazetteer, wordnet: GeoWordNet | None = None) -> None:
        self.gazetteer = gazetteer
        self._given = wordnet
        self.of_place = lru_cache(_PLACES_REMEMBERED)(self._of_place)
        self._is_whole = lru_cache(maxsize=None)(self._find_whether_whole)

    @property
    def _wordnet(self) -> GeoWordNet:
        return self._given or load_geowordnet()  # read when it is first asked

    def named(self, name: str) -> list[Place]:
        """The places that only GeoWordNet has under a name, such as the Iberian Peninsula."""
        senses = self._wordnet.senses(name)
        return [
            place
            for synset in senses
            if synset.place_id is None and (place := self._make_place(synset))
        ]

    def place(self, id: int) -> Place | None:
        """A place that only GeoWordNet has, by its id."""
        synset = self._wordnet.synsets.get(_FIRST_ID - id)
        return self._make_place(synset) if synset and synset.place_id is None else None

    def is_part(self, id: int, whole: int) -> bool:
        """Whether a place, or what contains it, is part of another by GeoWordNet."""
        place = self.gazetteer.place(id)
        above = self.gazetteer.ancestors(place) if place else ()
        return any(whole in self.of_place(one).wholes for one in (id, *(p.id for p in above)))

    def _of_place(self, id: int) -> PlaceSynset:
        synsets = self._wordnet.of_place(id)
        if id <= _FIRST_ID and (own := self._wordnet.synsets.get(_FIRST_ID - id)):
            synsets = [own]
        if not synsets:
            return NO_SYNSET
        wholes = [whole for synset in synsets for whole in self._wordnet.wholes(synset)]
        kinds = [kind.offset for synset in synsets for kind in self._wordnet.kinds(synset)]
        ids = dict.fromkeys(_id_of(whole) for whole in wholes if self._is_whole(whole.offset))
        ids.pop(id, None)
        return PlaceSynset(synsets[0].offset, tuple(ids), tuple(dict.fromkeys(kinds)))

    def _find_whether_whole(self, offset: int) -> bool:
        """Whether a synset is worth a place of its own above its parts."""
        synset = self._wordnet.synsets[offset]
        place = self.gazetteer.place(synset.place_id) if synset.place_id else None
        if place is not None and place.kind in _ADMINISTRATIVE:
            return False
        parts = self._wordnet.parts(synset)
        return sum(part.place_id is not None for part in parts) <= _MOST_PARTS

    def _make_place(self, synset: Synset) -> Place | None:
        """The synset as a place in the middle of its parts; None where none is in the gazetteer."""
        if not self._is_whole(synset.offset):
            return None
        ids = [part.place_id for part in self._wordnet.parts(synset) if part.place_id is not None]
        points = [place.point for id in ids if (place := self.gazetteer.place(id))]
        if not points:
            return None
        middle = Point(
            sum(point.latitude for point in points) / len(points),
            sum(point.longitude for point in points) / len(points),
        )
        return Place(_id_of(synset), synset.words[0], Kind.AREA, middle, "")


def _id_of(synset: Synset) -> int:
    return synset.place_id if synset.place_id is not None else _FIRST_ID - synset.offset
