"""Addresses whose last line is "Postcode Town": most of Europe.

The postcode is the trigger. The town follows it and has to be one that this postcode serves, or
one close by; the street is on the left, or, as some write it, on the right of the town.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from geoscout.geo.address import towns
from geoscout.geo.address.base import Finding, Sighting, Street, StreetEvidence, Town
from geoscout.geo.address.left_walk import Grammar, find_street
from geoscout.geo.address.postal_town import PostalLine, may_be_served
from geoscout.geo.address.segments import leftward

# The triggers of these countries: a number of that many digits with a capitalised word behind it.
_CAPITAL = "(?=[A-ZÄÖÜÀÂÇÉÈÊÎÔŒ])"
FIVE_DIGITS = rf"(?<![0-9])(?<![0-9][.,/-])[0-9]{{5}}[\s,]{{1,3}}{_CAPITAL}"
# What may be a year has to begin a line, or to follow a separator or a house number.
FOUR_DIGITS = (
    rf"(?<![0-9])(?<![0-9][.,/-])(?:(?!1[89]|20)[1-9][0-9]{{3}}[\s,]{{1,3}}"
    rf"|(?:(?<![^\n,|•·–(-])|(?<=[,|•·–(0-9-] ))(?:1[89]|20)[0-9]{{2}} {{1,2}}){_CAPITAL}"
)

# A country's letters before its postcode: "D-10117", "CH 8001", "A - 1210".
_PREFIX = re.compile(
    r"(?<![\w.])(A|AT|B|BE|CH|CZ|D|DE|DK|E|ES|F|FL|FR|H|HU|I|IT|L|LI|LU|N|NL|NO|PL|S|SE|SI|SK)"
    r"\s?[-–—]?\s?$"
)
_RIGHT_WINDOW = 80
_IN = re.compile(r"\sin\s$")  # "Hauptstr. 5 in 10117 Berlin"


@dataclass(frozen=True, slots=True)
class PostalCountry:
    """A country that writes the postcode before the town."""

    country: str
    code_length: int
    prefixes: frozenset[str]
    grammar: Grammar
    # What the post adds to a town ("Zürich 1", "Paris Cedex 15"), and the word in it that is
    # proof of an address.
    mark: re.Pattern[str] = re.compile(r"\s[0-9]{1,2}(?![\w.])")
    proof: str = ""


def read(sighting: Sighting, country: PostalCountry) -> Finding | None:
    """The address whose postcode begins where the sighting does."""
    code = sighting.text[sighting.start : sighting.start + country.code_length]
    rows = sighting.gazetteer.postcodes(country.country, code)
    if _is_year(code) and not may_be_served(sighting, rows):
        return None
    prefix = _PREFIX.search(sighting.text, max(0, sighting.start - 6), sighting.start)
    if prefix and prefix[1] not in country.prefixes:
        return None
    line = PostalLine(sighting, country.country, rows, country.mark, country.proof)
    town = line.read_town()
    if town is None:
        return None
    start = prefix.start() if prefix else sighting.start
    street = _read_street(sighting, start, town, country)
    if not _is_enough(town, street, code, is_prefixed=prefix is not None):
        return None
    parts = [part for part in (street, town) if part]
    point = towns.nearest_point(rows, town.place)
    first, last = min(start, parts[0].start), max(part.end for part in parts)
    return Finding(first, last, street, town, "", postcode=code, point=point)


def _is_year(code: str) -> bool:
    return len(code) == 4 and "1800" <= code <= "2099"


def _read_street(
    sighting: Sighting, start: int, town: Town, country: PostalCountry
) -> Street | None:
    before = _IN.search(sighting.text, max(0, start - 4), start)
    end = before.start() if before else start
    street = find_street(leftward(sighting.text, sighting.leftmost, end), country.grammar)
    if street is None or street.evidence < StreetEvidence.UNNUMBERED:
        return _street_behind(sighting, town, country) or street
    return street


def _street_behind(sighting: Sighting, town: Town, country: PostalCountry) -> Street | None:
    """The street on the right: "1190 Wien, Hohe Warte 38"."""
    end = sighting.text.find("\n", town.end, town.end + _RIGHT_WINDOW)
    end = end if end >= 0 else min(len(sighting.text), town.end + _RIGHT_WINDOW)
    segments = list(leftward(sighting.text, town.end, end))
    if not segments or segments[-1].before not in (",", "|", "•", "·", "-", "–"):
        return None
    street = country.grammar.read_street(segments[-1])
    return street if street and street.evidence >= StreetEvidence.LIKELY else None


def _is_enough(town: Town, street: Street | None, code: str, *, is_prefixed: bool) -> bool:
    evidence = street.evidence if street else StreetEvidence.NONE
    if not town.is_proven:
        return evidence >= StreetEvidence.LIKELY or evidence is StreetEvidence.BOX
    return evidence > StreetEvidence.NONE or is_prefixed or len(code) >= 5
