"""What GeoWordNet says of the places of an index: synsets, what they are part of, their kinds.

The gazetteer's hierarchy is right about countries, regions and cities. GeoWordNet adds what people
speak of besides: New England, Scandinavia, the Balkans, Southeast Asia. A synset that is not in the
gazetteer has a number of its own here, so that it can be a place of the index all the same.
"""

from __future__ import annotations

from functools import lru_cache

from geoscout.index.hierarchy import NO_SYNSET, PlaceSynset
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.wordnet import GeoWordNet, Synset, load_geowordnet
from geoscout_places.model import Kind, Place, Point

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
