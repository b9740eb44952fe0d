"""Coordinates that a page states: of places in its markup, in its head, in its links to maps."""

from __future__ import annotations

from collections.abc import Iterator

from geoscout.geo.structured.degrees import parse_pair, parse_point
from geoscout.geo.structured.items import every_item, first_text, inner_items
from geoscout.model import Item, Page, Point

_LATITUDE = ("latitude", "lat", "place:location:latitude", "og:latitude", "geo.lat")
_LONGITUDE = ("longitude", "long", "lng", "lon", "place:location:longitude", "og:longitude",
              "geo.long")  # fmt: skip
_PAIRS = ("geo.position", "icbm", "geo", "coordinates", "latlong")
_MOST = 200  # points of a page
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
    latitude, longitude = first_text(item, *_LATITUDE), first_text(item, *_LONGITUDE)
    if latitude and longitude:
        return parse_point(latitude, longitude)
    pair = first_text(item, *_PAIRS)
    if not pair and "h-geo" in item.types:
        pair = first_text(item, "value")
    return parse_pair(pair) if pair else None


def point_beside(item: Item) -> Point | None:
    """The coordinates of the thing that the item describes: its own, or those of its `geo`."""
    own = point_of(item)
    if own is not None:
        return own
    places = inner_items(item, "geo", "location", "hasMap")
    return next((point for place in places if (point := point_of(place)) is not None), None)


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
