"""What the US Postal Service calls places: post towns GeoNames lacks, and city aliases.

An alias is taken only where it can be nothing else: every ZIP code that lists it has the
same post town, and no other place of the state bears the name.
"""

import bz2
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tools.derive.geometry import distance_km
from tools.derive.names import fold
from tools.derive.pins import US_ZIP_CODES
from tools.derive.places import Place, with_names
from tools.derive.sources import Library, SourceError

_EXTENSION = "zipcodes/_zipcodes.abi3.so"
_BZIP2_START = b"BZh91AY&SY"
_ABBREVIATED = re.compile(
    r"\b(?:[A-Z]|[A-Z][bcdfghjklmnpqrstvwxz]{1,4}|Arpt|Bus|Cty|Ests|Frst|Gdns|Hbr|Ind|Intl|Is|Natl|"
    r"Nas|No|Pk|Rch|So|Spgs|Sta|Ste?|Ter|Univ|Va|Vlg|Arprt|Nyc|Gpo)\b"
)
_INSTITUTION = re.compile(
    r"\b(?:accounting|acct|agency|airport|army|assn|association|bank|base|bell|billing|box(?:es)?|"
    r"bureau|business|capitol|card|carrier|center|central|citibank|city hall|club|code|college|"
    r"command|commission|company|co|corp|corporate|county|court|credit|data|defense|department|"
    r"downtown|electric|energy|express|facility|federal|finance|firm|fund|galleria|general|"
    r"government|group|health|hospital|house|inc|industries|insurance|internal|international|labs?|"
    r"life|mail|main|mall|market|medical|military|motor|mutual|national|naval|navy|office|oil|order|"
    r"payment|plaza|post|postal|power|press|prison|products|publishing|reply|revenue|school|security|"
    r"senate|services?|shopper|social|square|state|station|store|street|student|system|tax|"
    r"telephone|tower|treasury|university|utilities|veterans|zip)\b|[\d/]",
    re.IGNORECASE,
)
_CODES_OF_A_TOWN = 3
_SPELLED_OUT = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}


@dataclass(frozen=True)
class ZipCode:
    """One US ZIP code; `acceptable` names may stand for its city, `unacceptable` ones do."""

    code: str
    kind: str
    city: str
    state: str
    county: str
    timezone: str
    latitude: float
    longitude: float
    acceptable: tuple[str, ...]
    unacceptable: tuple[str, ...]


def read_zip_codes(library: Library) -> list[ZipCode]:
    """The civilian ZIP codes with coordinates, as embedded in the zipcodes extension."""
    binary = library.read(US_ZIP_CODES, _EXTENSION)
    start = binary.find(_BZIP2_START)
    if start < 0:
        raise SourceError(f"{US_ZIP_CODES.file}: no embedded data")
    records = json.loads(bz2.BZ2Decompressor().decompress(binary[start:]))
    return [
        _make_zip_code(record)
        for record in records
        if record["lat"] and record["country"] == "US" and record["zip_code_type"] != "MILITARY"
    ]


def _make_zip_code(record: Mapping[str, object]) -> ZipCode:
    return ZipCode(
        code=str(record["zip_code"]),
        kind=str(record["zip_code_type"]),
        city=" ".join(str(record["city"]).split()),
        state=str(record["state"]),
        county=str(record["county"] or ""),
        timezone=str(record["timezone"] or ""),
        latitude=float(str(record["lat"])),
        longitude=float(str(record["long"])),
        acceptable=tuple(_strings(record["acceptable_cities"])),
        unacceptable=tuple(_strings(record["unacceptable_cities"])),
    )


