"""From a text to its addresses: scan, choose between readings, check, and make records.

Speed comes from the order of the work: one regular expression runs over the text and stops only
at digits and commas where some country's trigger begins (a postcode, a state behind a comma); all
that is Python happens at these few places. A search for streets first would stop at every number.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import compress, islice, pairwise

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address.base import (
    LONG_NUMBER,
    AddressFormat,
    AddressReader,
    Finding,
    Sighting,
    StreetEvidence,
)
from geoscout_places.geo.address.formats import EXAMPLES, known_formats
from geoscout_places.geo.address.towns import country_behind
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Address, Block, Precision

_Found = tuple[str, Finding]  # the country and what its format has read


class ScannedText:
    """A text to scan; no address reaches over the border between two parts of its page."""

    def __init__(
        self, text: str, gazetteer: Gazetteer, blocks: Sequence[Block], *, is_line: bool
    ) -> None:
        self.text = text
        self.gazetteer = gazetteer
        self.is_line = is_line  # short and without a line break: perhaps nothing but an address
        self._blocks = blocks

    def border_before(self, position: int) -> int:
        """Where the part of the page begins that a position is in."""
        return self._borders[bisect_right(self._borders, position) - 1]

    @cached_property  # most pages have no trigger
    def _borders(self) -> list[int]:
        """Where a part of the page begins, 0 included."""
        parted = (
            block for before, block in pairwise(self._blocks) if block.part is not before.part
        )
        return [0, *(block.start for block in parted)]


_Readers = tuple[tuple[str, AddressReader], ...]  # each with its country


class _Triggers(Struct, frozen=True):
    """The triggers of some formats."""

    stops: re.Pattern[str]  # stops where any of them begins
    # Matches at any position, and has a group for each trigger: what of it begins there.
    which: re.Pattern[str]
    readers: tuple[tuple[int, _Readers], ...]  # for each group its number, and who reads there


def scan_for_addresses(
    page: ScannedText, formats: tuple[AddressFormat, ...], most: int | None = None
) -> list[_Found]:
    """All that the formats read in the text, or so much that it has `most` addresses.

    Findings may overlap; there are about two for an address.
    """
    findings = _scan_triggers(page, _compile(formats))
    found = list(findings if most is None else islice(findings, 2 * most))
    if not found and page.is_line:
        found = list(_read_line(page, formats))
    return found


def _scan_triggers(page: ScannedText, triggers: _Triggers) -> Iterator[_Found]:
    floor = 0
    for stop in triggers.stops.finditer(page.text):
        for country, finding in _read_at(page, stop.start(), floor, triggers):
            if not finding.is_complete:
                yield country, finding
                continue
            floor = max(floor, finding.end)
            if not _is_contradicted(page, country, finding):
                yield country, finding
                break  # no other country can mean the same
            yield country, replace(finding, is_contradicted=True)


def _is_contradicted(page: ScannedText, country: str, finding: Finding) -> bool:
    """Whether the name of another country follows: "Athens 10552, Greece" is not in New York.

    It may also be the heading of what comes next, so such a finding only gives way to others.
    """
    stated = country_behind(page.gazetteer, page.text, finding.end)
    return stated not in ("", country)


def _read_at(page: ScannedText, start: int, floor: int, triggers: _Triggers) -> Iterator[_Found]:
    match = triggers.which.match(page.text, start)
    assert match is not None  # for it may be empty
    leftmost = max(floor, page.border_before(start))
    for group, readers in compress(triggers.readers, match.groups()):
        end = match.end(group)
        sighting = Sighting(page.text, start, end, leftmost, page.gazetteer, is_alone=page.is_line)
        for country, read in readers:
            if finding := read(sighting):
                yield finding.country or country, finding


def _read_line(page: ScannedText, formats: Sequence[AddressFormat]) -> Iterator[_Found]:
    """What a country makes of a text that is one line without any trigger."""
    sighting = Sighting(page.text, 0, len(page.text), 0, page.gazetteer, is_alone=True)
    for format in formats:
        if format.read_line and (finding := format.read_line(sighting)):
            yield format.country, finding


@lru_cache(maxsize=64)
def _compile(formats: tuple[AddressFormat, ...]) -> _Triggers:
    """The triggers of these formats; those that countries share are asked once."""
    readers: dict[str, list[tuple[str, AddressReader]]] = {}
    for format in formats:
        for trigger in format.triggers:
            readers.setdefault(trigger.pattern, []).append((format.country, trigger.read))
    which = re.compile("".join(f"(?=(?P<trigger{n}>{p})|)" for n, p in enumerate(readers)))
    # A pattern may have groups of its own; nobody reads at those.
    groups: list[tuple[int, _Readers]] = [(group, ()) for group in range(1, which.groups + 1)]
    for n, read_by in enumerate(readers.values()):
        group = which.groupindex[f"trigger{n}"]
        groups[group - 1] = (group, tuple(read_by))
    return _Triggers(_stops(tuple(readers)), which, tuple(groups))


def _stops(patterns: Sequence[str]) -> re.Pattern[str]:
    """One pattern that stops where any trigger begins.

    The first class lets the engine skip at memory speed, and only the first digit of a number is
    looked at; the look-behind with a look-ahead in it then asks for the triggers at that very
    character.
    """
    long = [p.removeprefix(LONG_NUMBER) for p in patterns if p.startswith(LONG_NUMBER)]
    any_trigger = "|".join(f"(?:{p})" for p in patterns if not p.startswith(LONG_NUMBER))
    if long:
        any_long = "|".join(f"(?:{p})" for p in long)
        any_trigger = "|".join(filter(None, (any_trigger, f"{LONG_NUMBER}(?:{any_long})")))
    return re.compile(f"[0-9,](?<![0-9][0-9])(?<=(?={any_trigger})[0-9,])")


# "On July 6, 2002, Versace Plaza in Alexandria was dedicated": the number is a year.
_DAY_BEFORE = lazy_pattern(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s[0-9]{1,2}(?:st|nd|rd|th)?"
    r",?\s$"
)
_YEAR = lazy_pattern(r"1[5-9][0-9]{2}|20[0-9]{2}")
_LONGEST_DAY = 18  # code points
_LONGEST_LINE = 140  # of a text that may be nothing but an address


def extract_addresses(  # noqa: PLR0913 - what may be left out, by keyword
    text: str,
    gazetteer: Gazetteer,
    *,
    countries: Sequence[str] = (),
    blocks: Sequence[Block] | None = None,
    formats: Sequence[AddressFormat] | None = None,
    most: int | None = None,
) -> list[Address]:
    """The postal addresses of a text, in its order.

    `countries` (ISO codes) restricts the search; empty means all. `blocks` are those of the page
    the text is from: no address then reaches over the border between two parts of the page.
    `formats` replaces the registered ones. `most` is how many addresses are looked for, about;
    None means all.
    """
    known = known_formats() if formats is None else tuple(formats)
    chosen = tuple(f for f in known if f.reads(countries)) if countries else known
    if not chosen:
        return []
    is_line = len(text) <= _LONGEST_LINE and "\n" not in text.strip()
    findings = scan_for_addresses(
        ScannedText(text, gazetteer, blocks or (), is_line=is_line), chosen, most
    )
    return [
        _address(text, country, _checked(finding, gazetteer))
        for country, finding in _choose(_without_doubtful_guesses(findings))
        if (not countries or country in countries) and not _is_after_a_day(text, finding)
    ]


def _is_after_a_day(text: str, finding: Finding) -> bool:
    """Whether the house number is the year of a date."""
    if finding.street is None or not _YEAR.fullmatch(finding.street.number):
        return False
    before = text[max(0, finding.start - _LONGEST_DAY) : finding.start]
    return _DAY_BEFORE.search(before) is not None


def _checked(finding: Finding, gazetteer: Gazetteer) -> Finding:
    """The finding without a doubtful street that the imported street tables do not have."""
    if not finding.street or not finding.town or not finding.town.place:
        return finding
    if finding.evidence not in (StreetEvidence.BARE, StreetEvidence.BUILDING):
        return finding
    if gazetteer.is_street(finding.street.name, finding.town.place) is False:
        return replace(finding, start=finding.town.start, street=None)
    return finding


def _without_doubtful_guesses(findings: list[tuple[str, Finding]]) -> list[tuple[str, Finding]]:
    """The findings without guesses that several countries make at one place."""
    countries = defaultdict[int, set[str]](set)
    for country, finding in findings:
        if finding.is_guess:
            countries[finding.end].add(country)
    return [
        (country, finding)
        for country, finding in findings
        if not finding.is_guess or len(countries[finding.end]) == 1
    ]


def _choose(findings: list[tuple[str, Finding]]) -> list[tuple[str, Finding]]:
    """Of findings that share text the most convincing one, in the order of the text."""
    kept: list[tuple[str, Finding]] = []
    for country, finding in sorted(findings, key=lambda pair: pair[1].start):
        if kept and finding.start < kept[-1][1].end:
            if _weight(finding) > _weight(kept[-1][1]):
                kept[-1] = (country, finding)
            continue
        kept.append((country, finding))
    return kept


def _weight(finding: Finding) -> tuple[bool, bool, int, bool, bool, int]:
    has_proven_town = finding.town is not None and finding.town.is_proven
    is_numbered = finding.evidence >= StreetEvidence.LIKELY
    length = finding.end - finding.start
    confirmed = is_numbered + has_proven_town
    is_firm = not finding.is_tentative
    is_unopposed = not (finding.is_contradicted or finding.is_guess)
    return (is_unopposed, is_firm, confirmed, bool(finding.postcode), has_proven_town, length)


def _address(text: str, country: str, finding: Finding) -> Address:
    street, town = finding.street, finding.town
    place = town.place if town else None
    precision = Precision.POSTCODE if finding.point else place.precision if place else None
    return Address(
        start=finding.start,
        end=finding.end,
        text=text[finding.start : finding.end],
        house_number=street.number if street else "",
        street=street.name if street else "",
        unit=street.unit if street else "",
        city=town.name if town else "",
        region=finding.region,
        postcode=finding.postcode,
        country=country,
        point=finding.point or (place.point if place else None),
        place=place,
        source="text",
        precision=precision,
    )


def read_examples(gazetteer: Gazetteer, countries: Collection[str]) -> list[Address]:
    """Read an address of each of these countries, as far as there is an example.

    Reading compiles the patterns of a country and opens the tables it needs. Processes that are
    forked afterwards share both, so a crawl reads those of its region before the fork.
    """
    texts = (EXAMPLES[country] for country in sorted(EXAMPLES) if country in countries)
    return [address for text in texts for address in extract_addresses(text, gazetteer)]
