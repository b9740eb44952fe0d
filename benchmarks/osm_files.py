"""Seconds and memory to read files of OpenStreetMap objects.

    python -m benchmarks.osm_files [BUILDINGS]

Writes a PBF and a GeoJSON file of buildings (200,000 unless told) with four nodes each, a fifth
of them with an address and a hundredth a business, into a temporary folder; then reads each in a
process of its own.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import osmium
from osmium.osm.mutable import Node, Way

from geoscout.osm.files import binary_objects, read_objects

_STEP = 0.0001


def main(arguments: Sequence[str]) -> None:
    """Write the files and read them; or read one, as a process of its own."""
    if len(arguments) == 2:
        _read(arguments[0], int(arguments[1]))
        return
    buildings = int(arguments[0]) if arguments else 200_000
    with TemporaryDirectory() as folder:
        pbf, geojson = Path(folder) / "a.osm.pbf", Path(folder) / "a.geojson"
        _write_pbf(pbf, buildings)
        _write_geojson(geojson, buildings)
        for path, in_memory in ((pbf, 1 << 40), (pbf, 0), (geojson, 0)):
            command = [sys.executable, "-m", "benchmarks.osm_files", str(path), str(in_memory)]
            subprocess.run(command, check=True)


def _read(path: str, in_memory: int) -> None:
    file = Path(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, processor = time.perf_counter(), time.process_time()
    found = binary_objects(file, in_memory) if file.suffix == ".pbf" else read_objects(file)
    count = sum(1 for _ in found)
    print(
        f"{file.suffix} of {file.stat().st_size / 1e6:.0f} MB, nodes in"
        f" {'memory' if in_memory else 'a file'}: {count:,} objects in"
        f" {time.perf_counter() - start:.1f} s, processor {time.process_time() - processor:.1f} s,"
        f" memory {before / 1024:.0f} MB before,"
        f" {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most"
    )


def _tags(building: int, chance: random.Random) -> dict[str, str]:
    tags = {"building": "yes"}
    if building % 5 == 0:
        number = str(chance.randrange(200))
        tags |= {"addr:street": f"Weg {building // 100}", "addr:housenumber": number}
    if building % 100 == 0:
        tags |= {"amenity": "restaurant", "name": f"Gasthaus {building}", "phone": "+49 89 21013"}
    return tags


def _corners(building: int) -> list[tuple[float, float]]:
    east, north = 8 + _STEP * 3 * (building % 1000), 48 + _STEP * 3 * (building // 1000)
    return [(east, north), (east + _STEP, north), (east + _STEP, north + _STEP), (east, north)]


def _write_pbf(path: Path, buildings: int) -> None:
    chance = random.Random(1)
    with osmium.SimpleWriter(str(path)) as writer:
        for building in range(buildings):
            for corner, place in enumerate(_corners(building)):
                writer.add_node(Node(id=building * 4 + corner + 1, location=place, version=1))
        for building in range(buildings):
            nodes = [building * 4 + corner + 1 for corner in (0, 1, 2, 0)]
            tags = _tags(building, chance)
            writer.add_way(Way(id=building + 1, nodes=nodes, tags=tags, version=1))


def _write_geojson(path: Path, buildings: int) -> None:
    chance = random.Random(1)
    with path.open("wb") as stream:
        stream.write(b'{"type":"FeatureCollection","features":[\n')
        for building in range(buildings):
            feature = {
                "type": "Feature",
                "id": f"w{building + 1}",
                "geometry": {"type": "Polygon", "coordinates": [_corners(building)]},
                "properties": _tags(building, chance),
            }
            stream.write(orjson.dumps(feature) + (b",\n" if building + 1 < buildings else b"\n"))
        stream.write(b"]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
