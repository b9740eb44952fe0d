"""Map tiles for the pages: of a server that the user names, or of a PMTiles file that we serve.

With a file the browser contacts nobody but us, so the policy of the pages stays as it is.
"""

from __future__ import annotations

import gzip
import mmap
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import orjson
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
    """The tiles of a setting: an address with {z}, {x} and {y}, or a PMTiles file.

    Raises:
        UsageError: it is neither.
    """
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
