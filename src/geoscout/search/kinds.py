"""Kinds of places in queries: "capitals in Africa", "island museum".

A page about Sicily need not say that it is an island; GeoWordNet does. So a word that names a kind
of place is also met by pages about places of that kind. That counts where the words of a query are
nothing but such a kind, and where few pages have all words; in other queries words such as "port"
mostly mean something else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from geoscout.index.schema import inflections
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.wordnet import GeoWordNet, PlaceClass, load_geowordnet

# Places that a kind must have. With fewer nothing is gained; with more, as "city", it is nearly
# every place.
_FEWEST, _MOST = 5, 300
_MOST_NAMES = 40  # that are looked for in one query
_LONGEST = 3  # words of a kind: "body of water"

# The names that `kinds_by_name` gives. A query with none of them need not wait for GeoWordNet.
_NAMES = """
    aegean island, african country, american state, archipelago, asian country,
    australian state, bay, borough, bridge, canadian province, canal, cantilever bridge, cape,
    capital, central american country, channel, city district, colony, continent, country,
    county, desert, empire, european country, french region, gulf, hill, island, isthmus,
    italian region, lake, mountain peak, national capital, national park, ocean, park, peak,
    peninsula, port, port of entry, possession, promontory, provincial capital, range, region,
    river, sea, seashore, south american country, state, state capital, strait, street,
    suspension bridge, tableland, town, university, valley, village, volcano, waterfall
"""
KIND_NAMES = frozenset(name.strip() for name in " ".join(_NAMES.split()).split(","))


@dataclass(frozen=True, slots=True)
class PlaceKind:
    """A kind of place that words of a query name."""

    name: str  # "island"
    offsets: tuple[int, ...]  # of the classes of GeoWordNet with this name
    rest: tuple[int, ...]  # positions of the query's other words

    @property
    def is_all(self) -> bool:
        """Whether the query has no other words."""
        return not self.rest


def find_kind(words: Sequence[str]) -> PlaceKind | None:
    """The kind of place that some of the words name, the longest name first; None for none."""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            named = words[start : start + length]
            for name in _forms(named):
                if name in KIND_NAMES and (offsets := kinds_by_name().get(name)):
                    taken = range(start, start + length)
                    rest = tuple(n for n in range(len(words)) if n not in taken)
                    return PlaceKind(name, offsets, rest)
    return None


def _forms(words: Sequence[str]) -> Iterator[str]:
    """The words as one name, with the last in other forms: "national capitals"."""
    before = words[:-1]
    for last in (words[-1], *inflections(words[-1])):
        yield " ".join((*before, last))


@lru_cache(maxsize=1)
def kinds_by_name() -> dict[str, tuple[int, ...]]:
    """The kinds one can ask for by their folded names, with the offsets of their classes."""
    wordnet = load_geowordnet()
    places = wordnet.synsets.values()
    all_of = Counter(kind.offset for synset in places for kind in wordnet.kinds(synset))
    called = Counter(offset for synset in places for offset in synset.classes)
    usual = {offset for offset, times in called.items() if times >= _FEWEST}
    usual |= {wide for offset in usual for wide in _heads(wordnet.classes[offset], wordnet)}
    found: dict[str, list[int]] = defaultdict(list)
    for offset in usual:
        if _FEWEST <= all_of[offset] <= _MOST:
            found[fold(wordnet.classes[offset].words[0])].append(offset)
    return {name: tuple(sorted(offsets)) for name, offsets in found.items()}


def _heads(kind: PlaceClass, wordnet: GeoWordNet) -> Iterator[int]:
    """The wider kinds that a kind has in its name: a national capital is called a capital.

    It is a seat and a center too, but nobody calls it so.
    """
    for offset in kind.hypernyms:
        wider = wordnet.classes.get(offset)
        if wider and kind.words[0].endswith(f" {wider.words[0]}"):
            yield offset


def names_of_kind(kind: PlaceKind, place_id: int) -> list[str]:
    """The names of what is of a kind and part of a place, and is not in the gazetteer.

    Few lakes, rivers and mountains are; pages are found by their names then.
    """
    wordnet = load_geowordnet()
    found = [
        synset
        for synset in wordnet.synsets.values()
        if synset.place_id is None
        and any(known.offset in kind.offsets for known in wordnet.kinds(synset))
        and any(whole.place_id == place_id for whole in wordnet.wholes(synset))
    ]
    return [name for synset in found for name in synset.words][:_MOST_NAMES]


def is_of_kind(place_id: int, kind: PlaceKind) -> bool:
    """Whether a place of the gazetteer is of a kind."""
    wordnet = load_geowordnet()
    return any(
        known.offset in kind.offsets
        for synset in wordnet.of_place(place_id)
        for known in wordnet.kinds(synset)
    )
