"""Finds the gazetteer entry of a WordNet place by its names and by what contains it.

The method is that of Buscaldi and Rosso (2008): an entry is a candidate when it bears one of
the synset's words, and the synset's wholes decide between candidates. Theirs left the rest to
chance, which sends Leeds to a hamlet; here the classes must agree, the first-level region
counts besides the country, the gloss helps where WordNet names no whole, and the largest
population wins. A river is never the town of that name: no link is better than a wrong one.

From the tables and not from their sources, so that every link points at a row that ships.
"""

import csv
import lzma
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.derive.geometry import distance_km
from tools.derive.names import fold

_INSTITUTIONS = {"university", "station"}  # organisations in WordNet, not places
_DIRECTIONS = {"north", "south", "east", "west"}  # names of regions that say no more


@dataclass(frozen=True)
class Entry:
    """A gazetteer entry; `region` is a code such as "US.GA", "" for what is wider."""

    id: int
    name: str
    kind: str
    country: str
    region: str
    population: int
    point: tuple[float, float]
    keys: frozenset[str]


def name_key(name: str) -> str:
    """Bring a spelling into the form in which WordNet's and the gazetteer's meet.

    >>> name_key("St. John's") == name_key("Saint Johns")
    True
    """
    plain = " ".join(re.sub(r"[.,()/]", " ", fold(name)).split())
    return re.sub(r"^st ", "saint ", plain.removeprefix("the "))


def read_entries(data_folder: Path, wanted: Collection[str]) -> Iterator[Entry]:
    """Read the entries that bear a wanted name, and all countries and regions."""
    for row in _read_rows(data_folder, "places"):
        kind = "neighbourhood" if row["feature"] == "PPLX" else "city"
        yield from _make_entry(row, kind, f"{row['country']}.{row['admin1']}", wanted)
    for row in _read_rows(data_folder, "areas"):
        code = ".".join(row["code"].split(".")[:2])
        yield from _make_entry(row, row["kind"], code if "." in code else "", wanted)
    for row in _read_rows(data_folder, "landmarks"):
        if row["kind"] in _INSTITUTIONS:
            continue
        yield from _make_entry(row, row["kind"], "", wanted)


def _read_rows(data_folder: Path, table: str) -> Iterator[dict[str, str]]:
    """Read a table that may be cut into parts (``places.eu1.tsv.xz``)."""
    for path in sorted(data_folder.glob(f"{table}.*tsv.xz")):
        with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _make_entry(
    row: Mapping[str, str], kind: str, region: str, wanted: Collection[str]
) -> Iterator[Entry]:
    keys = {name_key(name) for name in (row["name"], *row["names"].split("|")) if name}
    if kind not in ("country", "region"):
        keys.intersection_update(wanted)
    if keys and name_key(row["name"]) not in _DIRECTIONS:
        yield Entry(
            id=int(row["id"]),
            name=row["name"],
            kind=kind,
            country=row["country"],
            region=region,
            population=int(row.get("population") or 0),
            point=(float(row["latitude"]), float(row["longitude"])),
            keys=frozenset(keys),
        )


# Which kinds of entries each sort of place may be linked to, the best first. The sorts stand in
# the order in which they are linked: a city is found by its country and region. An island or
# peninsula may be the country or region that covers it; no table has mountains yet.
_KINDS: Mapping[str, tuple[str, ...]] = {
    "continent": ("continent", "country"),
    "country": ("country", "region"),
    "region": ("region", "area", "district", "country"),
    "island": ("area", "country", "region", "district"),
    "water": ("water",),
    "mountain": ("mountain",),
    "land": ("area",),
    "other": ("water", "area"),
    "settlement": ("city", "neighbourhood"),
    "section": ("neighbourhood", "city", "district"),
    "structure": ("airport",),
}

# Territories with a country code of their own, and the neighbour WordNet calls them part of.
_TERRITORIES: Mapping[str, str] = {
    territory: country
    for country, territories in (
        ("CN", "HK MO TW"),
        ("DK", "FO"),
        ("FI", "AX"),
        ("GB", "GG GI IM JE"),
        ("IL", "PS"),
        ("IT", "SM VA"),
        ("MA", "EH"),
        ("NO", "SJ"),
    )
    for territory in territories.split()
}

