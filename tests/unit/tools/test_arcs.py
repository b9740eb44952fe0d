"""Simplifying outlines so that neighbours still meet."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

from hypothesis import given
from hypothesis import strategies as st
from tools.derive.arcs import Line, cut_ring, find_joints, simplify_line, simplify_together

# Two squares with a ragged border between them, each with a far side of its own.
BORDER: Line = ((1.0, 0.0), (1.02, 0.2), (0.97, 0.4), (1.3, 0.5), (1.01, 0.6), (1.0, 1.0))
WEST: Line = ((0.0, 0.0), *BORDER, (0.0, 1.0))
EAST: Line = ((2.0, 1.0), *BORDER[::-1], (2.0, 0.0))
POSITIONS = st.tuples(st.floats(-5, 5), st.floats(-5, 5))


def edges(ring: Line) -> set[frozenset[tuple[float, float]]]:
    return {frozenset(pair) for pair in zip(ring, (*ring[1:], ring[0]), strict=True)}


def test_joints_are_where_borders_meet() -> None:
    assert find_joints([WEST, EAST]) == {(1.0, 0.0), (1.0, 1.0)}


def test_neighbours_keep_one_border() -> None:
    simple = simplify_together({"W": [WEST], "E": [EAST]}, 0.1)

    common = edges(simple["W"][0]) & edges(simple["E"][0])
    assert {(1.0, 0.0), (1.3, 0.5), (1.0, 1.0)} <= {at for edge in common for at in edge}


def test_start_and_direction_of_a_ring_do_not_matter() -> None:
    turned = (*WEST[3:], *WEST[:3])

    assert edges(simplify_together({"W": [WEST]}, 0.1)["W"][0]) == edges(
        simplify_together({"W": [turned[::-1]]}, 0.1)["W"][0]
    )


def test_hole_and_island_in_it_stay_the_same() -> None:
    island: Line = ((4, 4), (5, 4.01), (6, 4), (6, 6), (4, 6))
    sea: Line = ((0, 0), (9, 0), (9, 9), (0, 9))

    simple = simplify_together({"SEA": [sea, island[::-1]], "ISLAND": [island]}, 0.1)

    assert edges(simple["SEA"][1]) == edges(simple["ISLAND"][0])
    assert len(simple["ISLAND"][0]) == 4


def test_ring_that_vanishes_is_left_out_unless_it_is_all_there_is() -> None:
    skerry: Line = ((20.0, 0.0), (20.01, 0.0), (20.0, 0.01))

    assert len(simplify_together({"A": [WEST, skerry]}, 0.1)["A"]) == 1
    assert simplify_together({"B": [skerry]}, 0.1)["B"] == [skerry]


def test_ring_without_joints_is_cut_in_two() -> None:
    pieces = list(cut_ring(WEST, set()))

    assert len(pieces) == 2
    assert pieces[0][-1] == pieces[1][0]


@given(st.lists(POSITIONS, min_size=2, max_size=40).map(tuple), st.floats(0.01, 2))
def test_no_position_is_farther_than_the_tolerance_from_the_line(
    line: Line, tolerance: float
) -> None:
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
