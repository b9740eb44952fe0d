"""Outlines are simplified so that neighbours still meet, widened, joined, and told apart."""

from itertools import pairwise
from math import hypot

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from tools.derive.outlines import (
    WIDENING,
    Codes,
    Known,
    Line,
    Tally,
    assign,
    cut_ring,
    find_joints,
    is_convincing,
    join,
    keep_areas,
    read_geometry,
    read_topology,
    rings_of,
    simplify_line,
    simplify_together,
    widen_over_water,
)

WEST = keep_areas(shapely.box(0, 0, 1, 1))
EAST = keep_areas(shapely.box(1, 0, 2, 1))


def test_unit_is_widened_over_water_but_not_over_its_neighbour():
    west, east = widen_over_water([WEST, EAST])

    assert west.covers(shapely.Point(-WIDENING * 0.9, 0.5))
    assert not west.covers(shapely.Point(1 + WIDENING / 2, 0.5))
    assert east.covers(shapely.Point(2 + WIDENING * 0.9, 0.5))
    assert not east.covers(shapely.Point(2 + WIDENING * 1.2, 0.5))


def test_widening_is_as_wide_in_the_north():
    [wide] = widen_over_water([keep_areas(shapely.box(10, 69.9, 11, 70.1))])

    west, south, _, _ = wide.bounds
    assert 69.9 - south < WIDENING * 1.01
    assert 10 - west > WIDENING * 2.5


def test_narrow_bay_is_filled():
    [wide] = widen_over_water([keep_areas(WEST.difference(shapely.box(0.5, 0.2, 0.56, 1)))])

    assert wide.covers(shapely.Point(0.53, 0.6))


def test_widening_ends_at_the_edge_of_the_map():
    [wide] = widen_over_water([keep_areas(shapely.box(179, 0, 180, 1))])

    assert wide.bounds[2] == 180


def test_crossing_ring_is_mended():
    bow_tie = {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]}

    assert read_geometry(bow_tie).area == 0.5


def test_topology_is_read_with_arcs_in_both_directions():
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


def test_joined_units_have_no_border_between_them():
    [ring] = rings_of(join([WEST, EAST]))

    assert set(ring) >= {(0, 0), (2, 0), (2, 1), (0, 1)}
    assert len(ring) == len(set(ring))


def test_rings_are_rounded_and_holes_among_them():
    outline = keep_areas(shapely.box(0, 0, 1.00049, 1).difference(shapely.box(0.4, 0.4, 0.6, 0.6)))

    outer, hole = rings_of(outline)

    assert max(outer) == (1.0, 1.0)
    assert set(hole) == {(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)}


# Two squares with a ragged border between them, each with a far side of its own.
BORDER: Line = ((1.0, 0.0), (1.02, 0.2), (0.97, 0.4), (1.3, 0.5), (1.01, 0.6), (1.0, 1.0))
WESTERN: Line = ((0.0, 0.0), *BORDER, (0.0, 1.0))
EASTERN: Line = ((2.0, 1.0), *BORDER[::-1], (2.0, 0.0))
POSITIONS = st.tuples(st.floats(-5, 5), st.floats(-5, 5))


def edges(ring: Line) -> set[frozenset[tuple[float, float]]]:
    return {frozenset(pair) for pair in zip(ring, (*ring[1:], ring[0]), strict=True)}


def test_joints_are_where_borders_meet():
    assert find_joints([WESTERN, EASTERN]) == {(1.0, 0.0), (1.0, 1.0)}


def test_neighbours_keep_one_border():
    simple = simplify_together({"W": [WESTERN], "E": [EASTERN]}, 0.1)

    common = edges(simple["W"][0]) & edges(simple["E"][0])
    assert {(1.0, 0.0), (1.3, 0.5), (1.0, 1.0)} <= {at for edge in common for at in edge}


def test_start_and_direction_of_a_ring_do_not_matter():
    turned = (*WESTERN[3:], *WESTERN[:3])

    assert edges(simplify_together({"W": [WESTERN]}, 0.1)["W"][0]) == edges(
        simplify_together({"W": [turned[::-1]]}, 0.1)["W"][0]
    )


def test_hole_and_island_in_it_stay_the_same():
    island: Line = ((4, 4), (5, 4.01), (6, 4), (6, 6), (4, 6))
    sea: Line = ((0, 0), (9, 0), (9, 9), (0, 9))

    simple = simplify_together({"SEA": [sea, island[::-1]], "ISLAND": [island]}, 0.1)

    assert edges(simple["SEA"][1]) == edges(simple["ISLAND"][0])
    assert len(simple["ISLAND"][0]) == 4


