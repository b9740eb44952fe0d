"""Reads the lines of shapefiles as a stream, next to the attributes that `dbf.py` reads.

Layout: a header of 100 bytes; then for each record its number and length, big-endian, and its
content, little-endian: the type, a box, the numbers of parts and points, where parts begin, the
points as longitude and latitude.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from geoscout_places.model import Point

_HEADER_BYTES = 100
_RECORD = struct.Struct(">ii")  # number, length of the content in words of two bytes
_LINE = struct.Struct("<i32xii")  # type, number of parts, number of points
_LINES = frozenset({3, 13, 23})  # plain, with heights, with measures: the points come first
_LONGEST = 10_000_000  # bytes of one record; more is a damaged file


def read_polylines(stream: BinaryIO) -> Iterator[list[Point]]:
    """The points of each record in order; none of what is not a line or cannot be read.

    It ends where the file ends or is damaged: the streets then lack coordinates, nothing more.
    """
    stream.read(_HEADER_BYTES)
    while len(head := stream.read(_RECORD.size)) == _RECORD.size:
        size = 2 * _RECORD.unpack(head)[1]
        if not 0 <= size <= _LONGEST:
            return
        content = stream.read(size)
        if len(content) < size:
            return
        yield _points_of(content)


def _points_of(content: bytes) -> list[Point]:
    if len(content) < _LINE.size:
        return []
    kind, parts, points = _LINE.unpack_from(content)
    start = _LINE.size + 4 * parts
    if kind not in _LINES or min(parts, points) < 0 or start + 16 * points > len(content):
        return []
    degrees = struct.unpack_from(f"<{2 * points}d", content, start)
    found = (Point(north, east) for east, north in zip(degrees[::2], degrees[1::2], strict=True))
    return [p for p in found if -90 <= p.latitude <= 90 and -180 <= p.longitude <= 180]
