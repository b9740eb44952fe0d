"""Finds a few given names in texts, in the form that `sight` gives names and texts alike.

The names of the whole gazetteer are found by its own automaton; this is for who looks for some of
them, such as the cities that the nodes of a crawl own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import daachorse

from geoscout_places.gazetteer.automaton import Automaton, capitalised, sight, written_forms

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
