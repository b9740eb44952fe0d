"""Coordinates that a page states: of places in its markup, in its head, in its links to maps.

Pages write degrees as 48.137, 48,137, 48°8'13"N or N 48 8 13.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.geo.structured.items import every_item, first_text, inner_items
from geoscout_places.model import Item, Page, Point, Precision

_LATITUDE = ("latitude", "lat", "place:location:latitude", "og:latitude", "geo.lat")
_LONGITUDE = ("longitude", "long", "lng", "lon", "place:location:longitude", "og:longitude",
              "geo.long")  # fmt: skip
_PAIRS = ("geo.position", "icbm", "geo", "coordinates", "latlong")
_STATED = frozenset((*_LATITUDE, *_LONGITUDE, *_PAIRS))
_MOST = 200  # points of a page
# A degree is 111 km, so the first decimal tells 11 km, the third 110 m.
_BY_DECIMALS = {
    0: Precision.REGION, 1: Precision.TOWN, 2: Precision.POSTCODE, 3: Precision.STREET,
}  # fmt: skip
_MOST_OF_TOWN = 2
_ROUNDING = 1e-4
_NEARER_THAN = 0.0005  # degrees, some 50 m: the same spot


def points_of(page: Page) -> list[tuple[Point, str]]:
    """The points that the page states, each once, with the source of the first statement.

    A point whose mirror image is stated too, and oftener, has its numbers swapped and is dropped.
    """
    stated: list[tuple[Point, str]] = []
    counts: list[int] = []
    for item in every_item(page.items):
        point = point_of(item)
        if point is None:
            continue
        known = next((i for i, (other, _) in enumerate(stated) if _is_same(point, other)), None)
        if known is None:
            if len(stated) == _MOST:
                break
            stated.append((point, item.source))
            counts.append(1)
        else:
            counts[known] += 1
    return [
        (point, source)
        for (point, source), count in zip(stated, counts, strict=True)
        if not _is_swapped(point, count, zip(stated, counts, strict=True))
    ]


def point_of(item: Item) -> Point | None:
    """The coordinates of the item itself; None when it has none that can be right."""
    if "h-geo" not in item.types and not any(name in _STATED for name, _ in item.properties):
        return None  # most items
    latitude, longitude = first_text(item, *_LATITUDE), first_text(item, *_LONGITUDE)
    if latitude and longitude:
        return parse_point(latitude, longitude)
    pair = first_text(item, *_PAIRS)
    if not pair and "h-geo" in item.types:
        pair = first_text(item, "value")
    return parse_pair(pair) if pair else None


def point_around(item: Item) -> Point | None:
    """The coordinates of the thing that the item describes: its own, or those of its `geo`."""
    own = point_of(item)
    if own is not None:
        return own
    places = inner_items(item, "geo", "location", "hasMap")
    return next((point for place in places if (point := point_of(place)) is not None), None)


def stated_precision(point: Point) -> Precision:
    """How exact a point is that somebody wrote down, by the digits they wrote.

    >>> [stated_precision(Point(48.13743, 11.57549)), stated_precision(Point(48.1, 11.6))]
    [<Precision.HOUSE: 'house'>, <Precision.TOWN: 'town'>]
    """
    decimals = max(_decimals(point.latitude), _decimals(point.longitude))
    if decimals > _MOST_OF_TOWN and _is_in_minutes(point):
        return Precision.POSTCODE  # a minute is up to two kilometres
    return _BY_DECIMALS.get(decimals, Precision.HOUSE)


def _decimals(degrees: float) -> int:
    return len(f"{degrees:.6f}".rstrip("0").partition(".")[2])


def _is_in_minutes(point: Point) -> bool:
    minutes = (60 * point.latitude, 60 * point.longitude)
    return all(abs(angle - round(angle)) < _ROUNDING for angle in minutes)


def _is_same(one: Point, other: Point) -> bool:
    return (
        abs(one.latitude - other.latitude) < _NEARER_THAN
        and abs(one.longitude - other.longitude) < _NEARER_THAN
    )


def _is_swapped(point: Point, count: int, others: Iterator[tuple[tuple[Point, str], int]]) -> bool:
    if abs(point.longitude) > 90:
        return False
    mirror = Point(point.longitude, point.latitude)
    return any(_is_same(mirror, other) and count < more for (other, _), more in others)


_DECIMAL = lazy_pattern(r"[+-]?\d{1,3}(?:[.,]\d+)?")
_SIGN = {"N": 1, "E": 1, "O": 1, "S": -1, "W": -1}  # O: "Ost" in German
_LETTER = r"([NSEWO])"
_MINUTES = (
    r"(\d{1,3}(?:\.\d+)?)\s*[°º˚d ]\s*"
    r"(?:(\d{1,2}(?:\.\d+)?)\s*(?:['’′´m ]|$)\s*)?"
    r"(?:(\d{1,2}(?:\.\d+)?)\s*(?:\"|”|″|''|’’|′′|s)?\s*)?"
)
_LETTER_FIRST = lazy_pattern(rf"{_LETTER}\s*{_MINUTES}", re.IGNORECASE)
_LETTER_LAST = lazy_pattern(rf"{_MINUTES}{_LETTER}", re.IGNORECASE)
_PAIR = lazy_pattern(
    r"([^;|/]+?)\s*[;|/]\s*([^;|/]+)|([+-]?\d+(?:\.\d+)?)\s*[, ]\s*([+-]?\d+(?:\.\d+)?)"
)
# Nothing lies there but a buoy and the markup of pages without coordinates.
_NULL_ISLAND = 0.01
_LONGEST = 80


def parse_degrees(text: str) -> float | None:
    """The angle; None unless it is an angle beyond doubt.

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
