"""Reads the areas of a GeoJSON text (RFC 7946).

Only what has an area is taken: Polygon and MultiPolygon, alone or inside features and collections.
Whatever is wrong is said with the place where it is wrong, since such files are written by hand or
exported with the wrong projection more often than not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

from geoscout_places.errors import RegionError
from geoscout_places.gazetteer.areas.polygon import Polygon, Ring

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
