"""What the map is drawn from: built in, from the gazetteer, or tiles of a server or a file.

The built-in map needs no data of its own, and shows the very areas by which pages are judged: land,
borders and labels. Outlines travel in the compact text of `gazetteer/areas/boundaries.py`, half a
megabyte for all countries and less compressed; the browser decodes them.

Tiles are those of a server that the user names, or of a PMTiles file that we serve: then the
browser contacts nobody but us, so the policy of the pages stays as it is.
"""

from __future__ import annotations

import gzip
import mmap
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import orjson
from msgspec import Struct
from msgspec.json import encode
from pmtiles.tile import (
    Compression,
    Entry,
    TileType,
    deserialize_directory,
    deserialize_header,
    find_tile,
    zxy_to_tileid,
)

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.boundaries import decode_rings
from geoscout_places.gazetteer.areas.shapes import Box, Polygon, Shape
from geoscout_places.gazetteer.base import Gazetteer, View
from geoscout_places.model import Kind, Place

_MOST_LABELS = 120
_REGIONS_FROM_ZOOM = 4
Line = list[list[float]]  # of longitude and latitude, as in GeoJSON
ADDRESS = "/api/tiles/{z}/{x}/{y}"
_HEADER_BYTES = 127
_DEEPEST = 4  # directories on the way to a tile
_KEPT_DIRECTORIES = 64  # some thousand entries each
_LONGEST_CREDIT = 200  # letters
_TYPES = {
    TileType.MVT: "application/vnd.mapbox-vector-tile",
    TileType.PNG: "image/png",
    TileType.JPEG: "image/jpeg",
    TileType.WEBP: "image/webp",
    TileType.AVIF: "image/avif",
}
_ENCODINGS = {
    Compression.UNKNOWN: "",
    Compression.NONE: "",
    Compression.GZIP: "gzip",
    Compression.BROTLI: "br",
    Compression.ZSTD: "zstd",
}


class ShapeJson(Struct, frozen=True):
    """A place with its rings in the compact text."""

    id: int
    name: str
    rings: str


