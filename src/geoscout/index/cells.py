"""H3 cells: the net of hexagons by which pages within a distance are found, then measured.

Every spot of a page is indexed by its cells of five sizes; a question takes the size at which its
circle needs a few dozen cells. The cells cover somewhat more than the circle, so whoever asks
measures the candidates afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, sqrt

import h3.api.basic_int as h3

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Point

RESOLUTIONS = (0, 2, 4, 6, 8)  # edges of 1281, 183, 26, 3.7 and 0.5 km
_EDGE_KM = {r: h3.average_hexagon_edge_length(r, unit="km") for r in RESOLUTIONS}
_MOST_EDGES = 6.0  # a radius of more edges than this takes the next larger cells
_ODD_SIZES = 1.35  # the largest cells of a size over the average: hexagons do not tile a globe


def cells_of(points: Iterable[Point]) -> set[int]:
    """The cells of all sizes that hold one of the points."""
    return {
        h3.latlng_to_cell(point.latitude, point.longitude, resolution)
        for point in points
        for resolution in RESOLUTIONS
    }


def cover(center: Point, radius_km: float) -> list[int]:
    """Cells of one size that together cover a circle; empty when it is most of the globe."""
    fits = [r for r in RESOLUTIONS if radius_km <= _MOST_EDGES * _EDGE_KM[r]]
    if not fits:
        return []
    resolution = fits[-1]
    reach_km = radius_km + _ODD_SIZES * _EDGE_KM[resolution]
    middle = h3.latlng_to_cell(center.latitude, center.longitude, resolution)
    rings = ceil(reach_km / (1.5 * _EDGE_KM[resolution] / sqrt(_ODD_SIZES))) + 1
    return [
        cell
        for cell in h3.grid_disk(middle, rings)
        if distance_km(center, Point(*h3.cell_to_latlng(cell))) <= reach_km
    ]
