"""Reads the file of a user, whatever of the known formats it has; PBF and XML by osmium.

osmium is the library of those who make the map's extracts; it skips in C++ what has none of the
keys we look for. The points of ways need the places of all nodes. They are kept in memory for small
files (16 bytes a node, about 1.6 times the size of the file) and in a temporary file for larger
ones, so that memory stays bounded also for a country.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from geoscout.osm.map_json import (
    is_element,
    json_members,
    object_of_feature,
    objects_of_elements,
    osm_id,
)
from geoscout.osm.records import (
    LOOKED_FOR,
    NO_OUTLINE,
    OsmObject,
    Position,
    is_taken,
    middle_point,
    possible_point,
)
from geoscout_places.errors import ImportFileError
from geoscout_places.extras import import_extra
from geoscout_places.model import Point

if TYPE_CHECKING:
    from osmium import FileProcessor

SUFFIXES = (".pbf", ".osm", ".osm.gz", ".osm.bz2", ".o5m")
_IN_MEMORY = 128 << 20  # bytes of a file whose nodes are kept in memory


class _Relation(NamedTuple):
    """A relation that is taken, with the parts of its outline."""

    id: int
    tags: dict[str, str]
    nodes: list[int]
    ways: list[int]


def binary_objects(path: Path, in_memory: int = _IN_MEMORY) -> Iterator[OsmObject]:
    """The objects of a file that say something of a business or an address.

    Files of more than `in_memory` bytes have the places of their nodes in a temporary file.

    Raises:
        UsageError: osmium is not installed.
        ImportFileError: it is not such a file, or is damaged.
    """
    osmium = _osmium()
    with TemporaryDirectory(prefix="geoscout-osm-") as folder:
        in_file = f"sparse_file_array,{folder}/nodes"
        storage = "flex_mem" if path.stat().st_size <= in_memory else in_file
        try:
            yield from _objects(str(path), storage)
        except (RuntimeError, ValueError, osmium.InvalidLocationError) as error:
            raise ImportFileError(f"{path} cannot be read: {error}") from error


def _osmium() -> Any:
    return import_extra("OpenStreetMap's PBF and XML, unlike its JSON,", "osm", "osmium")


def _objects(path: str, storage: str) -> Iterator[OsmObject]:
    osmium = _osmium()
    relations = list(_relations(path))
    outlines = _outlines(path, {way for relation in relations for way in relation.ways})
    reading = osmium.FileProcessor(path, osmium.osm.NODE | osmium.osm.WAY)
    reading = reading.with_locations(storage).with_filter(osmium.filter.KeyFilter(*LOOKED_FOR))
    for found in reading:
        tags = dict(found.tags)
        if not is_taken(tags):
            continue
        point = _node_point(found) if found.is_node() else _way_point(found)
        if point is not None:
            yield OsmObject(id=osm_id(found.type_str(), found.id), tags=tags, point=point)
    for relation in relations:
        point = _relation_point(relation, outlines, reading)
        if point is not None:
            yield OsmObject(id=f"relation/{relation.id}", tags=relation.tags, point=point)


def _node_point(node: Any) -> Point | None:
    location = node.location
    return possible_point(location.lon, location.lat) if location.valid() else None


def _way_point(way: Any) -> Point | None:
    places = (node.location for node in way.nodes)
    return middle_point([(place.lon, place.lat) for place in places if place.valid()])


def _relations(path: str) -> Iterator[_Relation]:
    osmium = _osmium()
    reading = osmium.FileProcessor(path, osmium.osm.RELATION)
    for found in reading.with_filter(osmium.filter.KeyFilter(*LOOKED_FOR)):
        tags = dict(found.tags)
        if is_taken(tags):
            parts: dict[str, list[int]] = {"n": [], "w": [], "r": []}
            for member in found.members:
                if member.role not in NO_OUTLINE:
                    parts[member.type].append(member.ref)
            yield _Relation(found.id, tags, parts["n"], parts["w"])


def _outlines(path: str, ways: set[int]) -> dict[int, list[int]]:
    """The nodes of the ways that relations are made of."""
    if not ways:
        return {}
    osmium = _osmium()
    reading = osmium.FileProcessor(path, osmium.osm.WAY)
    reading = reading.with_filter(osmium.filter.IdFilter(ways))
    return {way.id: [node.ref for node in way.nodes] for way in reading}


def _relation_point(
    relation: _Relation, outlines: dict[int, list[int]], reading: FileProcessor
) -> Point | None:
    nodes = [*relation.nodes, *(n for way in relation.ways for n in outlines.get(way, ()))]
    corners = list(_places(nodes, reading))
    return middle_point([*corners, corners[0]] if corners else [])


def _places(nodes: list[int], reading: FileProcessor) -> Iterator[Position]:
    """Where nodes are; those that are not in the file are left out."""
    table = reading.node_location_storage
    for node in nodes:
        try:
            place = table.get(node) if table is not None else None
        except KeyError:
            continue
        if place is not None and place.valid():
            yield place.lon, place.lat


def read_objects(path: Path) -> Iterator[OsmObject]:
    """The objects of a file that say something of a business or an address, in its order.

    It can be GeoJSON (with one feature a line, too), the JSON of Overpass, either of them with
    gzip, or, with the extra `osm`, PBF and XML. They are read as
    they are taken, so that memory does not grow with the file.

    Raises:
        UsageError: the package for the format is not installed.
        ImportFileError: there is no such file, or it is not what its name says.
    """
    if not path.is_file():
        raise ImportFileError(f"there is no file {path}")
    is_binary = path.name.lower().endswith(SUFFIXES)
    return binary_objects(path) if is_binary else _json_objects(path)


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
