"""Universities and railway stations: landmarks that packages name.

The list of the world's universities has no coordinates. A university is put in the town that its
name names, if that can be only one; others are left out. American colleges have coordinates of
their own. Of the German stations those are taken that are called a station, which are mostly the
main ones: others are called as their town is. Stations of other countries are in packages under a
share-alike licence only; well-known ones are in `curated/features`.
"""

import csv
import io
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tools.derive.geometry import distance_km
from tools.derive.landmarks import Landmark
from tools.derive.names import fold, read_common_words, stable_id
from tools.derive.pins import AMERICAN_COLLEGES, GERMAN_STATIONS, UNIVERSITIES
from tools.derive.places import Place
from tools.derive.postal_names import dominant
from tools.derive.sources import Library, format_rows, header_of, record_rows, write_xz

FILE = "landmarks.institutions.tsv.xz"
_LEAST_TOWN = 10_000  # inhabitants
_SAME_TOWN_KM = 30.0
_LONGEST_NAME = 70
_MOST_WORDS = 3  # of a town's name
_DECIMALS = 3  # of the points of universities, which are wider than a hundred metres
_LINKS = frozenset("of de di at in da do du des del zu von d i w".split())
_SAINTS = frozenset("san santa santo sao saint st sankt sainte".split())
_UNIVERSITY = re.compile(
    r"universi|college|institut|hochschule|academ|akadem|school|polytech|école"
)
_PLAIN = re.compile(r"University of ([^\W\d_]+)")
_GERMAN = frozenset({"DE", "AT", "CH"})
_MAIN_STATION = re.compile(r" (?:Hbf|Hauptbahnhof)$")
_ASIDE = re.compile(r" \(([^)]*)\)")
_STATION = re.compile(r" \w*(?:Hbf|[Bb]ahnhof|kreuz)$")


def derive(library: Library, places: Iterable[Place], out: Path) -> None:
    """Write the table.

    Raises:
        ValueError: two rows have one id.
    """
    towns = Towns(places, read_common_words(library))
    rows = [
        *make_universities(_read_universities(library), towns),
        *make_colleges(json.loads(library.read(AMERICAN_COLLEGES, "data/us-colleges.json"))),
        *make_stations(_read_stations(library)),
    ]
    repeated = [id for id, count in Counter(row.id for row in rows).items() if count > 1]
    if repeated:
        raise ValueError(f"two institutions have the id {repeated[0]}")
    rows.sort(key=lambda row: (row.kind, row.country, row.name))
    size = write_xz(out / FILE, format_rows(header_of(Landmark), record_rows(rows)))
    print(f"{FILE}: {len(rows):,} rows, {size:,} bytes", file=sys.stderr)


class Towns:
    """Finds the town that the name of an institution names."""

    def __init__(self, places: Iterable[Place], words: Iterable[str] = ()) -> None:
        self._words = set(words)
        self._by_name: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for place in places:
            if place.population >= _LEAST_TOWN:
                for name in {fold(name) for name in (place.name, *place.names)}:
                    self._by_name[place.country, name].append(place)

    def named_in(self, name: str, country: str) -> Place | None:
        """The only town that is named at the beginning, the end or after a preposition."""
        words = re.sub(r"[^\w]+", " ", fold(name)).split()
        found: dict[int, Place] = {}
        start = 0
        while start < len(words):
            length = self._longest(words, start, country, found)
            start += length or 1
        first, *others = found.values() or (None,)
        if first is None or any(_is_elsewhere(first, other) for other in others):
            return None
        return first

    def _longest(self, words: list[str], start: int, country: str, found: dict[int, Place]) -> int:
        """Note the town whose name begins here; gives the number of its words, 0 for none."""
        for length in range(min(_MOST_WORDS, len(words) - start), 0, -1):
            is_linked = start > 0 and words[start - 1] in _LINKS
            is_edge = start == 0 or start + length == len(words)
            name = " ".join(words[start : start + length])
            # "Oxford" is a word too, but not in "University of Oxford".
            if not (is_linked or (is_edge and name not in self._words)) or words[start] in _SAINTS:
                continue
            bearers = self._by_name.get((country, name))
            if bearers and (town := dominant(bearers)):
                found[town.id] = town
                return length
        return 0


