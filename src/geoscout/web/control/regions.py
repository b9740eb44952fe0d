"""Looks at a region before a crawl of it begins: its outline, and what else its name may mean.

Files are refused: the command line reads them, but here whoever may control the server could try
which files its machine has.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from typing_extensions import TypedDict

from geoscout.web.world_map import outlines
from geoscout_places.errors import RegionError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea, label
from geoscout_places.gazetteer.areas.shapes import Polygon
from geoscout_places.gazetteer.base import Gazetteer

_MOST_ALTERNATIVES = 8
_FILE_ENDINGS = (".geojson", ".json", ".txt")


class FoundRegionJson(TypedDict):
    """A GeoJSON feature with the outline of a region, and what else was perhaps meant."""

    type: str
    geometry: dict[str, object]
    properties: dict[str, object]


def read_region(texts: Sequence[str], gazetteer: Gazetteer) -> Region:
    """The region of some texts, as `--region` reads them, but for files.

    Raises:
        UsageError: one of them is not a region; an unknown place carries the nearest spellings.
    """
    for text in texts:
        for part in (text, *text.split(";")):
            if not text.lstrip().startswith("{") and _may_be_file(part.strip()):
                raise RegionError(f"{part.strip()!r} would be a file; paste its GeoJSON here")
    return Region.parse(texts, gazetteer)


def _may_be_file(text: str) -> bool:
    """Whether `Region.parse` could read a file of this name."""
    if text.endswith(_FILE_ENDINGS) or text.startswith(("~", "/", "./", "../")):
        return True
    if "." not in text and "/" not in text:
        return False
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def region_json(texts: Sequence[str], gazetteer: Gazetteer) -> FoundRegionJson:
    """The outline of a region, its name, and the other places that its names may mean.

    Raises:
        UsageError: one of the texts is not a region.
    """
    region = read_region(texts, gazetteer)
    shapes = [shape for area in region.areas for shape in area.shapes]
    named = [area for area in region.areas if isinstance(area, NamedArea)]
    labels = dict.fromkeys(label(place, gazetteer) for place in region.alternatives)
    for area in named:
        labels.pop(area.name, None)
    is_known = all(any(isinstance(s, Polygon) for s in area.shapes) for area in named)
    return {
        "type": "Feature",
        "geometry": {"type": "MultiLineString", "coordinates": outlines(shapes)},
        "properties": {
            "name": region.name,
            "alternatives": list(labels)[:_MOST_ALTERNATIVES],
            "notes": list(region.notes),
            "estimated": not is_known,
        },
    }
