"""Finds a few given names in texts, and tells who bears a name.

Texts and names have the form that `sight` gives them alike. The names of the whole gazetteer are
found by its own automaton; `NameFinder` is for who looks for some of them, such as the cities that
the nodes of a crawl own.

The gazetteer orders the bearers of a name by importance, the likeliest first. Which of them is
meant is for each stage to decide by what it sees: the rest of a page, the region of a crawl, the
cities that nodes own, the pages of an index.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

import daachorse

from geoscout_places.gazetteer.automaton import Automaton, capitalised, sight, written_forms
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Candidate, Kind, NameRole, Place

_INITIALS = re.compile(r"(?<![\w.])((?:[A-Z]\.){2,3})(?!\w)")
_LONGEST_CODE = 3  # letters; what is shorter or as long is a name only in capitals
_LONG_FORMS = (("St ", "Saint "), ("Ft ", "Fort "), ("Mt ", "Mount "))


class NameFinder:
    """One pass over a text for all names: from left to right, the longest first."""

    def __init__(self, forms: Iterable[str]) -> None:
        """`forms` are the names as they stand in the views that are looked through."""
        patterns = sorted(set(forms))
        kind = daachorse.MATCH_KIND_LEFTMOST_LONGEST
        self._automaton = Automaton(patterns, kind) if patterns else None

    def whole_words(self, view: str) -> list[tuple[int, int]]:
        """Where names stand that are not parts of longer words."""
        return [
            (start, end)
            for start, end in self.anywhere(view)
            if not (start and view[start - 1].isalnum()) and not view[end : end + 1].isalnum()
        ]

    def anywhere(self, view: str) -> Iterator[tuple[int, int]]:
        """Where names stand, also inside words."""
        if self._automaton is not None:
            for start, end, _ in self._automaton.find(view):
                yield start, end


def view_of(text: str, *, capitals: bool = True) -> str:
    """The text as `sight` shows it, with initials joined; every character keeps its place.

    `capitals` False gives every word a capital, for text whose writer used none.

    >>> view_of("from L.A. to ST. PAUL"), view_of("from reno", capitals=False)
    ('from LA   to St. Paul', 'From Reno')
    """
    view = sight(text)
    if "." in view:
        view = _INITIALS.sub(_without_dots, view)
    return view if capitals else capitalised(view)


def _without_dots(match: re.Match[str]) -> str:
    """Initials without their dots, at the same length: "L.A." is "LA"."""
    return match[1].replace(".", "").ljust(len(match[1]))


def forms_of_folded(name: str) -> Iterator[str]:
    """How a folded name is written with capitals, as `sight` shows it.

    >>> sorted(set(forms_of_folded("st paul"))), sorted(set(forms_of_folded("nyc")))
    (['Saint Paul', 'St Paul', 'St. Paul'], ['NYC', 'Nyc'])
    """
    if is_code(name):
        yield name.upper()  # `sight` may have quietened three capitals
        yield name.title()[:1] + name[1:] if len(name) > 2 else name.upper()
        return
    written = capitalised(name).replace(" St ", " Saint ")
    for short, long in _LONG_FORMS:
        if written.startswith(short):
            written = long + written[len(short) :]
    yield from written_forms(written)


def is_code(name: str) -> bool:
    """Whether a folded name stands for a place only when it is written in capitals.

    >>> is_code("la"), is_code("reno"), is_code("st paul")
    (True, False, False)
    """
    return len(name) <= _LONGEST_CODE and " " not in name


WIDE = (Kind.CONTINENT, Kind.AREA, Kind.COUNTRY, Kind.REGION)
_PROPER = frozenset((NameRole.NAME, NameRole.ALIAS))


class HomeArea(Protocol):
    """The area whose places are likelier than others; a `Region` is one."""

    def contains_place(self, place: Place) -> bool:
        """Whether the place lies in it."""
        ...


def proper_bearers(name: str, gazetteer: Gazetteer) -> list[Candidate]:
    """The places that are called so; those with such a code or such people are left out."""
    return [found for found in gazetteer.candidates(name) if found.role in _PROPER]


def qualified_bearers(name: str, gazetteer: Gazetteer, *, with_codes: bool) -> list[Candidate]:
    """The places that a name means which may carry qualifiers: "Lisbon, NH".

    Words for people ("Portuguese") mean none, codes ("NH") only where they are asked for.
    """
    left_out = {NameRole.DEMONYM} if with_codes else {NameRole.DEMONYM, NameRole.CODE}
    return [found for found in gazetteer.search(name) if found.role not in left_out]


def is_first_bearer(place: Place, name: str, gazetteer: Gazetteer) -> bool:
    """Whether the name means this place before all others of the world."""
    found = gazetteer.candidates(name)
    return bool(found) and found[0].place.id == place.id


def region_among(above: Iterable[Place]) -> int:
    """The id of the first-level region among what contains a place; 0 for none.

    Places of one name mostly differ in it.
    """
    return next((outer.id for outer in above if outer.kind is Kind.REGION), 0)


def are_nested(one: Place, other: Place, gazetteer: Gazetteer) -> bool:
    """Whether one of two places lies in the other: a city and the county it gave its name."""
    return gazetteer.is_inside(one, other) or gazetteer.is_inside(other, one)
