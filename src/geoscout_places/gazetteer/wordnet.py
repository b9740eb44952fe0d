"""GeoWordNet: the places of WordNet 3.0, their kinds, their parts, and their gazetteer entries.

The gazetteer's own hierarchy is administrative: continent, country, region, district, city.
WordNet's is the one people speak in (the Alps, New England, the Left Bank), and a place may be
part of several others. WordNet also orders the meanings of a name by how often each is meant, and
says what kind of thing a place is.

`load_geowordnet` gives all of it, from the two tables that ship. They are read into memory and
not compiled into the gazetteer's file: 3,065 places take 3 MB, and one object answers every
question.
"""

import csv
import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from io import TextIOWrapper

from msgspec import Struct

from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import DATA_FOLDER

_PLACES = "wordnet.tsv.xz"
_CLASSES = "wordnet.classes.tsv.xz"


class Synset(Struct, frozen=True):
    """A place of WordNet; words, classes and wholes stand in WordNet's order."""

    offset: int  # of the noun synset in WordNet 3.0; 3.1 numbers them differently
    words: tuple[str, ...]
    senses: tuple[int, ...]  # for each word, which of the word's meanings this is; 1 is the first
    classes: tuple[int, ...]  # offsets of what it is an instance of
    wholes: tuple[int, ...]  # offsets of what it is part or member of
    gloss: str
    place_id: int | None  # id in the gazetteer; None when no entry was found for it


class PlaceClass(Struct, frozen=True):
    """A kind of place: "national capital", "river"; the hypernyms of a place are such classes."""

    offset: int
    words: tuple[str, ...]
    hypernyms: tuple[int, ...]  # offsets of the wider classes: a river is a stream


class GeoWordNet:
    """Answers what a name means, of which kind a place is, and what is part of what."""

    def __init__(self, synsets: Iterable[Synset], classes: Iterable[PlaceClass] = ()) -> None:
        self.synsets: Mapping[int, Synset] = {synset.offset: synset for synset in synsets}
        self.classes: Mapping[int, PlaceClass] = {found.offset: found for found in classes}
        self._by_name = _order_senses(self.synsets.values())
        self._by_place: dict[int, list[Synset]] = defaultdict(list)
        self._parts: dict[int, list[Synset]] = defaultdict(list)
        self._by_class: dict[int, list[Synset]] = defaultdict(list)
        for synset in self.synsets.values():
            if synset.place_id is not None:
                self._by_place[synset.place_id].append(synset)
            for whole in synset.wholes:
                self._parts[whole].append(synset)
            for offset in self._classes_of(synset):
                self._by_class[offset].append(synset)

    @property
    def names(self) -> Iterable[str]:
        """Every name a place has, folded."""
        return self._by_name.keys()

    def senses(self, name: str) -> Sequence[Synset]:
        """The places with this name (case, diacritics and punctuation ignored), likeliest first.

        The order is WordNet's: how often each sense was meant in the texts it was counted in.
        """
        return self._by_name.get(fold(name), ())

    def of_place(self, place_id: int) -> Sequence[Synset]:
        """The synsets that are this place of the gazetteer; empty when none is."""
        return self._by_place.get(place_id, ())

    def kinds(self, synset: Synset) -> list[PlaceClass]:
        """What the place is, nearest first: a national capital, a capital, a seat, a center."""
        return [self.classes[offset] for offset in self._classes_of(synset)]

    def of_kind(self, word: str) -> list[Synset]:
        """Every place of a kind or a narrower one: "body of water" finds the rivers."""
        wanted = fold(word)
        named = [
            found.offset
            for found in self.classes.values()
            if any(fold(name) == wanted for name in found.words)
        ]
        found = {synset.offset: synset for offset in named for synset in self._by_class[offset]}
        return list(found.values())

    def wholes(self, synset: Synset) -> list[Synset]:
        """What contains the place, directly or not, the nearest first and each once."""
        return part_of_ancestors(synset, self.synsets)

    def parts(self, synset: Synset) -> list[Synset]:
        """What the place contains, directly or not, the nearest first and each once."""
        found = {synset.offset: synset}
        pending = [synset]
        for current in pending:
            for part in self._parts.get(current.offset, ()):
                if part.offset not in found:
                    found[part.offset] = part
                    pending.append(part)
        return list(found.values())[1:]

    def _classes_of(self, synset: Synset) -> list[int]:
        found = dict.fromkeys(offset for offset in synset.classes if offset in self.classes)
        pending = list(found)
        for current in pending:
            for wider in self.classes[current].hypernyms:
                if wider not in found and wider in self.classes:
                    found[wider] = None
                    pending.append(wider)
        return list(found)


