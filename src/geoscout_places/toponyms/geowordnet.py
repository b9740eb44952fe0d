"""The names of GeoWordNet as a vocabulary: how they stand in texts, and which places they mean.

Kozanidis, Stamou and Spiros (2009) know no other names. There are 4,500 of them, against half a
million in the gazetteer, so small towns are missing and few names are ordinary words.

The senses of a name stand in WordNet's order. Those without coordinates (rivers, mountains,
buildings) count only where no sense of the name has any; such a place is then taken to be where
the narrowest place is that it is part of.
"""

from collections.abc import Iterator, Sequence

import daachorse

from geoscout_places.gazetteer.automaton import Automaton, NameSearch, written_forms
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.wordnet import GeoWordNet, Synset, load_geowordnet
from geoscout_places.model import Kind, Place
from geoscout_places.toponyms.finding import HomeArea
from geoscout_places.toponyms.short_texts import Toponym
from geoscout_places.toponyms.words import ORDINARY, UNKNOWN, read_words

FEW_LETTERS = 3  # an alias this short is a code: IN, LA, NYC


class GeoWordNetNames:
    """Looks up names in GeoWordNet; a `Vocabulary` of a `ToponymReader`."""

    def __init__(
        self,
        gazetteer: Gazetteer,
        home: HomeArea | None = None,
        geowordnet: GeoWordNet | None = None,
    ) -> None:
        """`geowordnet` None is the one that ships."""
        self._gazetteer = gazetteer
        self._home = home
        self._geowordnet = geowordnet or load_geowordnet()
        self._uses = read_words()

    def automaton(self) -> NameSearch:
        """It finds every name that is written with a capital."""
        words = {word for synset in self._geowordnet.synsets.values() for word in _names_of(synset)}
        forms = {form for word in words for form in written_forms(word) if form[:1].isupper()}
        return Automaton(sorted(forms), daachorse.MATCH_KIND_LEFTMOST_LONGEST)

    def look_up(self, name: str) -> Toponym | None:
        """The places a name means, in WordNet's order; None where it means no place.

        A name that is also an ordinary word means only places at home, else a country: China, but
        not Reading, and not Man for its isle.
        """
        synsets = self.senses(name)
        places = self._places(synsets)
        if self._uses.get(name.lower(), UNKNOWN).uses >= ORDINARY:
            places = list(filter(self._is_home, places)) or self._countries(name, synsets)
        if not places:
            return None
        distinct = {place.id: place for place in places}
        return Toponym(name, tuple(distinct.values()), len(name.split()))

    def senses(self, name: str) -> list[Synset]:
        """The synsets of a name, likeliest first; those it is a short alias of are left out."""
        folded = fold(name)
        return [
            synset
            for synset in self._geowordnet.senses(name)
            if any(fold(word) == folded for word in _names_of(synset))
        ]

    def _places(self, synsets: Sequence[Synset]) -> list[Place]:
        own = list(filter(None, map(self._place, synsets)))
        return own or list(filter(None, map(self._place_around, synsets)))

    def _countries(self, name: str, synsets: Sequence[Synset]) -> list[Place]:
        own = filter(None, map(self._place, synsets if len(name) > FEW_LETTERS else ()))
        return [place for place in own if place.kind is Kind.COUNTRY]

    def _place(self, synset: Synset) -> Place | None:
        return None if synset.place_id is None else self._gazetteer.place(synset.place_id)

    def _place_around(self, synset: Synset) -> Place | None:
        return next(filter(None, map(self._place, self._geowordnet.wholes(synset))), None)

    def _is_home(self, place: Place) -> bool:
        return self._home is not None and self._home.contains_place(place)


def _names_of(synset: Synset) -> Iterator[str]:
    """The words of a synset without its short aliases: Louisiana and Pelican State, not LA."""
    yield synset.words[0]
    for word in synset.words[1:]:
        if sum(map(str.isalnum, word)) > FEW_LETTERS:
            yield word
