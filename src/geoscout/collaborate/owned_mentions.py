"""Finds the names of owned cities, and of regions, in a running text.

One pass of an automaton over the text, longest name first, left to right (G-2). A city with its
region right behind it ("Glendale, CA") is one mention and uses both up; what is left are bare
cities and bare regions. A region's code alone is no mention: most of them are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import daachorse

from geoscout.collaborate.owned_names import Names, is_code
from geoscout.gazetteer.automaton import Automaton, capitalised, sight, written_forms

_BETWEEN = re.compile(r"\s*,\s*|[ ]|[ ]\(|\s*,\s*\(")
_LONGEST_BETWEEN = 4
_INITIALS = re.compile(r"(?<![\w.])((?:[A-Z]\.){2,3})(?!\w)")


class Found(NamedTuple):
    """A mention: of a city, with or without its region, or of a region alone."""

    start: int  # into the text
    end: int
    name: str  # folded name of the city; "" for a region alone
    region: int  # id; 0 for a bare city


class MentionFinder:
    """Reads texts for one set of names."""

    def __init__(self, names: Names, *, capitals: bool = True) -> None:
        """`capitals`: a name counts only with a capital, as names are written."""
        self._capitals = capitals
        self._cities: dict[str, str] = {}
        self._regions: dict[str, int] = {}
        for name in names.names:
            self._cities.update((form, name) for form in _forms(name))
        for name, region in names.regions.items():
            self._regions.update((form, region) for form in _forms(name))
        patterns = sorted(self._cities.keys() | self._regions.keys())
        kind = daachorse.MATCH_KIND_LEFTMOST_LONGEST
        self._automaton = Automaton(patterns, kind) if patterns else None

    def find(self, text: str) -> list[Found]:
        """The mentions in the order of the text."""
        if self._automaton is None:
            return []
        seen = sight(text)
        if "." in seen:
            seen = _INITIALS.sub(_without_dots, seen)
        if not self._capitals:
            seen = capitalised(seen)
        spans = [
            (start, end)
            for start, end, _ in self._automaton.find(seen)
            if not (start and seen[start - 1].isalnum()) and not seen[end : end + 1].isalnum()
        ]
        return list(self._mentions(seen, spans)) if spans else []

    def _mentions(self, seen: str, spans: list[tuple[int, int]]) -> Iterator[Found]:
        used = -1  # the number of a span that belongs to the city before it
        for number, (start, end) in enumerate(spans):
            if number == used:
                continue
            form = seen[start:end]
            city = self._cities.get(form)
            if city is None:
                if len(form) > 2 or not form.isupper():
                    yield Found(start, end, "", self._regions[form])
                continue
            region = self._region_behind(seen, end, spans[number + 1 : number + 2])
            used = number + 1 if region else -1
            yield Found(start, spans[used][1] if region else end, city, region)

    def _region_behind(self, seen: str, end: int, following: list[tuple[int, int]]) -> int:
        """The region that the next span names, if it stands right behind; else 0."""
        for start, stop in following:
            if start - end <= _LONGEST_BETWEEN and _BETWEEN.fullmatch(seen, end, start):
                return self._regions.get(seen[start:stop], 0)
        return 0


def _forms(name: str) -> Iterator[str]:
    """How a folded name is written with capitals, as `sight` shows it."""
    if is_code(name):
        yield name.upper()  # `sight` may have quietened three capitals
        yield name.title()[:1] + name[1:] if len(name) > 2 else name.upper()
        return
    written = capitalised(name).replace(" St ", " Saint ")
    for start, long in (("St ", "Saint "), ("Ft ", "Fort "), ("Mt ", "Mount ")):
        if written.startswith(start):
            written = long + written[len(start) :]
    yield from written_forms(written)


def _without_dots(match: re.Match[str]) -> str:
    """Initials without their dots, at the same length: "L.A." is "LA"."""
    return match[1].replace(".", "").ljust(len(match[1]))
