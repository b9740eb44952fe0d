"""What is taken from an object of OpenStreetMap, and which objects are taken at all.

Two kinds of objects say something of businesses and addresses: things with a name, a website or a
telephone number, and houses with an address. Everything else in the map, which is nearly all of
it, is left out while reading.

A way or an area is represented by one point: the middle of the box around it, which for a house is
within some metres of its middle. A line, such as a shopping street, is represented by the middle
one of its points, since its box may have the middle far from it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from msgspec import Struct

from geoscout_places.model import Point
from geoscout_places.urls import normalise

# Keys by which the map says what a thing is. An object with a name and none of them is a street, a
# river or a boundary.
FEATURES = (
    "amenity", "shop", "office", "tourism", "leisure", "craft", "healthcare", "club", "historic",
    "industrial", "sport", "emergency", "man_made", "aeroway", "railway", "public_transport",
)  # fmt: skip
_ENDED = ("disused:", "abandoned:", "was:", "closed:", "demolished:", "removed:")
_WEBSITES = ("website", "contact:website", "url", "contact:url", "website:official")
_PHONES = ("phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile")
_MAILS = ("email", "contact:email")
_NAMES = (
    "name", "official_name", "brand", "operator", "alt_name", "short_name", "old_name", "loc_name",
)  # fmt: skip
_HOUSE = "addr:housenumber"
# An object that has none of these is not looked at.
LOOKED_FOR = (
    *FEATURES,
    *(f"{ended}{key}" for ended in _ENDED for key in ("amenity", "shop", "office", "tourism")),
    *_WEBSITES,
    *_PHONES,
    *_MAILS,
    _HOUSE,
)
_LOOKED_FOR = frozenset(LOOKED_FOR)
_LISTED = re.compile(r"\s*;\s*")


class OsmAddress(NamedTuple):
    """The address of an object; parts that the map does not have are ""."""

    street: str = ""  # or the place, where houses are numbered by it
    house_number: str = ""
    postcode: str = ""
    city: str = ""
    country: str = ""  # ISO 3166 alpha-2


class OsmObject(Struct, frozen=True, kw_only=True):
    """A node, way or relation with a name, a website, a telephone number or an address."""

    id: str  # as in the URLs of openstreetmap.org: "node/123"
    tags: dict[str, str]
    point: Point  # of a way or relation one in its middle

    @property
    def name(self) -> str:
        """The name; "" for a house that has only an address."""
        return next(iter(self.names), "")

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, also brand, operator and names in other languages; the main one first."""
        keys = (*_NAMES, *sorted(key for key in self.tags if key.startswith("name:")))
        return tuple(dict.fromkeys(_values(self.tags, keys)))

    @property
    def websites(self) -> tuple[str, ...]:
        """The websites as URLs in their normal form."""
        found = (
            normalise(text if "://" in text else f"http://{text}")
            for text in _values(self.tags, _WEBSITES)
        )
        return tuple(dict.fromkeys(url for url in found if url))

    @property
    def phones(self) -> tuple[str, ...]:
        """The telephone numbers, as the map writes them."""
        return tuple(dict.fromkeys(_values(self.tags, _PHONES)))

    @property
    def mails(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_values(self.tags, _MAILS)))

    @property
    def hours(self) -> str:
        """The opening hours; "" where the map has none."""
        return self.tags.get("opening_hours", "")

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(f"{key}={self.tags[key]}" for key in FEATURES if key in self.tags)

    @property
    def is_closed(self) -> bool:
        """Whether the map says that it does not exist any more."""
        return not self.categories and any(key.startswith(_ENDED) for key in self.tags)

    @property
    def address(self) -> OsmAddress:
        """Its address, as far as the map has it."""
        tags = self.tags
        return OsmAddress(
            street=tags.get("addr:street") or tags.get("addr:place", ""),
            house_number=tags.get(_HOUSE, ""),
            postcode=tags.get("addr:postcode", ""),
            city=tags.get("addr:city", ""),
            country=tags.get("addr:country", "").upper(),
        )


def is_taken(tags: Mapping[str, str]) -> bool:
    """Whether an object with these tags says something of a business or an address."""
    if _LOOKED_FOR.isdisjoint(tags):
        return False
    if _HOUSE in tags and ("addr:street" in tags or "addr:place" in tags):
        return True
    return any(key in tags for key in (*_NAMES, *_WEBSITES, *_PHONES))


def _values(tags: Mapping[str, str], keys: tuple[str, ...]) -> Iterator[str]:
    """The values of some keys; several of one key have a semicolon between them."""
    for key in keys:
        if value := tags.get(key):
            yield from filter(None, _LISTED.split(value.strip()))


Position = tuple[float, float]  # longitude, latitude
NO_OUTLINE = ("inner", "label", "admin_centre", "entrance")  # roles in a relation
_FURTHEST_EAST, _FURTHEST_NORTH = 180.0, 90.0


def middle_point(positions: Sequence[Position]) -> Point | None:
    """The point that stands for a shape with these corners; None for none, or impossible ones."""
    if not positions:
        return None
    if len(positions) > 1 and positions[0] != positions[-1]:
        return possible_point(*positions[len(positions) // 2])
    east, north = zip(*positions, strict=True)
    return possible_point((min(east) + max(east)) / 2, (min(north) + max(north)) / 2)


def possible_point(longitude: float, latitude: float) -> Point | None:
    """A point; None if there is no such place on the globe."""
    if not (isfinite(longitude) and isfinite(latitude)):
        return None
    if abs(longitude) > _FURTHEST_EAST or abs(latitude) > _FURTHEST_NORTH:
        return None
    return Point(latitude, longitude)


def geometry_point(geometry: Any) -> Point | None:
    """The point that stands for a geometry of GeoJSON; None for what is not one."""
    if not isinstance(geometry, dict):
        return None
    if geometry.get("type") == "GeometryCollection":
        parts = geometry.get("geometries")
        found = map(geometry_point, parts) if isinstance(parts, list) else ()
        return next((point for point in found if point), None)
    return middle_point(_outline(geometry.get("coordinates")))


def _outline(coordinates: Any) -> list[Position]:
    """The positions of a geometry; of several rings or parts those of the first, the outer one."""
    while _is_list(coordinates) and _is_list(coordinates[0]) and _is_list(coordinates[0][0]):
        coordinates = coordinates[0]
    if not _is_list(coordinates):
        return []
    return list(_positions(coordinates if _is_list(coordinates[0]) else [coordinates]))


def _positions(coordinates: list[Any]) -> Iterator[Position]:
    for position in coordinates:
        if _is_list(position) and len(position) > 1:
            east, north = position[:2]
            if isinstance(east, int | float) and isinstance(north, int | float):
                yield float(east), float(north)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)
