"""From a text to its addresses: scan, choose between readings, check, and make records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address.base import AddressFormat, Finding, StreetEvidence
from geoscout_places.geo.address.registry import known_formats
from geoscout_places.geo.address.scan import ScannedText, scan_for_addresses
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Address, Block, Precision

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
