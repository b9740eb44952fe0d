"""Addresses of countries without a format of their own: "Gedimino pr. 1, LT-01103 Vilnius".

A number as long as the country's postcodes stands next to one of its towns, and a street line
next to both. Without a table of postcodes that proves little, so something else has to say the
same: the name of the country behind the address, its letters before the code, a table that was
installed, or that the town is a large one nobody takes for another and the street has a street
word. Where the code comes before the town and where behind it, differs even within a country.

How many digits the postcodes have are facts of the posts of these countries, compared with the
address data of Google's libaddressinput. Countries without postcodes, and those whose codes begin
like British ones, are not here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address import english_streets, towns
from geoscout_places.geo.address.base import (
    AddressFormat,
    Finding,
    Sighting,
    Street,
    StreetEvidence,
    Town,
    Trigger,
)
from geoscout_places.geo.address.continental import (
    BEHIND_TOWN,
    CAPITAL,
    FIVE_DIGITS,
    FOUR_DIGITS,
    SIX_OR_SEVEN_DIGITS,
    THREE_AND_TWO_DIGITS,
    THREE_DIGITS,
)
from geoscout_places.geo.address.countries.europe import FRENCH
from geoscout_places.geo.address.segments import Grammar, combined, find_street, leftward
from geoscout_places.geo.address.word_streets import street_grammar
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.language import all_languages
from geoscout_places.model import Kind, NameRole, Place, Postcode

_BY_LENGTH = {
    3: "AD FO IS MG",
    4: "AF AL AM AZ BD BG CV CY ET GE GL GW LB LR LV MD MK MZ NE PH PY SJ TN VE",
    5: """
        AX BA BT CR CU DO DZ EE EG GR GT HN ID IL IQ JO KE KH KR KW LA LK LT MA ME MM MN MU MV MY
        NI NP PE PK RS SA SD SM SN TH TR TZ UA UY VA VN XK ZM TW
    """,
    6: "BY CN CO EC KG KH KZ NG RO RU SG TJ TM TW UZ VN",
    7: "CL IL",
}
# Letters that people write before the code, other than the code of the country.
PREFIXES: Mapping[str, str] = {
    "EST": "EE",
    "SRB": "RS",
    "BIH": "BA",
    "MNE": "ME",
    "RUS": "RU",
    "KWT": "KW",
}
_LETTERED = frozenset(("AD",))  # whose codes have the letters of the country in them
LENGTHS: Mapping[str, frozenset[int]] = {
    country: frozenset(n for n, some in _BY_LENGTH.items() if country in some.split())
    for countries in _BY_LENGTH.values()
    for country in countries.split()
}


_LANGUAGES = (
    "tr",
    "ro",
    "el",
    "bg",
    "sr",
    "lt",
    "lv",
    "et",
    "is",
    "uk",
    "ru",
    "ms",
    "es",
    "pt",
    "sv",
)
_GRAMMAR = combined(
    street_grammar(*_LANGUAGES),
    english_streets.GRAMMAR,
    FRENCH,
    strangers=3,
)
_SURE_GRAMMAR = replace(_GRAMMAR, bare_strangers=-1)  # passes over what may be something else
_TOWN_BEHIND = lazy_pattern(r"(?:[гм]\. ?)?(?P<town>[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3})")
_TOWN_BEFORE = lazy_pattern(
    r"(?:[^\W\d_][\w.'’-]* ){0,3}[^\W\d_][\w.'’-]*(?=(?:,?[ \n]| ?[-–] ?)(?:[A-Z]{1,3}[-– ]?)?$)"
)
_BOX_BEFORE = lazy_pattern(  # then the number is another one
    r"(?:box|pob|b\.?p|p\.?b|bag|apartado|casilla|tel|phone|fax|nr|no|room|suite|flight|model)\.?$",
    re.IGNORECASE,
)
_LETTERS = lazy_pattern(r"(?<![\w.])([A-Z]{2,3})\s?[-–]?\s?$")
_LONGEST_TOWN = 50  # code points
_RIGHT_WINDOW = 80
# "Piotrkowska 104, Łódź", "Gran Vía, 28, Bilbao", "Calle 50 # 46-36, Medellín"
_NUMBER_AND_TOWN = (
    r"(?:(?<=[^\W\d_][ .])|(?<=, )|(?<=[.:#] )|(?<=[:#]))[0-9]{1,4}(?: ?[A-Za-z](?!\w))?"
    rf"(?:[-–/][0-9]{{1,4}})?(?:, ?|\n){CAPITAL}"
)
_UNMISTAKABLE = 100_000  # inhabitants


class _Spot(Struct, frozen=True):
    """A code with a town next to it."""

    start: int  # of the first of both
    end: int  # of the last
    town_start: int
    town: str
    code: str
    letters: str  # of the country, before the code


def read_code_before_town(sighting: Sighting) -> Finding | None:
    """The address whose postcode is at the sighting, with the town behind it."""
    match = _TOWN_BEHIND.match(sighting.text, sighting.end, sighting.end + _LONGEST_TOWN)
    if match is None:
        return None
    code = sighting.trigger.rstrip(" ,\n\r\t\u00a0")
    words, town_start = match["town"].split(" "), match.start("town")
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count]).rstrip(".-")
        cities = _cities(sighting.gazetteer, name, code)
        if not cities:
            continue
        start, letters = sighting.once(_letters_before)
        if _BOX_BEFORE.search(sighting.text, max(0, start - 10), start - 1):
            return None
        spot = _Spot(start, town_start + len(name), town_start, name, code, letters=letters)
        if finding := _read(sighting, spot, cities):
            return finding
    return None


def read_code_behind_town(sighting: Sighting) -> Finding | None:
    """The address whose postcode is at the sighting, with the town before it."""
    first = max(sighting.leftmost, sighting.start - _LONGEST_TOWN)
    line = sighting.text[first : sighting.start]
    match = _TOWN_BEFORE.search(line[line.rfind("\n", 0, -6) + 1 :])
    if match is None:
        return None
    if _BOX_BEFORE.search(match.group()):
        return None
    words = match.group().split(" ")
    town_end = first + line.rindex(match.group()) + len(match.group())
    for index in range(len(words)):
        name = " ".join(words[index:])
        cities = _cities(sighting.gazetteer, name, sighting.trigger)
        if not cities:
            continue
        _, letters = sighting.once(_letters_before)
        start = town_end - len(name)
        spot = _Spot(start, sighting.end, start, name, sighting.trigger, letters=letters)
        if finding := _read(sighting, spot, cities):
            return finding
    return None


def _letters_before(sighting: Sighting) -> tuple[int, str]:
    """Where the code begins with the letters of its country, and those letters."""
    match = _LETTERS.search(sighting.text, max(0, sighting.start - 6), sighting.start)
    country = PREFIXES.get(match[1], match[1]) if match else ""
    return (match.start(), country) if match and country in LENGTHS else (sighting.start, "")


def _read(sighting: Sighting, spot: _Spot, cities: Iterable[tuple[Place, bool]]) -> Finding | None:
    stated = spot.letters or towns.country_behind(sighting.gazetteer, sighting.text, spot.end)
    for place, is_first in cities:
        if stated and place.country != stated:
            continue
        code = f"{place.country}{spot.code}" if place.country in _LETTERED else spot.code
        rows = sighting.gazetteer.postcodes(place.country, code)
        is_known = bool(stated) or fold(spot.town) in towns.names_of(rows)
        is_unmistakable = is_first and place.population >= _UNMISTAKABLE
        if not is_known and not is_unmistakable:
            continue  # no street would be enough
        segments = leftward(sighting.text, sighting.leftmost, spot.start)
        street = find_street(segments, _GRAMMAR if is_known else _SURE_GRAMMAR)
        street = street or _street_behind(sighting.text, spot.end)
        if _is_enough(street, is_known=is_known):
            return _finding(spot, place, street, rows)
    return None


def _street_behind(text: str, start: int) -> Street | None:
    """The street of "191186, Санкт-Петербург, Невский проспект, д. 28"."""
    if text[start : start + 1] != ",":
        return None
    line = text.find("\n", start, start + _RIGHT_WINDOW)
    end = line if line >= 0 else min(len(text), start + _RIGHT_WINDOW)
    pieces = [*leftward(text, start, end)][:-3:-1]
    street = _GRAMMAR.read_street(pieces[0]) if pieces else None
    if street is None and len(pieces) > 1 and pieces[1].before == ",":
        street = _GRAMMAR.read_pair(*pieces)
    return street if street and street.evidence is StreetEvidence.TYPED else None


def read_town_anywhere(sighting: Sighting) -> Finding | None:
    """The address of a street and a large town behind it, in any language but those below."""
    for town in sighting.once(towns.towns_behind):
        country = town.place.country if town.place else ""
        grammar = _grammar_of(country)
        if grammar is None:
            continue
        found = towns.read_before_town(
            sighting,
            town,
            grammar.read_street,
            grammar.read_pair,
            is_plain=grammar.bare_strangers > 0,
        )
        if found:
            return replace(found, country=country)
    return None


def read_english_street_and_town(sighting: Sighting) -> Finding | None:
    """The same in English outside of its two largest countries."""
    for town in sighting.once(towns.towns_behind):
        country = town.place.country if town.place else ""
        if country in _ENGLISH:
            found = towns.read_before_town(sighting, town, english_streets.read_street)
            return replace(found, country=country) if found else None
    return None


_ENGLISH = frozenset(("AU", "IE", "IN", "NZ", "PH", "SG", "ZA"))
# Streets and towns of these are read by their own formats.
_OWN = frozenset(("AT", "CA", "CH", "DE", "FR", "GB", "LI", "US"))


@cache
def _grammar_of(country: str) -> Grammar | None:
    """How streets are written in the languages of a country; None where others read them."""
    codes = [one.code for one in all_languages() if country in one.countries and one.streets]
    known = [code for code in codes if code != "en"]
    return street_grammar(*known) if known and country not in _OWN else None


def _cities(gazetteer: Gazetteer, name: str, code: str) -> list[tuple[Place, bool]]:
    """The towns of this name in countries with such codes; whether it is what most mean by it."""
    if not name[:1].isupper():
        return []
    cities = [
        candidate.place
        for candidate in gazetteer.candidates(name)
        if candidate.place.kind is Kind.CITY and candidate.role in (NameRole.NAME, NameRole.ALIAS)
    ]
    if not cities:
        return []
    length = sum(map(str.isdigit, code))
    return [
        (place, index == 0)
        for index, place in enumerate(cities)
        if length in LENGTHS.get(place.country, ())
    ]


def _is_enough(street: Street | None, *, is_known: bool) -> bool:
    """Whether a street is proof, next to a town that is known to be there or unmistakable."""
    if street is None or not street.number:
        return False
    least = StreetEvidence.BARE if is_known else StreetEvidence.TYPED
    return street.evidence >= least


def _finding(spot: _Spot, place: Place, street: Street | None, rows: Sequence[Postcode]) -> Finding:
    town_end = spot.town_start + len(spot.town)
    is_lettered = place.country in _LETTERED and spot.letters
    return Finding(
        min(spot.start, street.start if street else spot.start),
        spot.end,
        street,
        Town(spot.town_start, town_end, spot.town, place, is_proven=True),
        postcode=f"{place.country}{spot.code}" if is_lettered else spot.code,
        point=towns.nearest_point(rows, place) or place.point,
        is_tentative=True,
        country=place.country,
    )


def _spoken_countries() -> frozenset[str]:
    countries = {country for one in all_languages() for country in one.countries}
    return frozenset(country for country in countries if _grammar_of(country))


_BEFORE_TOWN = (
    FOUR_DIGITS,
    FIVE_DIGITS,
    THREE_AND_TWO_DIGITS,
    SIX_OR_SEVEN_DIGITS,
    THREE_DIGITS,
)


def create() -> AddressFormat:
    """The format of the rest of the world; asked last, and gives way to all others."""
    return AddressFormat(
        country="ZZ",
        triggers=(
            *(Trigger(pattern, read_code_before_town) for pattern in _BEFORE_TOWN),
            Trigger(BEHIND_TOWN, read_code_behind_town),
            Trigger(_NUMBER_AND_TOWN, read_town_anywhere),
            Trigger(english_streets.STREET_AND_TOWN, read_english_street_and_town),
        ),
        other_countries=frozenset(LENGTHS) | _ENGLISH | _spoken_countries(),
    )