def _strings(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def match_key(name: str) -> str:
    """Folds a name and spells out Saint, Fort and Mount.

    >>> match_key("St. Louis") == match_key("Saint Louis")
    True
    """
    words = fold(name).replace(".", " ").split()
    return " ".join(_SPELLED_OUT.get(word, word) for word in words)


class StateIndex:
    """US places by state and name, the main name before alternates."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._main: dict[tuple[str, str], list[Place]] = defaultdict(list)
        self._other: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for place in places:
            self._main[place.admin1, match_key(place.name)].append(place)
            for name in place.names:
                self._other[place.admin1, match_key(name)].append(place)

    def find(self, name: str, zip_code: ZipCode, within_km: float = 60.0) -> Place | None:
        """The place of that name in the ZIP code's state that is nearest to it."""
        key = (zip_code.state, match_key(name))
        for candidates in (self._main.get(key), self._other.get(key)):
            if candidates:
                nearest = min(candidates, key=lambda place: _distance(place, zip_code))
                if _distance(nearest, zip_code) <= within_km:
                    return nearest
        return None

    def knows(self, name: str, state: str) -> bool:
        """Whether a place of the state has this as its main name or an alternate."""
        key = (state, match_key(name))
        return key in self._main or key in self._other


def _distance(place: Place, zip_code: ZipCode) -> float:
    return distance_km(place.latitude, place.longitude, zip_code.latitude, zip_code.longitude)


def make_post_towns(
    zip_codes: Iterable[ZipCode], index: StateIndex, counties: Mapping[tuple[str, str], str]
) -> list[Place]:
    """The post towns no gazetteer place answers to; the id is minus their lowest ZIP code."""
    towns: dict[tuple[str, str], list[ZipCode]] = defaultdict(list)
    for zip_code in zip_codes:
        if zip_code.kind != "UNIQUE" and index.find(zip_code.city, zip_code) is None:
            towns[zip_code.state, zip_code.city].append(zip_code)
    return [_make_post_town(group, counties) for _, group in sorted(towns.items())]


def _make_post_town(group: list[ZipCode], counties: Mapping[tuple[str, str], str]) -> Place:
    first = min(group, key=lambda zip_code: zip_code.code)
    return Place(
        id=-int(first.code),
        name=first.city,
        latitude=round(fmean(zip_code.latitude for zip_code in group), 4),
        longitude=round(fmean(zip_code.longitude for zip_code in group), 4),
        country="US",
        admin1=first.state,
        admin2=counties.get((first.state, fold(first.county)), ""),
        population=0,
        timezone=Counter(zip_code.timezone for zip_code in group).most_common(1)[0][0],
        feature="POST",
        names=(),
    )


def find_aliases(
    zip_codes: Sequence[ZipCode], index: StateIndex, words: Collection[str]
) -> dict[int, set[str]]:
    """USPS aliases by the id of the place they belong to.

    `words` are folded names that are too common to be an alias.
    """
    codes_of_city = Counter((zip_code.state, zip_code.city) for zip_code in zip_codes)
    owners: dict[tuple[str, str], set[int]] = defaultdict(set)
    spelling: dict[tuple[str, str], str] = {}
    for zip_code in zip_codes:
        owner = index.find(zip_code.city, zip_code)
        is_city = codes_of_city[zip_code.state, zip_code.city] > _CODES_OF_A_TOWN
        for alias in usable_aliases(zip_code, is_city=is_city):
            key = (zip_code.state, match_key(alias))
            owners[key].add(owner.id if owner else 0)
            spelling.setdefault(key, alias)
    aliases: dict[int, set[str]] = defaultdict(set)
    for key, ids in owners.items():
        name, state = spelling[key], key[0]
        is_plain = fold(name) in words or index.knows(name, state)
        if len(ids) == 1 and 0 not in ids and not is_plain:
            aliases[ids.pop()].add(name)
    return dict(aliases)


def usable_aliases(zip_code: ZipCode, *, is_city: bool) -> list[str]:
    """The aliases of a ZIP code that read as names of places.

    Names that mail must not carry are old villages around a town, but in a city they are
    its post offices ("Santa Claus", New York): there only those that hold the city's own
    name are taken. All names of ZIP codes of a single recipient are companies.
    """
    if zip_code.kind == "UNIQUE":
        return []
    stations = [name for name in zip_code.unacceptable if not is_city or zip_code.city in name]
    return [
        name
        for name in (*zip_code.acceptable, *stations)
        if len(name) > 3 and is_spelled_out(name) and not _INSTITUTION.search(name)
    ]


def is_spelled_out(name: str) -> bool:
    """Whether no word of it is an abbreviation.

    >>> is_spelled_out("Long Is City"), is_spelled_out("E Los Angeles"), is_spelled_out("Encino")
    (False, False, True)
    """
    return not _ABBREVIATED.search(name)


def add_aliases(places: Iterable[Place], aliases: Mapping[int, set[str]]) -> list[Place]:
    """The places, with the USPS aliases among their names."""
    return [
        replace(place, names=with_names(place, aliases[place.id])) if place.id in aliases else place
        for place in places
    ]