# How much people count in a town that bears the name as a part of its main name, as Heroica
# Matamoros does, or as an alias.
_SHORT_SHARE = 0.2
_ALIAS_SHARE = 0.02
_SECTION_KM = 60.0  # a section of a city lies this near to the city
_REACH_KM = 3000.0  # a part lies this near to the middle of a wide area: the West Indies, Polynesia
_NAMED_IN = re.compile(
    r"\b(?:in|of) (?:the )?(?:[a-z-]+ )*((?:[A-Z][\w.'-]*)(?: (?:of )?[A-Z][\w.'-]*)*)"
)


@dataclass(frozen=True)
class Subject:
    """A WordNet place to be found; `sort` is a key of the table above."""

    offset: int
    words: tuple[str, ...]
    sort: str
    wholes: tuple[int, ...]
    gloss: str


class Georeferencer:
    """Links subjects to entries, the containing ones first."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_key: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            for key in sorted(entry.keys):
                self._by_key[key].append(entry)

    def link(self, subjects: Sequence[Subject]) -> dict[int, Entry]:
        """Find the entries of the subjects, by offset; what could not be found is left out."""
        by_offset = {subject.offset: subject for subject in subjects}
        order = list(_KINDS)
        links: dict[int, Entry] = {}
        for subject in sorted(subjects, key=lambda subject: order.index(subject.sort)):
            offsets = wholes_of(subject, by_offset)
            entry = self.find(subject, [links[offset] for offset in offsets if offset in links])
            if entry:
                links[subject.offset] = entry
        return links

    def find(self, subject: Subject, wholes: Sequence[Entry]) -> Entry | None:
        """Find the entry of a subject, given the entries of its wholes."""
        sort = subject.sort
        keys = word_keys(subject.words)
        named = self._named_in(subject.gloss, {entry.country for entry in wholes if entry.country})
        candidates = [
            entry
            for entry in self._bearers(keys)
            if entry.kind in _KINDS[sort]
            and (has_main_name(entry, keys) or entry not in (*wholes, *named))
            and (sort != "section" or _is_near_city(entry, wholes))
        ]
        circles = [_sovereign(candidates, keys)] if sort == "country" else []
        circles += [*_inside(candidates, keys, wholes, named), _unbound(candidates, keys, wholes)]
        circle = next(filter(None, circles), [])
        return max(circle, key=lambda entry: (*_rank(entry, sort, keys), -entry.id), default=None)

    def _bearers(self, keys: Collection[str]) -> list[Entry]:
        return list({entry.id: entry for key in keys for entry in self._by_key[key]}.values())

    def _named_in(self, gloss: str, countries: Collection[str]) -> list[Entry]:
        """Find the countries and regions the gloss puts the place in ("in western Georgia")."""
        for match in _NAMED_IN.finditer(gloss.split(";", maxsplit=1)[0]):
            named = [
                entry
                for entry in self._by_key.get(name_key(match[1]), ())
                if entry.kind in ("country", "region")
                and (not countries or entry.country in countries)
            ]
            if named:
                key = {name_key(match[1])}
                return [entry for entry in named if has_main_name(entry, key)] or named
        return []


def _inside(
    candidates: Sequence[Entry],
    keys: Collection[str],
    wholes: Sequence[Entry],
    named: Sequence[Entry],
) -> list[list[Entry]]:
    """Give the candidates in the regions, in the countries, and in the countries' territories."""
    countries = {entry.country for entry in (*wholes, *named) if entry.country}
    regions = {entry.region for entry in wholes if entry.kind == "region"}
    inside = [entry for entry in candidates if entry.country in countries]
    narrow = [entry for entry in inside if entry.region in (regions or _named_regions(named))]
    if regions:
        # Outside its region only what no other place of the country is called: Sevastopol, to
        # WordNet part of Crimea.
        proper = [entry for entry in inside if has_main_name(entry, keys)]
        inside = [entry for entry in inside if not entry.region] or _alone(proper)
    territories = [entry for entry in candidates if _TERRITORIES.get(entry.country) in countries]
    return [narrow, inside, territories]


def _alone(entries: list[Entry]) -> list[Entry]:
    return entries if len(entries) == 1 else []