def test_ring_that_vanishes_is_left_out_unless_it_is_all_there_is():
    skerry: Line = ((20.0, 0.0), (20.01, 0.0), (20.0, 0.01))

    assert len(simplify_together({"A": [WESTERN, skerry]}, 0.1)["A"]) == 1
    assert simplify_together({"B": [skerry]}, 0.1)["B"] == [skerry]


def test_ring_without_joints_is_cut_in_two():
    pieces = list(cut_ring(WESTERN, set()))

    assert len(pieces) == 2
    assert pieces[0][-1] == pieces[1][0]


@given(st.lists(POSITIONS, min_size=2, max_size=40).map(tuple), st.floats(0.01, 2))
def test_no_position_is_farther_than_the_tolerance_from_the_line(line, tolerance):
    simple = simplify_line(line, tolerance)

    assert (simple[0], simple[-1]) == (line[0], line[-1])
    assert all(distance_to(simple, at) <= tolerance * 1.01 for at in line)


def distance_to(line: Line, at: tuple[float, float]) -> float:
    """Planar distance: near the equator a degree of longitude is one of latitude."""
    pairs = pairwise(line)
    return min(distance_to_edge(start, end, at) for start, end in pairs)


def distance_to_edge(
    start: tuple[float, float], end: tuple[float, float], at: tuple[float, float]
) -> float:
    x, y = end[0] - start[0], end[1] - start[1]
    square = x * x + y * y
    share = ((at[0] - start[0]) * x + (at[1] - start[1]) * y) / square if square else 0
    share = min(max(share, 0), 1)
    return hypot(at[0] - start[0] - share * x, at[1] - start[1] - share * y)


KNOWN = Known(
    frozenset({"FR.11", "FR.84", "DE.06", "DE.03", "GF.00", "CH.BS"}),
    frozenset({"FR.11.75", "DE.06.03403"}),
)
PARIS = Codes("FR", "FR.11", "FR.11.75")
LYON = Codes("FR", "FR.84", "FR.84.69")
OLDENBURG = Codes("DE", "DE.06", "DE.06.03403")
CAYENNE = Codes("GF", "GF.00", "")


@pytest.mark.parametrize(
    ("own", "inside", "expected"),
    [
        # France's units are départements, their codes not those of regions.
        (Codes("FR", "FR.75", ""), [PARIS] * 5, Codes("FR", "FR.11", "FR.11.75")),
        # A unit without cities keeps its code if the gazetteer has it.
        (Codes("DE", "DE.03", ""), [], Codes("DE", "DE.03", "")),
        (Codes("DE", "DE.99", ""), [], Codes("DE", "", "")),
        # Few strays do not outvote a code that the gazetteer has, many do.
        (Codes("DE", "DE.03", ""), [OLDENBURG] * 2, Codes("DE", "DE.03", "")),
        (Codes("DE", "DE.03", ""), [OLDENBURG] * 9, Codes("DE", "DE.06", "DE.06.03403")),
        # What the map gives to France is a country of its own in the gazetteer.
        (Codes("FR", "FR.973", ""), [CAYENNE], Codes("GF", "GF.00", "")),
        # A foreign village on this side of the border changes nothing.
        (Codes("DE", "DE.06", ""), [LYON, OLDENBURG], Codes("DE", "DE.06", "DE.06.03403")),
        # A district the gazetteer does not have is none.
        (Codes("FR", "", ""), [LYON] * 3, Codes("FR", "FR.84", "")),
    ],
)
def test_cities_vote_on_the_codes(own, inside, expected):
    assert assign(own, inside, KNOWN) == expected


@pytest.mark.parametrize(
    ("tally", "convincing"),
    [
        (Tally(right=0, inside=0, expected=0), True),
        (Tally(right=90, inside=100, expected=100), True),
        (Tally(right=10, inside=50, expected=10), False),  # five new counties in an old province
        (Tally(right=10, inside=10, expected=50), False),
        (Tally(right=1, inside=2, expected=1), True),
        (Tally(right=0, inside=1, expected=1), False),
    ],
)
def test_outline_must_hold_the_right_cities(tally, *, convincing):
    assert is_convincing(tally) is convincing
