"""Addresses of the United States: "123 Main St, Springfield, IL 62701"."""

import re
from itertools import groupby

from msgspec.structs import replace

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
from geoscout_places.geo.address.english_streets import ENGLISH
from geoscout_places.geo.address.federation import (
    Federation,
    RegionClue,
    read_clue,
    read_with_code_behind_town,
    read_with_known_postcode,
    read_with_region,
    skip_separators,
    with_state,
)
from geoscout_places.geo.address.segments import find_street, leftward, segment_words
from geoscout_places.geo.address.towns import large_town, read_street_and_town
from geoscout_places.geo.address.word_streets import street_grammar
from geoscout_places.geo.lazy_patterns import lazy_pattern

_STATES = {
    "AL": "Alabama|Ala",
    "AK": "Alaska",
    "AZ": "Arizona|Ariz",
    "AR": "Arkansas|Ark",
    "CA": "California|Calif|Cal",
    "CO": "Colorado|Colo",
    "CT": "Connecticut|Conn",
    "DE": "Delaware|Del",
    "DC": "District of Columbia",
    "FL": "Florida|Fla",
    "GA": "Georgia",
    "HI": "Hawaii|Hawai'i",
    "ID": "Idaho",
    "IL": "Illinois|Ill|Ills",
    "IN": "Indiana|Ind",
    "IA": "Iowa",
    "KS": "Kansas|Kans|Kan",
    "KY": "Kentucky|Ken|Kent",
    "LA": "Louisiana",
    "ME": "Maine",
    "MD": "Maryland",
    "MA": "Massachusetts|Mass",
    "MI": "Michigan|Mich",
    "MN": "Minnesota|Minn",
    "MS": "Mississippi|Miss",
    "MO": "Missouri",
    "MT": "Montana|Mont",
    "NE": "Nebraska|Neb|Nebr",
    "NV": "Nevada|Nev",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico|N Mex",
    "NY": "New York",
    "NC": "North Carolina|N Carolina|N Car",
    "ND": "North Dakota|N Dak",
    "OH": "Ohio",
    "OK": "Oklahoma|Okla",
    "OR": "Oregon|Ore|Oreg",
    "PA": "Pennsylvania|Penn|Penna",
    "RI": "Rhode Island",
    "SC": "South Carolina|S Carolina|S Car",
    "SD": "South Dakota|S Dak",
    "TN": "Tennessee|Tenn",
    "TX": "Texas|Tex",
    "UT": "Utah",
    "VT": "Vermont",
    "VA": "Virginia",
    "WA": "Washington|Wash",
    "WV": "West Virginia|W Virginia|W Va",
    "WI": "Wisconsin|Wis|Wisc",
    "WY": "Wyoming|Wyo",
    "PR": "Puerto Rico|P R",
    "VI": "U.S. Virgin Islands|US Virgin Islands|Virgin Islands|USVI",
    "GU": "Guam",
    "AS": "American Samoa",
    "MP": "Northern Mariana Islands|CNMI",
}
_TERRITORIES = frozenset(("PR", "VI", "GU", "AS", "MP"))  # countries of their own in the gazetteer
_SPANISH = street_grammar("es")
_ISLAND_KM = 60.0

_FEDERATION = Federation(
    "US",
    _STATES,
    english_streets.GRAMMAR,
    own_name=lazy_pattern(r"\b(?:USA|U\.S\.A?|United States(?: of America)?)$"),
    area_digits=3,
)

_ZIP = (
    r"(?<=[\s,.|)])[0-9]{5}(?![0-9A-Za-z])(?:-[0-9]{4}(?![0-9]))?|(?<=[A-Z]{2} )[0-9]{9}(?![0-9])"
)
_CODES = "|".join(  # by their first letters: "I\.?[ADLN]" is a quarter of what four codes are
    rf"{first}\.?[{''.join(code[1] for code in codes)}]"
    for first, codes in groupby(sorted(_STATES), key=lambda code: code[0])
)
_NAMES = "|".join(_FEDERATION.codes)
_ABBREVIATIONS = "|".join(
    rf"{name}\." for names in _STATES.values() for name in names.split("|")[1:] if "'" not in name
)
# The look-ahead spares most commas a hundred names.
_STATE = rf",\s{{0,2}}(?=[A-Z])(?:(?:{_CODES})(?![\w'’])|(?:{_NAMES})(?!\w)|{_ABBREVIATIONS})"
# "Chinatown, New York, NY": what looked like the state is the town.
_BETTER_FOLLOWS = lazy_pattern(rf"[\s,.|)]{{1,4}}(?:[0-9]{{5}}(?![0-9])|(?:{_CODES})(?![\w'’]))")


def read_with_zip(sighting: Sighting) -> Finding | None:
    """The address around a ZIP code."""
    finding = read_with_known_postcode(sighting, _FEDERATION, sighting.trigger[:5])
    if finding and finding.region in _TERRITORIES:
        return _in_territory(sighting, finding)
    return finding