def _named_regions(named: Iterable[Entry]) -> set[str]:
    """Give the regions a gloss names, without those that share the name of their country."""
    countries = {entry.country for entry in named if entry.kind == "country"}
    return {entry.region for entry in named if entry.region and entry.country not in countries}


def _sovereign(candidates: Sequence[Entry], keys: Collection[str]) -> list[Entry]:
    """Give the countries that bear the name, or the only one that has it as an alias."""
    countries = [entry for entry in candidates if entry.kind == "country"]
    proper = [entry for entry in countries if has_main_name(entry, keys)]
    return proper or _alone(countries)


def _unbound(
    candidates: Sequence[Entry], keys: Collection[str], wholes: Sequence[Entry]
) -> list[Entry]:
    """Give what needs no country to be told apart: seas, wide areas, and lone bearers of a name."""
    wide = [entry for entry in candidates if not entry.country and _is_in_reach(entry, wholes)]
    areas = [entry for entry in candidates if entry.kind in ("area", "country", "region")]
    if any(entry.country for entry in wholes):
        # A far territory of the country, as American Samoa; anything else must lie inside.
        areas = [entry for entry in areas if entry.kind == "country" and has_main_name(entry, keys)]
    lone = _lone_bearers(areas, keys)
    return wide or [entry for entry in lone if _is_in_reach(entry, wholes)]


def _lone_bearers(areas: Sequence[Entry], keys: Collection[str]) -> list[Entry]:
    """Give the bearers of a name when they lie in one country: main name, part of it, or alias.

    A region must bear it as main name: Wales is not Gaul, even if it is listed as "Gallia".
    """
    ways = (
        [entry for entry in areas if has_main_name(entry, keys)],
        [
            entry
            for entry in areas
            if any(name_key(entry.name).startswith(f"{key} ") for key in keys)
        ],
        [entry for entry in areas if entry.kind != "region"],
    )
    bearers = next(filter(None, ways), [])
    return bearers if len({entry.country for entry in bearers}) == 1 else []


def wholes_of(subject: Subject, subjects: Mapping[int, Subject]) -> list[int]:
    """List everything a subject is part of, directly or not, the nearest first."""
    found: dict[int, None] = {}
    pending = list(subject.wholes)
    for offset in pending:
        if offset not in found and offset in subjects:
            found[offset] = None
            pending.extend(subjects[offset].wholes)
    return list(found)


def word_keys(words: Iterable[str]) -> set[str]:
    """Give the keys of a synset's words, without abbreviations that stand next to full names."""
    full = {name_key(word) for word in words if not (len(word) <= 3 and word.isupper())}
    return full or {name_key(word) for word in words}


def _rank(entry: Entry, sort: str, keys: Collection[str]) -> tuple[int, float, float]:
    """Order candidates: by kind, areas by main name before alias, then by population.

    With settlements the two are weighed: Delhi, of which "New Delhi" is an alias, is not New
    Delhi, but León is León de los Aldama. To bear several of the words counts as much as people.
    """
    kind = -_KINDS[sort].index(entry.kind)
    share = _share(entry, keys)
    if entry.kind in ("city", "neighbourhood"):
        words = len(entry.keys.intersection(keys))
        return kind, 0.0, (entry.population + 1) * share * words
    return kind, share, entry.population


def _share(entry: Entry, keys: Collection[str]) -> float:
    if has_main_name(entry, keys):
        return 1.0
    name = f" {name_key(entry.name)} "
    return _SHORT_SHARE if any(f" {key} " in name for key in keys) else _ALIAS_SHARE


def has_main_name(entry: Entry, keys: Collection[str]) -> bool:
    """Tell whether one of the keys is the entry's main name and not an alias."""
    return name_key(entry.name) in keys


def _is_near_city(entry: Entry, wholes: Iterable[Entry]) -> bool:
    cities = [whole for whole in wholes if whole.kind == "city"]
    return not cities or any(_distance(entry, city) <= _SECTION_KM for city in cities)


def _is_in_reach(entry: Entry, wholes: Iterable[Entry]) -> bool:
    areas = [whole for whole in wholes if whole.kind == "area" and not whole.country]
    return not areas or any(_distance(entry, area) <= _REACH_KM for area in areas)


def _distance(entry: Entry, other: Entry) -> float:
    return distance_km(*entry.point, *other.point)
