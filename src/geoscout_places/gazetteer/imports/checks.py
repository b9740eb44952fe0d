"""Checks of single cells that several formats make, with the words for what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable

from geoscout_places.gazetteer.imports.base import MalformedLineError

_LONGEST_NAME = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Digits are in no usable alternate name but in many junk ones: codes, addresses, dates.
_SOUND = re.compile(r"[^\d@#<>_={}\[\]\\|\"“”?*:\x00-\x1f\x7f\ufffd]{2,60}")
_ABBREVIATION = re.compile(r"[A-Z]{1,5}")
_AFTER_LATIN = "\u0250"


def check_columns(cells: list[str], fewest: int, most: int) -> None:
    """Raise unless the number of cells is right."""
    if not fewest <= len(cells) <= most:
        wanted = str(most) if fewest == most else f"{fewest} to {most}"
        raise MalformedLineError(f"{len(cells)} tab-separated columns instead of {wanted}")


def check_number(text: str, what: str) -> str:
    """A whole number without a sign, as it stands."""
    if not (text.isascii() and text.isdigit()):
        raise MalformedLineError(f"{what} {shorten(text)!r} is not a whole number")
    return text


def check_country(text: str) -> str:
    """An ISO 3166 alpha-2 code, as it stands."""
    if not (len(text) == 2 and text.isascii() and text.isalpha() and text.isupper()):
        raise MalformedLineError(f"country {shorten(text)!r} is not a two-letter code")
    return text


def check_name(text: str, what: str = "name") -> str:
    """A text without control characters, with single spaces, and of a name's length."""
    is_plain = text.isprintable() and "  " not in text
    name = text.strip() if is_plain else " ".join(text.split())
    if not name:
        raise MalformedLineError(f"{what} is empty")
    if len(name) > _LONGEST_NAME or (not is_plain and _CONTROL.search(name)):
        raise MalformedLineError(f"{what} {shorten(name)!r} is not a name")
    return name


def check_coordinates(latitude: str, longitude: str) -> tuple[str, str]:
    """WGS 84 degrees, with the four decimals that all tables have.

    >>> check_coordinates("38.716667", "-9.13333")
    ('38.7167', '-9.1333')
    """
    try:
        north, east = float(latitude), float(longitude)
    except ValueError:
        north = east = float("nan")
    # Written so that "nan" fails too.
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        found = f"{shorten(latitude)!r}, {shorten(longitude)!r}"
        raise MalformedLineError(f"coordinates {found} are not degrees of latitude and longitude")
    return f"{north:.4f}", f"{east:.4f}"


def is_alternate(name: str) -> bool:
    """Whether an untagged alternate name is one that people write.

    Sources mix in airport codes, web addresses and transliterations syllable by syllable; these
    would turn ordinary words into places.

    >>> [is_alternate(name) for name in ("Ausbourg", "lai sai si ka er", "LYS", "Лион")]
    [True, False, False, True]
    """
    return (
        _SOUND.fullmatch(name) is not None
        and not (name[0] < _AFTER_LATIN and name == name.lower())
        and not (len(name) <= 5 and _ABBREVIATION.fullmatch(name))
        and "www." not in name
    )


def join_alternates(main: str, names: Iterable[str]) -> str:
    """The usable names besides the main one, each once, joined by |."""
    return "|".join({name.strip(): "" for name in names if name != main and is_alternate(name)})


def shorten(text: str) -> str:
    """Enough of a bad cell to recognise it by."""
    return text if len(text) <= 30 else f"{text[:30]}…"