def _in_territory(sighting: Sighting, finding: Finding) -> Finding:
    """The finding with the town of the territory; in Puerto Rico the street may be Spanish."""
    town = finding.town
    if town and town.place is None and finding.point:
        name, point = town.name, finding.point
        place = towns.town_near(sighting.gazetteer, name, finding.region, point, _ISLAND_KM)
        town = replace(town, place=place)
    street = finding.street
    if street is None and town and finding.region == "PR":
        segments = leftward(sighting.text, sighting.leftmost, town.start)
        street = find_street(segments, _SPANISH)
    start = min(finding.start, street.start) if street else finding.start
    return replace(finding, start=start, town=town, street=street)


def read_with_state(sighting: Sighting) -> Finding | None:
    """The address around a state behind a comma."""
    if _BETTER_FOLLOWS.match(sighting.text, sighting.end):
        return None  # it is a trigger itself, and the end of the address
    finding = read_with_region(sighting, _FEDERATION)
    if finding is None or finding.town is not None or finding.street is None:
        return finding
    return _in_town(sighting, finding)


def _in_town(sighting: Sighting, finding: Finding) -> Finding:
    """The finding in the town that has the name of the state: "350 Fifth Ave, New York"."""
    name = sighting.trigger.lstrip(", ")
    place = large_town(sighting, name, "US")
    if place is None:
        return finding
    town = Town(sighting.end - len(name), sighting.end, name, place, is_proven=True)
    return with_state(replace(finding, town=town), sighting.gazetteer, _FEDERATION)


def read_with_town(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it, or one with its state."""
    if finding := read_with_code_behind_town(sighting, _FEDERATION):
        return finding
    finding = read_street_and_town(sighting, "US", english_streets.read_street)
    return with_state(finding, sighting.gazetteer, _FEDERATION) if finding else None


# A text that is one short line and nothing but an address: "8128 S. King Drive". It is a form field
# or a column of a table, not a page: that the line begins with a number and is used up by a street
# proves enough, so neither state nor postcode are asked for.
_DOOR_BEHIND = lazy_pattern(r"(?:\S{0,4}[0-9#]\S{0,6}|[NSEW]{1,2}|[()/.\s]){0,6}")
_DOORS = lazy_pattern(r"\W*|(?:[^,]{1,20},\s?){1,2}")  # what may stand before the street
_LINE_START = lazy_pattern(
    r"\s*(?:#?[0-9]|[NSEW][0-9]|(?:one|two|three|suite|ste|apt|unit|room|p\.?\s?o)\b)",
    re.IGNORECASE,
)


def read_line(sighting: Sighting) -> Finding | None:
    """A line that is nothing but an address, with a state at its end or without any."""
    if not _LINE_START.match(sighting.text):
        return None
    end = skip_separators(sighting.text, sighting.end, 0)
    start, state = _FEDERATION.state_before(sighting.text, 0, end)
    if state:
        town_end = skip_separators(sighting.text, start, 0)
        clue = RegionClue(sighting.moved(start, end), state, "", "", (), town_end=town_end)
        finding = read_clue(clue, _FEDERATION)
        if finding and finding.town and finding.street:
            return finding
    return _read_street_line(sighting)


def _read_street_line(sighting: Sighting) -> Finding | None:
    """A street that fills the line, or all of it but a door before and a town behind."""
    street = find_street(leftward(sighting.text, 0, sighting.end), _FEDERATION.grammar)
    if street is None or not _DOORS.fullmatch(sighting.text, 0, street.start):
        return None
    rest = sighting.text[street.end : sighting.end].strip(" ,.")
    if _DOOR_BEHIND.fullmatch(rest) or rest in (street.unit, _quadrant(street)):
        is_street = street.evidence >= StreetEvidence.LIKELY or bool(street.unit)
        is_counted = segment_words(street.name)[0].key in ENGLISH.counted
        found = is_street and not is_counted
        return Finding(street.start, sighting.end, street, None) if found else None
    town = _town_behind(sighting, street, rest)
    return Finding(street.start, sighting.end, street, town) if town else None


def _quadrant(street: Street) -> str:
    return street.name.rpartition(", ")[2]


def _town_behind(sighting: Sighting, street: Street, name: str) -> Town | None:
    places = towns.settlements(sighting.gazetteer, name, _FEDERATION.country)
    start = sighting.text.index(name, street.end)
    return Town(start, start + len(name), name, places[0], is_proven=True) if places else None


def create() -> AddressFormat:
    """The format of the United States."""
    return AddressFormat(
        country="US",
        read_line=read_line,
        triggers=(
            Trigger(_ZIP, read_with_zip),
            Trigger(_STATE, read_with_state),
            Trigger(english_streets.STREET_AND_TOWN, read_with_town),
        ),
    )
