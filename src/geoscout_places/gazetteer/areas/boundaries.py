"""The boundaries that ship with geoscout, and the compact text they are written in.

A boundary is a list of rings, separated by spaces. A ring is a list of numbers: longitude and
latitude of its first point, then the step to each next one, in thousandths of a degree (110 m at
most, finer than the outlines are). Small numbers take one letter, larger ones more: five bits a
letter, the sign in the lowest bit. This takes two bytes a point once compressed, where GeoJSON
takes six, and needs no reader but this page.

`tools/derive/boundaries.py` writes the tables. The compiled gazetteer keeps each row as it is, so
that asking for one boundary decodes that one alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.areas.shapes import Box, Circle, EdgeRun, Polygon, Ring, Shape
from geoscout_places.gazetteer.tables import DATA_FOLDER, read_table
from geoscout_places.model import Point

UNITS_PER_DEGREE = 1000
_FIRST_LETTER = 63  # "?": the 64 letters from here on have neither space, tab nor line break
_MORE = 32  # set in every letter of a number but the last


class BoundaryRow(NamedTuple):
    """A country ("DE"), first-level region ("DE.06") or district ("US.CA.037") and its rings."""

    code: str
    rings: str


def read_boundaries(folder: Path = DATA_FOLDER) -> Iterator[tuple[str, bytes]]:
    """Read code and encoded rings of every shipped boundary.

    Raises:
        DamagedDataError: a table cannot be read.

    """
    for path in sorted(folder.glob("boundaries*.tsv.xz")):
        for row in read_table(path, BoundaryRow):
            yield row.code, row.rings.encode()


@cache
def country_boundaries() -> Mapping[str, Polygon]:
    """Read the boundaries of all countries by ISO code, once in a process."""
    rows = read_table(DATA_FOLDER / "boundaries.countries.tsv.xz", BoundaryRow)
    return {row.code: decode_rings(row.rings.encode()) for row in rows}


def encode(rings: Iterable[Ring]) -> bytes:
    """Write rings as text.

    >>> encode([((8.214, 53.143), (8.216, 53.143), (8.216, 53.145))])
    b'k`OmxfBC??C'
    """
    return b" ".join(_encode_ring(ring) for ring in rings)


def decode_rings(text: bytes) -> Polygon:
    """Read rings back from their text.

    Raises:
        DamagedDataError: the text is not one that `encode` wrote.

    """
    try:
        return Polygon(tuple(_decode_ring(ring) for ring in text.split()))
    except ValueError as error:
        raise DamagedDataError(f"boundary is damaged: {error}") from error


def _encode_ring(ring: Ring) -> bytes:
    letters = bytearray()
    before_x = before_y = 0
    for longitude, latitude in ring:
        x, y = round(longitude * UNITS_PER_DEGREE), round(latitude * UNITS_PER_DEGREE)
        _write_number(letters, x - before_x)
        _write_number(letters, y - before_y)
        before_x, before_y = x, y
    return bytes(letters)


def _write_number(letters: bytearray, number: int) -> None:
    rest = number * 2 if number >= 0 else -number * 2 - 1
    while rest >= _MORE:
        letters.append(_FIRST_LETTER + (rest % _MORE | _MORE))
        rest //= _MORE
    letters.append(_FIRST_LETTER + rest)


def _decode_ring(text: bytes) -> Ring:
    numbers = _read_numbers(text)
    if len(numbers) % 2:
        raise ValueError("a longitude without its latitude")
    positions = zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True)
    return tuple((x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE) for x, y in positions)


def _read_numbers(text: bytes) -> list[int]:
    if not _FIRST_LETTER <= min(text) <= max(text) < _FIRST_LETTER + 2 * _MORE:
        raise ValueError("it has a letter that is none of a boundary's")
    numbers = []
    number = shift = 0
    for letter in text:
        value = letter - _FIRST_LETTER
        if value >= _MORE:
            number |= (value - _MORE) << shift
            shift += 5
        else:
            number |= value << shift
            numbers.append(~(number >> 1) if number & 1 else number >> 1)
            number = shift = 0
    if shift:
        raise ValueError("it ends within a number")
    return numbers


def touched_countries(shape: Shape) -> frozenset[str]:
    """Name the countries the shape has a point in common with, by ISO code.

    It is asked once for a region, so it may take some milliseconds, but it must not miss a country:
    sampling points would. It is as exact as the outlines are, a kilometre or so.
    """
    return frozenset(
        code for code, country in country_boundaries().items() if _touches(country, shape)
    )


def _touches(country: Polygon, shape: Shape) -> bool:
    if not boxes_touch(country.bounding_box, shape.bounding_box):
        return False
    if isinstance(shape, Circle):
        return country.distance_km(shape.center) <= shape.radius_km
    polygon = shape if isinstance(shape, Polygon) else box_polygon(shape.bounding_box)
    return polygons_touch(country, polygon)


def boxes_touch(box: Box, other: Box) -> bool:
    if box.south > other.north or other.south > box.north:
        return False
    return box.contains_longitude(other.west) or other.contains_longitude(box.west)


def box_polygon(box: Box) -> Polygon:
    """Draw a box as a polygon, beyond 180 degrees where it crosses the antimeridian."""
    west, east = box.west, box.west + box.width
    ring = (west, box.south), (east, box.south), (east, box.north), (west, box.north)
    return Polygon((ring,))


def polygons_touch(polygon: Polygon, other: Polygon) -> bool:
    """Tell whether two polygons have a point in common.

    Without an edge that crosses, a ring lies inside the other polygon with all its points or none.
    """
    return (
        any(other.contains(_first_point(ring)) for ring in polygon.rings)
        or any(polygon.contains(_first_point(ring)) for ring in other.rings)
        or any(_edges_cross(polygon, other, shift) for shift in (0.0, 360.0, -360.0))
    )


def _first_point(ring: Ring) -> Point:
    longitude, latitude = ring[0]
    return Point(latitude, longitude)


def _edges_cross(polygon: Polygon, other: Polygon, shift: float) -> bool:
    near = [run for run in other.runs if _boxes_meet(run[:4], polygon.extent, shift)]
    return any(
        _boxes_meet(run[:4], near_run[:4], -shift) and _lines_cross(run, near_run, shift)
        for run in polygon.runs
        if near and _boxes_meet(run[:4], other.extent, -shift)
        for near_run in near
    )


_Extent = tuple[float, float, float, float]
_Position = tuple[float, float]


def _boxes_meet(box: _Extent, other: _Extent, shift: float) -> bool:
    """Tell whether two boxes overlap when the other is moved east by `shift`."""
    return (
        box[0] <= other[2] + shift
        and other[0] + shift <= box[2]
        and box[1] <= other[3]
        and other[1] <= box[3]
    )


def _lines_cross(run: EdgeRun, other: EdgeRun, shift: float) -> bool:
    moved = [(x + shift, y) for x, y in run.points]
    return any(
        _segments_cross(start, end, other_start, other_end)
        for start, end in pairwise(moved)
        for other_start, other_end in pairwise(other.points)
    )


def _segments_cross(a: _Position, b: _Position, c: _Position, d: _Position) -> bool:
    return (
        # On one line, all four products are 0 and only this tells whether they meet.
        _boxes_meet(_extent_of(a, b), _extent_of(c, d), 0.0)
        and _side(a, b, c) * _side(a, b, d) <= 0
        and _side(c, d, a) * _side(c, d, b) <= 0
    )


def _extent_of(a: _Position, b: _Position) -> _Extent:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def _side(start: _Position, end: _Position, point: _Position) -> float:
    """Tell by its sign on which side of the line from start to end the point lies."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    return along_x * (point[1] - start[1]) - along_y * (point[0] - start[0])