class BaseMap:
    """What the browser draws below pages and places."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        # Outlines are slow to decode: a country's regions when it is looked at, and then kept.
        self._region_boxes = cache(self._find_region_boxes)

    @cached_property
    def countries(self) -> bytes:
        """Every country with its outline, as JSON in gzip."""
        return gzip.compress(encode(self._shapes(self._countries)), 6)

    def warm(self) -> None:
        """Make what is the same for every map."""
        self.labels(View(-180, -90, 180, 90), _REGIONS_FROM_ZOOM)
        self.regions(View(0, 50, 0, 50))
        bool(self.countries)

    def regions(self, view: View) -> list[ShapeJson]:
        """The first-level divisions that reach into a part of the map."""
        near = [place for place, box in self._country_boxes if _touches(box, view)]
        boxes = [pair for place in near for pair in self._region_boxes(place.country)]
        return self._shapes(place for place, box in boxes if _touches(box, view))

    def labels(self, view: View, zoom: int) -> list[Place]:
        """The places to be named, those to be written first in front."""
        named = [place for place in self._countries if _is_in(place, view)]
        if zoom >= _REGIONS_FROM_ZOOM:
            named += [place for place in self._regions if _is_in(place, view)]
        return named + self._gazetteer.in_view(view, _MOST_LABELS)

    @cached_property
    def _countries(self) -> list[Place]:
        return self._gazetteer.of_kind(Kind.COUNTRY)

    @cached_property
    def _regions(self) -> list[Place]:
        return self._gazetteer.of_kind(Kind.REGION)

    @cached_property
    def _country_boxes(self) -> list[tuple[Place, Box]]:
        return self._boxes(self._countries)

    def _find_region_boxes(self, country: str) -> list[tuple[Place, Box]]:
        return self._boxes(place for place in self._regions if place.country == country)

    def _boxes(self, places: Iterable[Place]) -> list[tuple[Place, Box]]:
        pairs = ((place, self._gazetteer.boundary(place)) for place in places)
        return [
            (place, decode_rings(rings).bounding_box) for place, rings in pairs if rings is not None
        ]

    def _shapes(self, places: Iterable[Place]) -> list[ShapeJson]:
        pairs = ((place, self._gazetteer.boundary(place)) for place in places)
        return [
            ShapeJson(place.id, place.name, rings.decode())
            for place, rings in pairs
            if rings is not None
        ]


def outlines(shapes: Iterable[Shape]) -> list[Line]:
    """The edges of shapes as closed lines; longitudes may go beyond 180."""
    return [line for shape in shapes for line in _lines(shape)]


def _lines(shape: Shape) -> list[Line]:
    if isinstance(shape, Polygon):
        return [[[x, y] for x, y in (*ring, ring[0])] for ring in shape.rings if ring]
    if isinstance(shape, Box):
        east = shape.west + shape.width
        corners = ((shape.west, shape.south), (east, shape.south), (east, shape.north))
        return [[[x, y] for x, y in (*corners, (shape.west, shape.north), corners[0])]]
    points = shape.outline()
    return [[[point.longitude, point.latitude] for point in (*points, points[0])]]


def _is_in(place: Place, view: View) -> bool:
    latitude, longitude = place.point.latitude, place.point.longitude
    if not view.south <= latitude <= view.north:
        return False
    if view.west <= view.east:
        return view.west <= longitude <= view.east
    return longitude >= view.west or longitude <= view.east


def _touches(box: Box, view: View) -> bool:
    if box.north < view.south or box.south > view.north:
        return False
    east = view.east if view.west <= view.east else view.east + 360
    return any(
        box.west + turn <= east and box.west + box.width + turn >= view.west
        for turn in (-360, 0, 360)
    )


@dataclass(frozen=True, slots=True)
class MapTiles:
    """What the pages draw the map from."""

    address: str = ""  # with {z}, {x} and {y}; "" for the built-in map
    kind: str = ""  # "raster" or "vector"
    highest_zoom: int = 0  # beyond which tiles are enlarged; 0 where that is not known
    credit: str = ""  # whom to name
    file: PmtilesFile | None = None


class PmtilesFile:
    """A file of tiles; several threads may ask at once."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._header = deserialize_header(self._bytes[:_HEADER_BYTES])
        self._directory = lru_cache(_KEPT_DIRECTORIES)(self._read_directory)
        self.media_type = _TYPES[self._header["tile_type"]]
        self.encoding = _ENCODINGS[self._header["tile_compression"]]
        self.highest_zoom = self._header["max_zoom"]
        self.credit = self._read_credit()

    @property
    def is_vector(self) -> bool:
        return self._header["tile_type"] is TileType.MVT

    def tile(self, z: int, x: int, y: int) -> bytes | None:
        """The bytes of a tile, compressed as `encoding` says; None where the file has none."""
        id = zxy_to_tileid(z, x, y)
        at, length = self._header["root_offset"], self._header["root_length"]
        for _ in range(_DEEPEST):
            found = find_tile(self._directory(at, length), id)
            if found is None:
                return None
            if found.run_length:
                start = self._header["tile_data_offset"] + found.offset
                return self._bytes[start : start + found.length]
            at, length = self._header["leaf_directory_offset"] + found.offset, found.length
        return None

    def _read_directory(self, at: int, length: int) -> list[Entry]:
        return deserialize_directory(self._bytes[at : at + length])

    def _read_credit(self) -> str:
        at = self._header["metadata_offset"]
        text = self._bytes[at : at + self._header["metadata_length"]]
        if self._header["internal_compression"] is Compression.GZIP:
            text = gzip.decompress(text)
        metadata = orjson.loads(text)
        credit = metadata.get("attribution", "") if isinstance(metadata, dict) else ""
        return without_markup(str(credit))[:_LONGEST_CREDIT]


def open_tiles(given: str) -> MapTiles:
    """The tiles of a setting: an address with {z}, {x} and {y}, or a PMTiles file."""
    if not given:
        return MapTiles()
    if given.startswith(("http://", "https://")):
        return _named_tiles(given)
    file = _open_file(Path(given))
    kind = "vector" if file.is_vector else "raster"
    return MapTiles(ADDRESS, kind, file.highest_zoom, file.credit, file=file)


def _named_tiles(address: str) -> MapTiles:
    if not all(part in address for part in ("{z}", "{x}", "{y}")):
        raise UsageError(
            f"an address of map tiles has {{z}}, {{x}} and {{y}} in it; {address!r} has not"
        )
    host = urlsplit(address).netloc.replace("{s}.", "")
    return MapTiles(address, "raster", credit=f"map: {host}")


def _open_file(path: Path) -> PmtilesFile:
    if not path.is_file():
        raise UsageError(
            f"there is no file {path}; give one, or an address with {{z}}, {{x}}, {{y}}"
        )
    try:
        return PmtilesFile(path)
    except Exception as error:  # the library has its own errors for some damage, and none for other
        raise UsageError(f"{path} is not a PMTiles file of version 3 ({error!r})") from error


def without_markup(text: str) -> str:
    """A text without its tags, for a credit that is written in HTML.

    >>> without_markup('<a href="https://example.org">&copy; OpenStreetMap</a>')
    '© OpenStreetMap'
    """
    return re.sub(r"<[^>]*>", "", text).replace("&copy;", "©").replace("&amp;", "&").strip()
