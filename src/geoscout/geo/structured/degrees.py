"""Numbers of degrees as pages write them: 48.137, 48,137, 48°8'13"N, N 48 8 13."""

from __future__ import annotations

import re

from geoscout.model import Point

_DECIMAL = re.compile(r"[+-]?\d{1,3}(?:[.,]\d+)?")
_SIGN = {"N": 1, "E": 1, "O": 1, "S": -1, "W": -1}  # O: "Ost" in German
_LETTER = r"([NSEWO])"
_MINUTES = (
    r"(\d{1,3}(?:\.\d+)?)\s*[°º˚d ]\s*"
    r"(?:(\d{1,2}(?:\.\d+)?)\s*(?:['’′´m ]|$)\s*)?"
    r"(?:(\d{1,2}(?:\.\d+)?)\s*(?:\"|”|″|''|’’|′′|s)?\s*)?"
)
_LETTER_FIRST = re.compile(rf"{_LETTER}\s*{_MINUTES}", re.IGNORECASE)
_LETTER_LAST = re.compile(rf"{_MINUTES}{_LETTER}", re.IGNORECASE)
_PAIR = re.compile(
    r"([^;|/]+?)\s*[;|/]\s*([^;|/]+)|([+-]?\d+(?:\.\d+)?)\s*[, ]\s*([+-]?\d+(?:\.\d+)?)"
)
# Nothing lies there but a buoy and the markup of pages without coordinates.
_NULL_ISLAND = 0.01
_LONGEST = 80


def parse_degrees(text: str) -> float | None:
    """The angle; None for what is no angle beyond doubt.

    >>> parse_degrees("48.137"), parse_degrees("11°34′30″ W"), parse_degrees("north")
    (48.137, -11.575, None)
    """
    text = text.strip()[:_LONGEST].strip("° ")
    if _DECIMAL.fullmatch(text):
        return float(text.replace(",", "."))
    found = _LETTER_FIRST.fullmatch(text)
    if found:
        letter, *numbers = found.groups()
    else:
        found = _LETTER_LAST.fullmatch(text)
        if not found:
            return None
        *numbers, letter = found.groups()
    return _sum(numbers, letter.upper())


def _sum(numbers: list[str | None], letter: str) -> float | None:
    degrees, minutes, seconds = (float(number or 0) for number in numbers)
    if minutes >= 60 or seconds >= 60:
        return None
    return _SIGN[letter] * (degrees + minutes / 60 + seconds / 3600)


def parse_point(latitude: str, longitude: str) -> Point | None:
    """The point; None when it cannot be one, or is the 0, 0 of an empty form."""
    north, east = parse_degrees(latitude), parse_degrees(longitude)
    if north is None or east is None:
        return None
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        return None
    if abs(north) < _NULL_ISLAND and abs(east) < _NULL_ISLAND:
        return None
    return Point(north, east)


def parse_pair(text: str) -> Point | None:
    """The point of a text that has both numbers, such as "48.137;11.575"; None when it has not."""
    found = _PAIR.fullmatch(text.strip()[: 2 * _LONGEST])
    if not found:
        return None
    return parse_point(found[1] or found[3], found[2] or found[4])
