"""Finding the few places of a text where an address can be.

Speed comes from the order of the work: one regular expression runs over the text and stops only
at digits and commas where some country's trigger begins (a postcode, a state behind a comma); all
that is Python happens at these few places. A search for streets first would stop at every number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.address.base import LONG_NUMBER, AddressFormat, AddressReader, Finding, Sighting
from geoscout.geo.address.towns import country_behind

_Found = tuple[str, Finding]  # the country and what its format has read


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A text to scan."""

    text: str
    gazetteer: Gazetteer
    borders: Sequence[int]  # offsets no address reaches over, 0 among them
    is_line: bool  # short and without a line break: perhaps nothing but an address

    def border_before(self, position: int) -> int:
        return self.borders[bisect_right(self.borders, position) - 1]


_Readers = tuple[tuple[re.Pattern[str], tuple[tuple[str, AddressReader], ...]], ...]


@dataclass(frozen=True, slots=True)
class _Triggers:
    stops: re.Pattern[str]
    at_comma: _Readers
    at_digit: _Readers


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
            is_contradicted = finding.is_complete and _is_contradicted(page, country, finding)
            yield country, replace(finding, is_contradicted=is_contradicted)
            if finding.is_complete:
                floor = max(floor, finding.end)
            if finding.is_complete and not is_contradicted:
                break  # no other country can mean the same


def _is_contradicted(page: ScannedText, country: str, finding: Finding) -> bool:
    """Whether the name of another country follows: "Athens 10552, Greece" is not in New York.

    It may also be the heading of what comes next, so such a finding only gives way to others.
    """
    stated = country_behind(page.gazetteer, page.text, finding.end)
    return stated not in ("", country)


def _read_at(page: ScannedText, start: int, floor: int, triggers: _Triggers) -> Iterator[_Found]:
    is_comma = page.text[start] == ","
    for pattern, readers in triggers.at_comma if is_comma else triggers.at_digit:
        match = pattern.match(page.text, start)
        if match is None:
            continue
        leftmost = max(floor, page.border_before(start))
        sighting = Sighting(
            page.text, start, match.end(), leftmost, page.gazetteer, is_alone=page.is_line
        )
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
    """One pattern that stops where any trigger begins, and the triggers themselves.

    The first class lets the engine skip at memory speed, and only the first digit of a number is
    looked at; the look-behind with a look-ahead in it then asks for the triggers at that very
    character. Triggers that countries share are asked once.
    """
    readers: dict[str, list[tuple[str, AddressReader]]] = {}
    for format in formats:
        for trigger in format.triggers:
            readers.setdefault(trigger.pattern, []).append((format.country, trigger.read))
    long = [p.removeprefix(LONG_NUMBER) for p in readers if p.startswith(LONG_NUMBER)]
    others = [p for p in readers if not p.startswith(LONG_NUMBER)]
    any_trigger = "|".join(f"(?:{p})" for p in others)
    if long:
        any_long = "|".join(f"(?:{p})" for p in long)
        any_trigger = "|".join(filter(None, (any_trigger, f"{LONG_NUMBER}(?:{any_long})")))
    stops = re.compile(f"[0-9,](?<![0-9][0-9])(?<=(?={any_trigger})[0-9,])")
    ready = [(p, (re.compile(p), tuple(r))) for p, r in readers.items()]
    at_comma = tuple(reader for p, reader in ready if not p.startswith(LONG_NUMBER))
    return _Triggers(stops, at_comma, tuple(r for p, r in ready if not p.startswith(",")))
