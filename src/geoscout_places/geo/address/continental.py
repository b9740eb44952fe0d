"""Addresses whose last line is "Postcode Town": most of Europe.

The postcode is the trigger. The town follows it and has to be one that this postcode serves, or
one close by; the street is on the left, or, as some write it, on the right of the town.

Countries share the patterns of postcodes, also of those that stand behind a town ("Perth 6000"), so
that a text is scanned once for each shape of code and not once for each country.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import towns
from geoscout_places.geo.address.base import (
    LONG_NUMBER,
    AddressFormat,
    Finding,
    Sighting,
    Street,
    StreetEvidence,
    Town,
    Trigger,
)
from geoscout_places.geo.address.postal_town import PostalLine, line_behind, may_be_served
from geoscout_places.geo.address.segments import Grammar, Segment, find_street, leftward
from geoscout_places.geo.address.towns import read_street_and_town
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Postcode

# A country's letters before its postcode: "D-10117", "CH 8001", "A - 1210". A letter behind a
# number is a part of that, and one at the end of a line a door.
_PREFIX = lazy_pattern(
    r"(?<![\w.])(?<![0-9] )(A|AL|AT|B|BA|BE|BG|BIH|BY|CH|CY|CZ|D|DE|DK|E|EE|ES|EST|F|FI|FIN|FL|FR"
    r"|GE|GR|H|HR|HU|I|IS|IT|L|LI|LT|LU|LV|MC|MD|ME|MK|MT|N|NL|NO|P|PL|PT|RO|RS|S|SE|SI|SK|SLO"
    r"|SRB|TR|UA)[ \u00a0]?[-–—]?[ \u00a0]?\Z"
)
_LONGEST_PREFIX = 7
_SEPARATOR = 4  # code points between a street and the code behind it: " - "
_RIGHT_WINDOW = 80
_IN = lazy_pattern(r"\s(?:in|à|en|em|te|op)\s$")  # "Hauptstr. 5 in 10117 Berlin"
_BEFORE_STREET = (",", "|", "•", "·", "-", "–")  # between a town and the street behind it
# Then what looked like the postcode is a house number in Brazil: "1000\nSão Paulo - SP, 01310-100".
_OTHER_CODE = lazy_pattern(
    r"[\s/,–-]{1,4}[A-Z]{2}[\s,.–-]{1,4}(?:CEP:?\s)?[0-9]{2}\.?[0-9]{3}-[0-9]{3}(?![0-9])"
)
# A house number, or what stands in its place: "s/n", "snc", "b.b.", "One".
_NUMBER = lazy_pattern(r"[0-9]|\bs\.?\s?/?\s?n|\bb\.?\s?b|\b(?:one|two|three)\b", re.IGNORECASE)
_OFFICE_NUMBER = lazy_pattern(r"\s[0-9]{1,2}(?![\w.])")
_NO_REGION = lazy_pattern(r"(?!)")


class PostalCountry(Struct, frozen=True, eq=False):
    """A country that writes the postcode before the town."""

    country: str
    prefixes: tuple[str, ...]  # letters that people write before the code
    grammar: Grammar
    # What the post adds to a town ("Zürich 1", "Paris Cedex 15"), and the word in it that is
    # proof of an address.
    mark: re.Pattern[str] = _OFFICE_NUMBER
    proof: str = ""
    # A region behind the town, as a group: "20121 Milano (MI)".
    region: re.Pattern[str] = _NO_REGION
    is_telling: bool = False  # no other country has codes of this form
    has_street_behind: bool = False  # the street usually follows the town: Hungary
    # Hardly any other country has codes of this form, and most streets have no street word.
    has_rare_codes: bool = False
    takes_villages: bool = True  # towns that nobody knows
    # No other country with such codes has these street words, so they tell a village from others.
    has_own_words: bool = False
    # Triggers of a street with a large town behind it, which is believed without a postcode.
    without_code: tuple[str, ...] = ()


def postal_format(country: PostalCountry, *patterns: str) -> AddressFormat:
    """The format of a country whose postcodes look like these patterns."""

    def read_postal_line(sighting: Sighting) -> Finding | None:
        return read(sighting, country)

    def read_large_town(sighting: Sighting) -> Finding | None:
        return read_street_and_town(sighting, country.country, country.grammar.read_street)

    coded = (Trigger(pattern, read_postal_line) for pattern in patterns)
    others = (Trigger(pattern, read_large_town) for pattern in country.without_code)
    return AddressFormat(country.country, (*coded, *others))


class _WrittenCode(Struct, frozen=True):
    """A postcode as the text writes it, with the line behind it."""

    start: int  # with the letters of the country
    code: str
    letters: str  # of the country, "" for none
    is_year: bool
    trigger: str
    line: str


def read(sighting: Sighting, country: PostalCountry) -> Finding | None:
    """The address whose postcode begins where the sighting does."""
    written = sighting.once(_written_code)
    if written is None or (written.letters and written.letters not in country.prefixes):
        return None
    gazetteer = sighting.gazetteer
    is_doubtful = (
        written.is_year
        and not written.letters
        and not may_be_served(sighting, gazetteer.postcodes(country.country, written.code))
    )
    if is_doubtful and not sighting.once(_is_below_number):
        return None
    town = _town_in_line(gazetteer, country, written.letters, written.trigger, written.line)
    if town is None:
        return None
    town = _stated(_moved(town, sighting.start), sighting, country)
    if town is None or _OTHER_CODE.match(sighting.text, town.end):
        return None
    rows = gazetteer.postcodes(country.country, written.code)
    finding = _with_street(sighting, _PostalEnd(written.start, written.code, rows), town, country)
    if is_doubtful and finding and not _is_right_below(finding, sighting.start):
        return None
    return finding


_NUMBER_ABOVE = lazy_pattern(r"[0-9][^\n]{0,40}\n\Z")


def _is_below_number(sighting: Sighting) -> bool:
    """Whether a line with a number stands above what may be a year."""
    start = sighting.start
    return _NUMBER_ABOVE.search(sighting.text, max(0, start - 60), start) is not None


def _is_right_below(finding: Finding, start: int) -> bool:
    """Whether a sure street with its number ends right before the code."""
    street = finding.street
    if street is None or street.evidence is not StreetEvidence.TYPED:
        return False
    return bool(street.number) and street.end == start - 1


def _written_code(sighting: Sighting) -> _WrittenCode | None:
    """The postcode at a sighting; None where it is a part of something else: "CS1221"."""
    text, start, trigger = sighting.text, sighting.start, sighting.trigger
    prefix = _PREFIX.search(text, max(0, start - _LONGEST_PREFIX), start)
    if prefix is None and text[start - 1 : start].isalpha():
        return None
    code = _code(trigger)
    return _WrittenCode(
        start=prefix.start() if prefix else start,
        code=code,
        letters=prefix[1] if prefix else "",
        is_year=len(code) == 4 and "1800" <= code <= "2099",
        trigger=trigger,
        line=sighting.once(line_behind),
    )


# A list of addresses names few postcodes, each with the same town; and the countries that share a
# pattern find none in the same line again and again.
@lru_cache(maxsize=4096)
def _town_in_line(
    gazetteer: Gazetteer, country: PostalCountry, letters: str, trigger: str, line: str
) -> Town | None:
    """The town of a country behind a postcode; its offsets count from the start of the code."""
    postal_line = PostalLine(
        Sighting(f"{trigger}{line}", 0, len(trigger), 0, gazetteer, is_alone=False),
        country.country,
        gazetteer.postcodes(country.country, _code(trigger)),
        country.mark,
        country.proof,
        is_telling=country.is_telling or bool(letters),
        takes_villages=country.has_own_words,
    )
    return postal_line.read_town()


def _code(trigger: str) -> str:
    return trigger.rstrip(" ,\n\r\t\u00a0")


def _moved(town: Town, by: int) -> Town:
    return Town(town.start + by, town.end + by, town.name, town.place, is_proven=town.is_proven)


def _with_street(
    sighting: Sighting, end: _PostalEnd, town: Town, country: PostalCountry
) -> Finding | None:
    """The address of a postcode and a town, where a street or they themselves are proof."""
    is_known = town.place is not None or town.is_proven
    if not is_known and not _has_street_beside(sighting, end.start, town, country):
        return None
    street = _read_street(sighting, end.start, town, country)
    is_prefixed = end.start < sighting.start
    is_believed = (
        _is_enough(town, street, end.code, is_prefixed=is_prefixed)
        if is_known
        else _is_village(town, street, end, country)
    )
    return _finding(sighting, end, town, street, country) if is_believed else None


def _stated(town: Town, sighting: Sighting, country: PostalCountry) -> Town | None:
    """The town, proven where the name of its country follows: "6000 Koper, Slovenia".

    A town that nobody knows is none where the name of another country follows.
    """
    if town.is_proven:
        return town
    stated = towns.country_behind(sighting.gazetteer, sighting.text, town.end)
    if town.place is None and stated not in ("", country.country):
        return None
    return replace(town, is_proven=stated == country.country)


class _PostalEnd(Struct, frozen=True):
    """Where an address has its postcode, and what is known of it."""

    start: int
    code: str
    rows: Sequence[Postcode]


def _finding(
    sighting: Sighting,
    end: _PostalEnd,
    town: Town,
    street: Street | None,
    country: PostalCountry,
) -> Finding:
    region = country.region.match(sighting.text, town.end)
    parts = [part for part in (street, town) if part]
    first, last = min(end.start, parts[0].start), max(part.end for part in parts)
    return Finding(
        first,
        max(last, region.end() if region else 0),
        street,
        town,
        next(filter(None, region.groups()), "") if region else "",
        postcode=end.code,
        point=towns.nearest_point(end.rows, town.place),
        is_guess=town.place is None and not town.is_proven,
    )


def _read_street(
    sighting: Sighting, start: int, town: Town, country: PostalCountry
) -> Street | None:
    if country.has_street_behind and (street := _street_behind(sighting, town, country)):
        return street
    street = find_street(_segments_before(sighting, start), country.grammar)
    if street is None or street.evidence < StreetEvidence.UNNUMBERED:
        return _street_behind(sighting, town, country) or street
    return street


def _segments_before(sighting: Sighting, start: int) -> Iterator[Segment]:
    before = _IN.search(sighting.text, max(0, start - 4), start)
    return leftward(sighting.text, sighting.leftmost, before.start() if before else start)


def _has_street_beside(sighting: Sighting, start: int, town: Town, country: PostalCountry) -> bool:
    """Whether `_is_village` can be true; for most numbers it cannot."""
    if not country.takes_villages:
        return False
    near = _near_segments(sighting, start)
    behind = _segment_from(sighting.text, _behind(sighting.text, town, country))
    if not _has_number(near, behind):
        return False
    if find_street(iter(near), country.grammar):
        return True
    return _street_behind(sighting, town, country) is not None


def _near_segments(sighting: Sighting, start: int) -> list[Segment]:
    """The segments that end next to the code, and one more: what the walk does depends on it."""
    near = []
    for segment in _segments_before(sighting, start):
        near.append(segment)
        if segment.end < start - _SEPARATOR:
            break
    return near


def _has_number(near: Iterable[Segment], behind: Segment | None) -> bool:
    """Whether there may be a house number before a code, or behind its town."""
    if any(_NUMBER.search(segment.text) for segment in near):
        return True
    return behind is not None and _NUMBER.search(behind.text) is not None


def _behind(text: str, town: Town, country: PostalCountry) -> int:
    """Where a street may begin that follows the town."""
    goes_on = country.has_street_behind and text[town.end : town.end + 1] == "\n"
    return town.end + 1 if goes_on else town.end  # in the next line


def _street_behind(sighting: Sighting, town: Town, country: PostalCountry) -> Street | None:
    """The street on the right: "1190 Wien, Hohe Warte 38"."""
    after = _behind(sighting.text, town, country)
    segment = _segment_from(sighting.text, after)
    street = country.grammar.read_street(segment) if segment else None
    if segment is None or street is None:
        return None
    is_parted = segment.before in _BEFORE_STREET or after > town.end
    if country.has_street_behind:
        is_street = is_parted or street.evidence is StreetEvidence.TYPED
    else:
        is_street = is_parted and street.evidence >= StreetEvidence.LIKELY
    return street if is_street else None


@lru_cache(maxsize=32)  # for countries that share a pattern
def _segment_from(text: str, start: int) -> Segment | None:
    """The first piece of the rest of a line."""
    end = text.find("\n", start, start + _RIGHT_WINDOW)
    end = end if end >= 0 else min(len(text), start + _RIGHT_WINDOW)
    *_, first = (None, *leftward(text, start, end))
    return first


def _is_village(town: Town, street: Street | None, end: _PostalEnd, country: PostalCountry) -> bool:
    """Whether an unknown town is one: the street next to it has its number and is one for sure.

    Where most streets have no street word, a code that hardly any other country has is enough.
    """
    if street is None or not street.number or not country.takes_villages:
        return False
    if len(street.number) == 4 and street.number.isdigit():
        return False  # a year: "During 1794 and 1796, Robert Peter"
    gap = end.start - street.end if street.start < town.start else street.start - town.end
    is_plain = country.has_rare_codes and not end.code.isdigit()
    least = StreetEvidence.BARE if is_plain else StreetEvidence.TYPED
    return 0 <= gap <= _SEPARATOR and street.evidence >= least


def _is_enough(town: Town, street: Street | None, code: str, *, is_prefixed: bool) -> bool:
    evidence = street.evidence if street else StreetEvidence.NONE
    if not town.is_proven:
        return evidence >= StreetEvidence.LIKELY or evidence is StreetEvidence.BOX
    return evidence > StreetEvidence.NONE or is_prefixed or len(code) >= 5


# Capital letters of Latin, Greek and Cyrillic script. Between Ā and Ž are small letters, too.
# "г. Минск" and "м. Київ" say that a town follows.
CAPITAL = r"(?=(?:[гм]\. ?)?[A-ZÀ-ÞĀ-ŽΆ-ΩЀ-Я])"
_CODE_START = rf"{LONG_NUMBER}(?<![0-9])(?<![0-9][.,/-])"
# A comma may stand before five digits, for no group of thousands has as many: "Via Roma 2,00185".
FIVE_DIGITS = rf"{LONG_NUMBER}(?<![0-9])(?<![0-9][./-])[0-9]{{5}}[\s,]{{1,3}}{CAPITAL}"
# What may be a year has to begin a line, or to follow a separator or a house number. In Norway
# and Portugal codes begin with a zero.
FOUR_DIGITS = (
    rf"{_CODE_START}(?:(?!1[89]|20)[0-9]{{4}}[\s,]{{1,3}}"
    rf"|(?:(?<![^\n,|•·–(-])|(?<=[,|•·–(0-9-] ))(?:1[89]|20)[0-9]{{2}} {{1,2}}){CAPITAL}"
)
# "110 00 Praha", "114 55 Stockholm"
THREE_AND_TWO_DIGITS = rf"{_CODE_START}[0-9]{{3}}[ \u00a0][0-9]{{2}}[\s,]{{1,3}}{CAPITAL}"
# "00-950 Warszawa"
TWO_AND_THREE_DIGITS = rf"(?<![0-9])(?<![0-9][.,/-])[0-9]{{2}}[-–][0-9]{{3}}[\s,]{{1,3}}{CAPITAL}"
# "1200-109 Lisboa"
FOUR_AND_THREE_DIGITS = rf"{_CODE_START}[0-9]{{4}}[-–][0-9]{{3}}[\s,]{{1,3}}{CAPITAL}"
# "1012 LG Amsterdam"; towns begin in lower case or with an apostrophe, too: "'s-Gravenhage".
FOUR_DIGITS_AND_LETTERS = (
    rf"{_CODE_START}[1-9][0-9]{{3}}[ \u00a0]?[A-Z]{{2}}[\s,]{{1,3}}(?:{CAPITAL}|(?=['’‘`´]|den ))"
)
# "060274 București", "8340457 Santiago"
SIX_OR_SEVEN_DIGITS = rf"{_CODE_START}[0-9]{{6,7}}[\s,]{{1,3}}{CAPITAL}"
# "101 Reykjavík", at the start of a line or behind a comma: three digits are too common otherwise.
THREE_DIGITS = rf"{LONG_NUMBER}(?:(?<![^\n])|(?<=, )|(?<=[A-Z]-)|(?<=\bAD))[0-9]{{3}} {CAPITAL}"
# "Bangkok 10110", "Riga, LV-1050", "Dhaka - 1205"; what may be a year is left out.
BEHIND_TOWN = (
    rf"{LONG_NUMBER}(?!(?:1[5-9]|20)[0-9]{{2}}(?![0-9]))"
    r"(?:(?<=[^\W\d_] )|(?<=[^\W\d_], )|(?<=[^\W\d_][-–])|(?<=[^\W\d_] [-–] )|(?<=[^\W\d_]\n))"
    r"(?:[0-9]{4,7}|[0-9]{3} [0-9]{2})(?![\w%€$£+°/]|[.,-][0-9]| [0-9])"
)
# "Auckland 1010", "Cape Town, 8001", and below a line that ends in a word. The name of a country or
# a label may follow, no other word. What may be a year has to follow New South Wales, or one of the
# cities with such codes at the end of a line: in prose most numbers of four digits are years.
_COUNTRY = "(?:Aus|AUS|New Z|NEW Z|NZ|South A|SOUTH A|RSA)"
_CITY_ENDS = "(?:ckland|CKLAND|esburg|ESBURG|Sydney|SYDNEY|andton|ANDTON)"
FOUR_DIGITS_BEHIND = (
    rf"{LONG_NUMBER}(?<=[A-Za-z.,)]\s)(?<![0-9],\s)(?:(?!1[5-9]|20)[0-9]{{4}}"
    r"|(?<!\n)(?:(?<=NSW\s)|(?<=NSW, )|(?<=N\.S\.W\. )|(?<=Wales )"
    rf"|(?:(?<={_CITY_ENDS} )|(?<={_CITY_ENDS}, )|(?<=, )(?=1[5-7]))(?=[0-9]{{4}}(?:$|[\n\t|]))"
    rf"|(?=[0-9]{{4}},?\s{_COUNTRY}))(?:1[5-9]|20)[0-9]{{2}})"
    rf"(?![\w%]|[.,:/–-][0-9]|-[A-Za-z]| (?!{_COUNTRY}|Tel|TEL|Ph|Fax|FAX|[TPFE]:|[^\w]))"
    r"(?!\s[-–]\s?[0-9]{2,4}\b)"
)