def _order_senses(synsets: Iterable[Synset]) -> dict[str, tuple[Synset, ...]]:
    """The places of each name, in WordNet's order; a place with two spellings of it once."""
    numbered: dict[str, dict[int, int]] = defaultdict(dict)  # name -> offset -> sense
    by_offset = {}
    for synset in synsets:
        by_offset[synset.offset] = synset
        for word, sense in zip(synset.words, synset.senses, strict=True):
            known = numbered[fold(word)]
            known[synset.offset] = min(sense, known.get(synset.offset, sense))
    return {
        name: tuple(by_offset[offset] for offset in sorted(known, key=lambda o: (known[o], o)))
        for name, known in numbered.items()
    }


@lru_cache(maxsize=1)
def load_geowordnet() -> GeoWordNet:
    """The GeoWordNet that ships, read once in a process; it takes 50 ms."""
    return GeoWordNet(read_synsets(), _read_classes())


def read_synsets() -> Iterator[Synset]:
    """Read the table that ships with geoscout, sorted by offset."""
    return map(_make_synset, _read_rows(_PLACES))


def _read_classes() -> Iterator[PlaceClass]:
    for row in _read_rows(_CLASSES):
        words = tuple(row["words"].split("|"))
        yield PlaceClass(int(row["offset"]), words, _numbers(row["hypernyms"]))


def _read_rows(name: str) -> Iterator[Mapping[str, str]]:
    with (DATA_FOLDER / name).open("rb") as packed, lzma.LZMAFile(packed) as plain:
        lines = TextIOWrapper(plain, encoding="utf-8", newline="")
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _make_synset(row: Mapping[str, str]) -> Synset:
    return Synset(
        offset=int(row["offset"]),
        words=tuple(row["words"].split("|")),
        senses=_numbers(row["senses"]),
        classes=_numbers(row["classes"]),
        wholes=_numbers(row["wholes"]),
        gloss=row["gloss"],
        place_id=int(row["place_id"]) if row["place_id"] else None,
    )


def _numbers(joined: str) -> tuple[int, ...]:
    return tuple(int(number) for number in joined.split("|") if number)


def part_of_ancestors(synset: Synset, synsets: Mapping[int, Synset]) -> list[Synset]:
    """List what contains the synset, directly or not, the nearest first and each once."""
    return [synsets[offset] for offset, steps in steps_up(synset, synsets).items() if steps]


def lowest_common_node(members: Sequence[Synset], synsets: Mapping[int, Synset]) -> Synset | None:
    """Find the narrowest place that is each of the members or contains it.

    It is the common node fewest part-of steps away from all members together; of equals, the
    one with the smaller offset. None when they have no common node, or there are no members.
    """
    if not members:
        return None
    climbs = [steps_up(member, synsets) for member in members]
    shared = set(climbs[0]).intersection(*climbs[1:])
    if not shared:
        return None
    return synsets[min(shared, key=lambda offset: (sum(steps[offset] for steps in climbs), offset))]


def steps_up(synset: Synset, synsets: Mapping[int, Synset]) -> dict[int, int]:
    """Count the part-of steps to the synset itself (0) and to everything that contains it.

    A whole that the mapping lacks is passed over, so that a part of the table can be used.
    """
    steps = {synset.offset: 0}
    pending = [synset]
    for current in pending:
        for whole in current.wholes:
            if whole not in steps and whole in synsets:
                steps[whole] = steps[current.offset] + 1
                pending.append(synsets[whole])
    return steps
