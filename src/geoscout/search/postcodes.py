"""Finds a postal code in a query: "restaurant 80802", "dentist in SW1A 1AA".

A code is one of the countries that the index has the most pages of, so that the number of a bus
line or a year is hardly taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from geoscout.search.places import PlaceChooser
from geoscout_places.model import Postcode

_MOST_TOKENS = 2  # "SW1A 1AA", "1012 AB"
_LEAST_LETTERS = 4
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_TOWN = 3  # tokens behind the code: "80331 München"


@dataclass(frozen=True, slots=True)
class PostcodeSpan:
    """A part of the query that is a postal code, with its town if that follows."""

    start: int  # tokens
    end: int
    postcode: Postcode


def find_postcode(tokens: Sequence[str], chooser: PlaceChooser) -> PostcodeSpan | None:
    """The first postal code of a query; None when it has none."""
    for start, end, code in _candidates(tokens):
        for country in chooser.countries():
            if found := chooser.gazetteer.postcodes(country, code):
                return PostcodeSpan(start, _behind_town(tokens, end, found[0], chooser), found[0])
    return None


def _candidates(tokens: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    has_digit = [any(map(str.isdigit, token)) for token in tokens]
    for start in range(len(tokens)):
        if not any(has_digit[start : start + _MOST_TOKENS]):
            continue
        for end in range(min(start + _MOST_TOKENS, len(tokens)), start, -1):
            code = " ".join(tokens[start:end]).upper()
            if _may_be_code(code):
                yield start, end, code


def _may_be_code(code: str) -> bool:
    letters = code.replace(" ", "").replace("-", "")
    return (
        len(letters) >= _LEAST_LETTERS
        and letters.isalnum()
        and any(letter.isdigit() for letter in letters)
        and not _YEAR.fullmatch(code)
    )


def _behind_town(tokens: Sequence[str], end: int, postcode: Postcode, chooser: PlaceChooser) -> int:
    """Where the name of the code's own town ends that follows it; else the end of the code."""
    for last in range(min(end + _LONGEST_TOWN, len(tokens)), end, -1):
        name = " ".join(tokens[end:last]).strip(" ,;")
        choices = chooser.choose(name, is_explicit=True) if name else []
        if any(choice.place.id == postcode.place_id for choice in choices):
            return last
    return end
