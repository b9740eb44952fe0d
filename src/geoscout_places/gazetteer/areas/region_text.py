"""Reads the ways a user may write a region.

Numbers alone are a circle (three) or a box (four). An existing file is GeoJSON when it begins with
a brace, else a list of such texts, one a line. Everything else is the name of a place.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from geoscout_places.errors import RegionError
from geoscout_places.gazetteer.areas.region_areas import DrawnArea, NamedArea, RegionArea
from geoscout_places.gazetteer.areas.shapes import Box, Circle, Polygon, Ring
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


def read_areas(texts: Sequence[str], gazetteer: Gazetteer) -> Iterator[RegionArea]:
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


def _read_line(line: str, gazetteer: Gazetteer) -> Iterator[RegionArea]:
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


def _read_file(path: Path, gazetteer: Gazetteer) -> Iterator[RegionArea]:
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


# GeoJSON (RFC 7946). Only what has an area is taken: Polygon and MultiPolygon, alone or inside
# features and collections. Whatever is wrong is said with the place where it is wrong, since such
# files are written by hand or exported with the wrong projection more often than not.
_COLLECTIONS = {"FeatureCollection": "features", "GeometryCollection": "geometries"}
_WITHOUT_AREA = ("Point", "MultiPoint", "LineString", "MultiLineString")
_NAME_PROPERTIES = ("name", "NAME", "Name", "title", "label")
_FARTHEST_LONGITUDE = 540.0  # once round and across the antimeridian


class NamedPolygon(NamedTuple):
    """An area and what the file calls it; "" where it has no name."""

    name: str
    polygon: Polygon


def read_geojson(text: str) -> list[NamedPolygon]:
    """Read every polygon of the text.

    Raises:
        RegionError: it is not GeoJSON, has no area, or a ring is malformed.

    """
    try:
        # As floats: an integer may have any number of digits, and then be no number of anything.
        document = json.loads(text, parse_int=float)
    except json.JSONDecodeError as error:
        raise RegionError(f"not JSON: {error.msg} in line {error.lineno}") from error
    except RecursionError as error:
        raise RegionError("not GeoJSON: nested too deeply") from error
    _check_reference_system(document)
    found = list(_read_object(document, "", ""))
    if not found:
        raise RegionError(f"it has no area: a polygon is needed, not {_list_types(document)}")
    return found


def _read_object(value: Any, trail: str, name: str) -> Iterator[NamedPolygon]:
    kind = _type_of(value, trail)
    if kind in _COLLECTIONS:
        member = _COLLECTIONS[kind]
        for i, part in enumerate(_list(value.get(member), _join(trail, member))):
            yield from _read_object(part, f"{_join(trail, member)}[{i}]", name)
    elif kind == "Feature":
        if value.get("geometry") is not None:
            yield from _read_object(value["geometry"], _join(trail, "geometry"), _name_of(value))
    elif kind == "Polygon":
        coordinates = _join(trail, "coordinates")
        yield NamedPolygon(name, _read_polygon(value.get("coordinates"), coordinates))
    elif kind == "MultiPolygon":
        coordinates = _join(trail, "coordinates")
        for i, part in enumerate(_list(value.get("coordinates"), coordinates)):
            yield NamedPolygon(name, _read_polygon(part, f"{coordinates}[{i}]"))
    elif kind not in _WITHOUT_AREA:
        raise RegionError(f"{trail or 'the file'}: GeoJSON has no type {kind!r}")


def _type_of(value: Any, trail: str) -> str:
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        raise RegionError(f"{trail or 'the file'}: not a GeoJSON object, it has no type")
    return kind


def _name_of(feature: dict[str, Any]) -> str:
    properties = feature.get("properties")
    if isinstance(properties, dict):
        for key in _NAME_PROPERTIES:
            if isinstance(properties.get(key), str):
                return str(properties[key]).strip()
    return ""


def _read_polygon(value: Any, trail: str) -> Polygon:
    rings = tuple(_read_ring(ring, f"{trail}[{i}]") for i, ring in enumerate(_list(value, trail)))
    if not rings:
        raise RegionError(f"{trail}: a polygon without a ring")
    return Polygon(rings)


def _read_ring(value: Any, trail: str) -> Ring:
    ring = [
        _read_position(position, f"{trail}[{i}]") for i, position in enumerate(_list(value, trail))
    ]
    if len(ring) < 4:
        raise RegionError(f"{trail}: a ring needs four positions or more, this has {len(ring)}")
    if ring[0] != ring[-1]:
        raise RegionError(f"{trail}: the ring is not closed; its last position must be its first")
    return tuple(ring[:-1])


def _read_position(value: Any, trail: str) -> tuple[float, float]:
    numbers = _list(value, trail)[:2]
    if len(numbers) < 2 or not all(map(_is_number, numbers)):
        raise RegionError(f"{trail}: a position is [longitude, latitude], two numbers")
    longitude, latitude = float(numbers[0]), float(numbers[1])
    if not -90 <= latitude <= 90:
        raise RegionError(
            f"{trail}: latitude {latitude:g} is not between -90 and 90;"
            " a position is [longitude, latitude] in WGS 84 degrees"
        )
    if abs(longitude) > _FARTHEST_LONGITUDE:
        raise RegionError(f"{trail}: longitude {longitude:g} is not between -180 and 180")
    return longitude, latitude


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _list(value: Any, trail: str) -> list[Any]:
    if not isinstance(value, list):
        raise RegionError(f"{trail}: a list is needed")
    return value


def _join(trail: str, member: str) -> str:
    return f"{trail}.{member}" if trail else member


def _check_reference_system(document: Any) -> None:
    """Refuse the projections that the format of 2008 could name and RFC 7946 has dropped."""
    system = document.get("crs") if isinstance(document, dict) else None
    properties = system.get("properties") if isinstance(system, dict) else None
    name = str(properties.get("name", "")) if isinstance(properties, dict) else ""
    if name and not name.endswith((":4326", "CRS84", ":4979")):
        raise RegionError(f"its coordinates are in {name}; GeoJSON is in WGS 84 degrees")


def _list_types(document: Any) -> str:
    """Name the types of geometry that were found instead of polygons."""
    text = json.dumps(document)
    found = [kind for kind in _WITHOUT_AREA if f'"{kind}"' in text]
    return " or ".join(found) if found else "an empty collection"
