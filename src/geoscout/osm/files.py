"""Reads the file of a user, whatever of the known formats it has."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from geoscout.osm.binary import SUFFIXES, binary_objects
from geoscout.osm.features import object_of_feature
from geoscout.osm.json_stream import json_members
from geoscout.osm.overpass import is_element, objects_of_elements
from geoscout.osm.records import OsmObject
from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.areas.region import Region


def read_objects(path: Path, region: Region | None = None) -> Iterator[OsmObject]:
    """The objects of a file that say something of a business or an address, in its order.

    It can be GeoJSON (with one feature a line, too), the JSON of Overpass, either of them with
    gzip, or, with the extra `osm`, PBF and XML. With a region only objects in it are given. They
    are read as they are taken, so that memory does not grow with the file.

    Raises:
        UsageError: the package for the format is not installed.
        ImportFileError: there is no such file, or it is not what its name says.
    """
    if not path.is_file():
        raise ImportFileError(f"there is no file {path}")
    is_binary = path.name.lower().endswith(SUFFIXES)
    found = binary_objects(path) if is_binary else _json_objects(path)
    return (one for one in found if region is None or region.contains_point(one.point))


def _json_objects(path: Path) -> Iterator[OsmObject]:
    if any(is_element(member) for member in _first(path)):
        yield from objects_of_elements(lambda: _members(path))
        return
    for feature in _members(path):
        found = object_of_feature(feature)
        if found is not None:
            yield found


def _first(path: Path) -> list[Any]:
    """The first member of a file, which tells what it is."""
    for member in _members(path):
        return [member]
    return []


def _members(path: Path) -> Iterator[Any]:
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as stream:
            yield from json_members(stream)  # type: ignore[arg-type] # GzipFile reads bytes, too
    except ImportFileError as error:
        expected = "GeoJSON, the JSON of Overpass, or a file that ends in .pbf or .osm"
        raise ImportFileError(f"{path} is not {expected}: {error}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ImportFileError(f"{path} cannot be read: {error}") from error
