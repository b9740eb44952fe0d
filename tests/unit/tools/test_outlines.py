"""Reading, widening and taking apart outlines."""

from __future__ import annotations

import shapely
from tools.derive.outlines import (
    WIDENING,
    join,
    keep_areas,
    read_geometry,
    read_topology,
    rings_of,
    widen_over_water,
)

WEST = keep_areas(shapely.box(0, 0, 1, 1))
EAST = keep_areas(shapely.box(1, 0, 2, 1))


def test_unit_is_widened_over_water_but_not_over_its_neighbour() -> None:
    west, east = widen_over_water([WEST, EAST])

    assert west.covers(shapely.Point(-WIDENING * 0.9, 0.5))
    assert not west.covers(shapely.Point(1 + WIDENING / 2, 0.5))
    assert east.covers(shapely.Point(2 + WIDENING * 0.9, 0.5))
    assert not east.covers(shapely.Point(2 + WIDENING * 1.2, 0.5))


def test_widening_is_as_wide_in_the_north() -> None:
    [wide] = widen_over_water([keep_areas(shapely.box(10, 69.9, 11, 70.1))])

    west, south, _, _ = wide.bounds
    assert 69.9 - south < WIDENING * 1.01
    assert 10 - west > WIDENING * 2.5


def test_narrow_bay_is_filled() -> None:
    [wide] = widen_over_water([keep_areas(WEST.difference(shapely.box(0.5, 0.2, 0.56, 1)))])

    assert wide.covers(shapely.Point(0.53, 0.6))


def test_widening_ends_at_the_edge_of_the_map() -> None:
    [wide] = widen_over_water([keep_areas(shapely.box(179, 0, 180, 1))])

    assert wide.bounds[2] == 180


def test_crossing_ring_is_mended() -> None:
    bow_tie = {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]}

    assert read_geometry(bow_tie).area == 0.5


def test_topology_is_read_with_arcs_in_both_directions() -> None:
    topology = {
        "transform": {"scale": [0.5, 0.5], "translate": [10, 50]},
        "arcs": [[[0, 0], [2, 0], [0, 2]], [[2, 2], [-2, 0], [0, -2]], [[9, 9], [0, 0]]],
        "objects": {
            "areas": {
                "geometries": [
                    {"type": "Polygon", "id": "forward", "arcs": [[0, 1]]},
                    {"type": "MultiPolygon", "id": "backward", "arcs": [[[-2, -1]], [[2]]]},
                ]
            }
        },
    }

    found = dict(read_topology(topology, "areas"))

    assert found["forward"].bounds == (10, 50, 11, 51)
    assert found["forward"].equals(found["backward"])


def test_joined_units_have_no_border_between_them() -> None:
    [ring] = rings_of(join([WEST, EAST]))

    assert set(ring) >= {(0, 0), (2, 0), (2, 1), (0, 1)}
    assert len(ring) == len(set(ring))


def test_rings_are_rounded_and_holes_among_them() -> None:
    outline = keep_areas(shapely.box(0, 0, 1.00049, 1).difference(shapely.box(0.4, 0.4, 0.6, 0.6)))

    outer, hole = rings_of(outline)

    assert max(outer) == (1.0, 1.0)
    assert set(hole) == {(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)}
