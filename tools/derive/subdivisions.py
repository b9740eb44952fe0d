"""ISO 3166-2 subdivisions: native names of regions and the codes used in addresses.

GeoNames' region codes are its own ("DE.02"), so the two are joined by name within the
country. Codes are taken only where people write them behind a town: elsewhere they would
make place names out of ordinary abbreviations.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tools.derive.geometry import Point
from tools.derive.names import fold
from tools.derive.pins import SUBDIVISIONS
from tools.derive.sources import Library

_COUNTRIES_WITH_CODES = frozenset({"US", "CA", "AU", "CH", "DE", "BR", "IN"})
# "Zurich (fra), Zurigo (ita)"; the English ones are mostly nicknames ("Land of the Rose").
_NATIVE_NAME = re.compile(r"([^,()]+) \((?!eng\b)[a-z]{3}[^)]*\)")


@dataclass(frozen=True)
class Subdivision:
    """`code` is the part behind the country, '' where nobody writes it in addresses."""

    code: str
    names: tuple[str, ...]
    point: Point | None


class Subdivisions:
    """Finds the subdivision a GeoNames region is."""

    def __init__(self, by_name: dict[tuple[str, str], list[Subdivision]]) -> None:
        self._by_name = by_name

    def find(self, region_code: str, names: Iterable[str]) -> Subdivision | None:
        """The one subdivision of the country that bears one of the names."""
        country = region_code.split(".", maxsplit=1)[0]
        for name in names:
            found = self._by_name.get((country, fold(name)), [])
            if len(found) == 1:
                return found[0]
        return None


def read_subdivisions(library: Library) -> Subdivisions:
    """All subdivisions that stand directly below a country."""
    by_name: dict[tuple[str, str], list[Subdivision]] = defaultdict(list)
    countries = library.read_json(SUBDIVISIONS, "iso3166_2/iso3166-2.json")
    for country, records in countries.items():
        for code, record in records.items():
            subdivision = _make_subdivision(country, code, record)
            for name in {fold(name) for name in subdivision.names}:
                by_name[country, name].append(subdivision)
    return Subdivisions(by_name)


def _make_subdivision(country: str, code: str, record: dict[str, object]) -> Subdivision:
    suffix = code.split("-", 1)[1]
    wanted = country in _COUNTRIES_WITH_CODES and suffix.isalpha()
    others = [name.strip() for name in _NATIVE_NAME.findall(str(record["localOtherName"] or ""))]
    position = record["latLng"]
    point = None
    if isinstance(position, list) and len(position) == 2:
        point = (round(float(position[0]), 4), round(float(position[1]), 4))
    names = tuple(filter(None, [str(record["name"]), *others]))
    return Subdivision(suffix if wanted else "", names, point)