def _is_elsewhere(one: Place, other: Place | None) -> bool:
    return other is None or (
        distance_km(one.latitude, one.longitude, other.latitude, other.longitude) > _SAME_TOWN_KM
    )


def make_universities(rows: Iterable[tuple[str, str]], towns: Towns) -> Iterator[Landmark]:
    """Universities outside the United States, by country and name."""
    known = {(country, fold(name)): name for country, name in rows}
    names = set(known.values())
    for (country, _), name in sorted(known.items()):
        if country == "US" or not is_university(name):
            continue
        if town := towns.named_in(name, country):
            yield Landmark(
                id=stable_id("university", f"{country}|{fold(name)}"),
                name=name,
                kind="university",
                latitude=round(town.latitude, _DECIMALS),
                longitude=round(town.longitude, _DECIMALS),
                country=country,
                names=tuple(other for other in further_names(name, country) if other not in names),
            )


def is_university(name: str) -> bool:
    """Whether a name is long enough to be nothing else, and short enough to be written.

    >>> [is_university(name) for name in ("University of Oxford", "ESIEE", "Oxford")]
    [True, False, False]
    """
    return len(name) <= _LONGEST_NAME and " " in name and bool(_UNIVERSITY.search(name.lower()))


def further_names(name: str, country: str) -> Iterator[str]:
    """What a university that has only the name of its town is called, too.

    >>> [list(further_names(name, "GB")) for name in ("University of Oxford", "Brunel University")]
    [['Oxford University'], []]
    """
    if plain := _PLAIN.fullmatch(name):
        yield f"{plain[1]} University"
        if country in _GERMAN:
            yield f"Universität {plain[1]}"


def make_colleges(records: Iterable[Mapping[str, object]]) -> Iterator[Landmark]:
    """American universities and colleges whose name only one has."""
    wanted = [record for record in records if is_university(str(record["name"]))]
    counts = Counter(fold(str(record["name"])) for record in wanted)
    for record in wanted:
        name = " ".join(str(record["name"]).split())
        if counts[fold(name)] == 1:
            yield Landmark(
                id=stable_id("university", f"US|{fold(name)}"),
                name=name,
                kind="university",
                latitude=round(float(str(record["latitude"])), _DECIMALS),
                longitude=round(float(str(record["longitude"])), _DECIMALS),
                country="US",
                names=(),
            )


def make_stations(records: Iterable[Mapping[str, object]]) -> Iterator[Landmark]:
    """German stations that are called a station."""
    for record in records:
        name, location = str(record["name"]), record["location"]
        if _STATION.search(name) and isinstance(location, Mapping):
            main, *others = station_names(name)
            yield Landmark(
                id=stable_id("station", f"DE|{record['id']}"),
                name=main,
                kind="station",
                latitude=round(float(location["latitude"]), 4),
                longitude=round(float(location["longitude"]), 4),
                country="DE",
                names=tuple(others),
            )


def station_names(name: str) -> list[str]:
    """How a station is written, the usual name first.

    >>> station_names("Frankfurt (Main) Hbf")
    ['Frankfurt Hauptbahnhof', 'Frankfurt Hbf', 'Hauptbahnhof Frankfurt', \
'Frankfurt (Main) Hauptbahnhof', 'Frankfurt (Main) Hbf']
    >>> station_names("Berlin Ostbahnhof")
    ['Berlin Ostbahnhof']
    """
    bare = _ASIDE.sub("", name)
    town = _MAIN_STATION.sub("", bare)
    if town == bare:
        return list(dict.fromkeys((bare, name)))
    long = _MAIN_STATION.sub("", name)
    forms = [f"{town} Hauptbahnhof", f"{town} Hbf", f"Hauptbahnhof {town}"]
    return list(dict.fromkeys((*forms, f"{long} Hauptbahnhof", f"{long} Hbf")))


def _read_universities(library: Library) -> list[tuple[str, str]]:
    text = library.read(UNIVERSITIES, "world-universities.csv").decode()
    return [(row[0], " ".join(row[1].split())) for row in csv.reader(io.StringIO(text)) if row]


def _read_stations(library: Library) -> Iterator[Mapping[str, object]]:
    for line in library.read(GERMAN_STATIONS, "data.ndjson").decode().splitlines():
        yield json.loads(line)
