"""Reads the ways a user may write a region.

Numbers alone are a circle (three) or a box (four). An existing file is GeoJSON when it begins with
a brace, else a list of such texts, one a line. Everything else is the name of a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from geoscout_places.errors import RegionError
from geoscout_places.gazetteer.areas.geojson import read_geojson
from geoscout_places.gazetteer.areas.polygon import Polygon
from geoscout_places.gazetteer.areas.region_areas import DrawnArea, NamedArea
from geoscout_places.gazetteer.areas.shapes import Box, Circle
from geoscout_places.gazetteer.areas.sphere import wrap_longitude
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point

FORMS = (
    "a region is a place name, latitude,longitude,radius_km,"
    " west,south,east,north, a file of these, or a GeoJSON file"
)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_FILE_ENDINGS = (".geojson", ".json", ".txt")
_COMMENT = re.compile(r"(^|\s)#.*")


def read_areas(texts: Sequence[str], gazetteer: Gazetteer) -> Iterator[NamedArea | DrawnArea]:
    """Read every area the texts describe; several may stand in one, separated by semicolons.

    Raises:
        RegionError: a text cannot be read.
        UnknownPlaceError: a name is not in the gazetteer.

    """
    for text in texts:
        if text.lstrip().startswith("{"):
            yield from _read_geojson(text, "region", gazetteer)
        elif _is_file(text.strip()):
            yield from _read_file(Path(text.strip()).expanduser(), gazetteer)
        else:
            yield from _read_line(text, gazetteer)


def _read_line(line: str, gazetteer: Gazetteer) -> Iterator[NamedArea | DrawnArea]:
    for text in line.split(";"):
        if text.strip():
            numbers = _read_numbers(text)
            yield _draw(numbers, gazetteer) if numbers else _look_up(text.strip(), gazetteer)


def _is_file(text: str) -> bool:
    """Tell a file from a name; "Frankfurt/Main" and "St. Louis" are names unless they exist.

    A name without dot or slash is never a file, whatever lies in the working directory.
    """
    path = Path(text).expanduser()
    if "." not in text and "/" not in text:
        return False
    try:
        if path.is_file():
            return True
    except (OSError, ValueError):  # too long for a path, or a null byte
        return False
    if text.endswith(_FILE_ENDINGS):
        raise RegionError(f"there is no file {text}; {FORMS}")
    return False


def _read_file(path: Path, gazetteer: Gazetteer) -> Iterator[NamedArea | DrawnArea]:
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RegionError(f"{path} cannot be read: {error}") from error
    if content.lstrip().startswith(("{", "[")):
        yield from _read_geojson(content, str(path), gazetteer)
        return
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            yield from _read_line(_COMMENT.sub("", line), gazetteer)
        except RegionError as error:
            raise RegionError(f"{path}, line {number}: {error}") from error


def _read_geojson(text: str, source: str, gazetteer: Gazetteer) -> Iterator[DrawnArea]:
    try:
        found = read_geojson(text)
    except RegionError as error:
        raise RegionError(f"{source}: {error}") from error
    for name, polygon in found:
        yield DrawnArea(name or Path(source).stem, polygon, gazetteer, _note_on(polygon))


def _note_on(polygon: Polygon) -> str:
    """Warn of an edge that was probably meant to cross the antimeridian."""
    for ring in polygon.rings:
        for (start, _), (end, _) in pairwise((*ring, ring[0])):
            if 180 < abs(end - start) < 360:
                return (
                    f"an edge from longitude {start:g} to {end:g} goes the long way round;"
                    " to cross the antimeridian, cut the polygon there or count beyond 180"
                )
    return ""


def _read_numbers(text: str) -> list[float]:
    """Read a text of nothing but two numbers or more; empty when it is something else."""
    parts = [part.strip() for part in text.strip().removesuffix("km").split(",")]
    if len(parts) < 2 or not all(map(_NUMBER.fullmatch, parts)):
        return []
    return [float(part) for part in parts]


def _draw(numbers: Sequence[float], gazetteer: Gazetteer) -> DrawnArea:
    if len(numbers) == 3:
        return _draw_circle(*numbers, gazetteer=gazetteer)
    if len(numbers) == 4:
        return _draw_box(*numbers, gazetteer=gazetteer)
    raise RegionError(
        f"{len(numbers)} numbers are not a region: latitude,longitude,radius_km has three,"
        " west,south,east,north has four"
    )


def _draw_circle(
    latitude: float, longitude: float, radius_km: float, *, gazetteer: Gazetteer
) -> DrawnArea:
    form = "a circle is latitude,longitude,radius_km"
    _check_latitude(latitude, form)
    _check_longitude(longitude, form)
    if radius_km <= 0:
        raise RegionError(f"radius {radius_km:g} is not above 0; {form}")
    circle = Circle(Point(latitude, wrap_longitude(longitude)), radius_km)
    return DrawnArea(f"{radius_km:g} km around {latitude:g},{longitude:g}", circle, gazetteer)


def _draw_box(
    west: float, south: float, east: float, north: float, *, gazetteer: Gazetteer
) -> DrawnArea:
    form = "a box is west,south,east,north"
    for latitude in (south, north):
        _check_latitude(latitude, form)
    for longitude in (west, east):
        _check_longitude(longitude, form)
    if south > north:
        raise RegionError(f"south {south:g} is north of {north:g}; {form}")
    name = f"box {west:g},{south:g},{east:g},{north:g}"
    if east - west >= 360:
        west, east = -180.0, 180.0
    return DrawnArea(name, Box(wrap_longitude(west), south, wrap_longitude(east), north), gazetteer)


def _check_latitude(latitude: float, form: str) -> None:
    if not -90 <= latitude <= 90:
        raise RegionError(f"latitude {latitude:g} is not between -90 and 90; {form}")


def _check_longitude(longitude: float, form: str) -> None:
    if not -360 <= longitude <= 360:
        raise RegionError(f"longitude {longitude:g} is not between -180 and 180; {form}")


def _look_up(name: str, gazetteer: Gazetteer) -> NamedArea:
    found: dict[int, Place] = {}
    for candidate in gazetteer.find(name):
        found.setdefault(candidate.place.id, candidate.place)
    if not found:
        raise RegionError(f"no place is called {name!r}; {FORMS}")
    best, *others = found.values()
    return NamedArea(best, gazetteer, tuple(others))
