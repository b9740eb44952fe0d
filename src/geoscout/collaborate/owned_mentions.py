"""Finds the names of owned cities, and of regions, in a running text.

One pass of an automaton over the text, longest name first, left to right (G-2). A city with its
region right behind it ("Glendale, CA") is one mention and uses both up; what is left are bare
cities and bare regions. A region's code alone is not a mention: most codes are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from geoscout.collaborate.owned_names import OwnedNames
from geoscout_places.toponyms import NameFinder, forms_of_folded, view_of

_BETWEEN = re.compile(r"\s*,\s*|[ ]|[ ]\(|\s*,\s*\(")
_LONGEST_BETWEEN = 4


class OwnedMention(NamedTuple):
    """A mention: of a city, with or without its region, or of a region alone."""

    start: int  # into the text
    end: int
    name: str  # folded name of the city; "" for a region alone
    region: int  # id; 0 for a bare city


class OwnedMentionFinder:
    """Reads texts for one set of names."""

    def __init__(self, names: OwnedNames, *, capitals: bool = True) -> None:
        """`capitals`: a name counts only with a capital, as names are written."""
        self._capitals = capitals
        self._cities: dict[str, str] = {}
        self._regions: dict[str, int] = {}
        for name in names.names:
            self._cities.update((form, name) for form in forms_of_folded(name))
        for name, region in names.regions.items():
            self._regions.update((form, region) for form in forms_of_folded(name))
        self._finder = NameFinder(self._cities.keys() | self._regions.keys())

    def find(self, text: str) -> list[OwnedMention]:
        """The mentions in the order of the text."""
        view = view_of(text, capitals=self._capitals)
        spans = self._finder.whole_words(view)
        return list(self._mentions(view, spans)) if spans else []

    def _mentions(self, view: str, spans: list[tuple[int, int]]) -> Iterator[OwnedMention]:
        used = -1  # the number of a span that belongs to the city before it
        for number, (start, end) in enumerate(spans):
            if number == used:
                continue
            form = view[start:end]
            city = self._cities.get(form)
            if city is None:
                if len(form) > 2 or not form.isupper():
                    yield OwnedMention(start, end, "", self._regions[form])
                continue
            region = self._region_behind(view, end, spans[number + 1 : number + 2])
            used = number + 1 if region else -1
            yield OwnedMention(start, spans[used][1] if region else end, city, region)

    def _region_behind(self, view: str, end: int, following: list[tuple[int, int]]) -> int:
        """The region that the next span names, if it stands right behind; else 0."""
        for start, stop in following:
            if start - end <= _LONGEST_BETWEEN and _BETWEEN.fullmatch(view, end, start):
                return self._regions.get(view[start:stop], 0)
        return 0
