"""The places of a page by a common node of GeoWordNet, as Kozanidis, Stamou and Spiros (2009) do.

Their index looks the keywords of a page up in GeoWordNet; where a name has several senses, those
"linked under a common location node" decide. Ours takes the places that the geoparser's trained
models found. With the setting `index_places=common-node` the index is made their way, to compare:
docs/results/geowordnet.md has the figures.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from geoscout.store.base import StoredPlace
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.wordnet import (
    GeoWordNet,
    Synset,
    load_geowordnet,
    lowest_common_node,
    steps_up,
)
from geoscout_places.model import Kind, Place
from geoscout_places.toponyms.geowordnet import GeoWordNetNames
from geoscout_places.toponyms.short_texts import ToponymReader

_MOST_NAMES = 100  # of a page; the work grows with their square
_REMEMBERED = 20_000
_CERTAIN = 1.0  # of every mention: nothing is weighed


class CommonNodes:
    """Reads the places of texts, all in the way of the paper."""

    def __init__(self, gazetteer: Gazetteer, geowordnet: GeoWordNet | None = None) -> None:
        """`geowordnet` None is the one that ships."""
        self._gazetteer = gazetteer
        self._synsets = (geowordnet or load_geowordnet()).synsets
        self._names = GeoWordNetNames(gazetteer, geowordnet=geowordnet)
        self._reader = ToponymReader(gazetteer, vocabulary=self._names)
        self._above = lru_cache(_REMEMBERED)(lambda o: steps_up(self._synsets[o], self._synsets))

    def places(self, text: str) -> list[StoredPlace]:
        """The places that a text names, and the node that it is about as its main place."""
        (found,) = self._reader.in_texts([text])
        chosen = self.resolve(toponym.name for toponym in found)
        counts = Counter(chosen[t.name].offset for t in found if t.name in chosen)
        total = counts.total()
        placed = {o: place for o in counts if (place := self.place_of(self._synsets[o]))}
        main = self._about(counts, placed)
        places = {
            place.id: StoredPlace(
                place, (), counts[o], _CERTAIN, counts[o] / total, is_main=place.id == main
            )
            for o, place in placed.items()
        }
        if main and main not in places and (node := self._gazetteer.place(main)):
            places[main] = StoredPlace(node, (), 1, _CERTAIN, 1.0, is_main=True)
        return list(places.values())

    def resolve(self, names: Iterable[str]) -> dict[str, Synset]:
        """The sense of each name: that which the other names have the narrowest nodes with."""
        senses = {name: self._names.senses(name) for name in dict.fromkeys(names)}
        senses = {name: found for name, found in list(senses.items())[:_MOST_NAMES] if found}
        return {
            name: found[0]
            if len(found) == 1
            else max(found, key=lambda sense: self._support(name, sense, senses))
            for name, found in senses.items()
        }

    def _support(self, name: str, sense: Synset, senses: Mapping[str, Sequence[Synset]]) -> float:
        """How near the other names are to a sense in the hierarchy; equals keep their order."""
        return sum(
            max(self._closeness(sense, other) for other in found)
            for other_name, found in senses.items()
            if other_name != name
        )

    def _closeness(self, one: Synset, other: Synset) -> float:
        """1 for the same place, less for each step to the common node; 0 where there is none."""
        up, across = self._above(one.offset), self._above(other.offset)
        steps = [up[node] + across[node] for node in up.keys() & across.keys()]
        return 1 / (1 + min(steps)) if steps else 0.0

    def _about(self, counts: Counter[int], placed: Mapping[int, Place]) -> int:
        """The id of the node that the places of the likeliest country are linked under (K-13)."""
        by_country: Counter[str] = Counter()
        for offset, place in placed.items():
            by_country[place.country] += counts[offset]
        if not by_country:
            return 0
        country = by_country.most_common(1)[0][0]
        inside = [o for o, place in placed.items() if place.country == country]
        narrow = [o for o in inside if placed[o].kind is not Kind.COUNTRY] or inside
        node = lowest_common_node([self._synsets[o] for o in narrow], self._synsets)
        about = self.place_of(node) if node else None
        return about.id if about else 0

    def place_of(self, synset: Synset) -> Place | None:
        """The place of a synset, or of the narrowest of what it is part of."""
        for offset in sorted(
            self._above(synset.offset), key=self._above(synset.offset).__getitem__
        ):
            id = self._synsets[offset].place_id
            if id is not None and (place := self._gazetteer.place(id)):
                return place
        return None
