from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.strategy.rank.measures import (
    Context,
    StructuralParser,
    correlation,
    decaying_correlation,
    focus_in,
    mean_distance_km,
    reference_area_km,
)
from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.gazetteer.areas.sphere import HALF_WAY_ROUND_KM, distance_km
from geoscout_places.toponyms.short_texts import ToponymReader
from tests.unit.strategy.american_places import (
    BOSTON,
    CAMBRIDGE_MA,
    GAZETTEER,
    MESA,
    NEW_YORK,
    make_link,
)


def test_boston_and_its_neighbour_are_as_good_as_one_spot() -> None:
    apart = mean_distance_km([BOSTON, CAMBRIDGE_MA])

    assert apart == pytest.approx(4, abs=0.5)
    assert correlation(apart, 4500) == pytest.approx(0.999, abs=0.0005)


def test_mean_is_over_unordered_pairs() -> None:
    pairs = [(BOSTON, NEW_YORK), (BOSTON, MESA), (NEW_YORK, MESA)]
    expected = sum(distance_km(a.point, b.point) for a, b in pairs) / 3

    assert mean_distance_km([BOSTON, NEW_YORK, MESA]) == pytest.approx(expected)


def test_one_place_is_at_one_spot() -> None:
    assert mean_distance_km([BOSTON]) == 0.0
    assert correlation(0.0, 4500) == 1.0


@given(st.floats(0, 25_000), st.floats(0, 25_000), st.floats(0.1, 25_000))
def test_correlation_falls_with_the_distance_and_stays_within_bounds(
    near: float, far: float, reference: float
) -> None:
    near, far = sorted((near, far))

    assert 0.0 <= correlation(far, reference) <= correlation(near, reference) <= 1.0
    assert 0.0 <= decaying_correlation(far, 200) <= decaying_correlation(near, 200) <= 1.0


def test_no_reference_length_knows_equal_and_different_only() -> None:
    assert (correlation(0.0, 0.0), correlation(5.0, 0.0)) == (1.0, 0.0)


def test_reference_area_is_the_mainland_of_the_country() -> None:
    region = Region.parse("Massachusetts", GAZETTEER)

    assert reference_area_km(region, GAZETTEER) == pytest.approx(4800, rel=0.1)


def test_reference_area_without_a_boundary_is_the_region() -> None:
    region = Region.parse("52.2,0.12,100", GAZETTEER)

    assert reference_area_km(region, GAZETTEER) == pytest.approx(200)


def test_reference_area_without_a_region_is_the_globe() -> None:
    assert reference_area_km(None, GAZETTEER) == HALF_WAY_ROUND_KM


def test_contiguous_united_states_measure_what_the_reading_says(
    gazetteer: SqliteGazetteer,
) -> None:
    region = Region.parse("Boston, Massachusetts", gazetteer)

    assert reference_area_km(region, gazetteer) == pytest.approx(4500, rel=0.05)


def context(anchor: str, before: str = "", after: str = "") -> Context:
    parser = StructuralParser(ToponymReader(GAZETTEER), GAZETTEER)
    return parser.read_links([make_link(anchor=anchor, before=before, after=after)])[0]


def test_focus_is_the_share_of_places_in_the_anchor() -> None:
    link = context("Hotels in Boston Massachusetts", before="Mesa")

    assert focus_in(link, "anchor-or-window", "entities") == 0.5


def test_empty_anchor_has_no_focus() -> None:
    assert focus_in(context(""), "anchor-or-window", "entities") == 0.0
    assert focus_in(context("", before="in Boston"), "anchor", "entities") == 0.0


def test_window_stands_for_an_empty_anchor() -> None:
    assert focus_in(context("»", before="in Boston"), "anchor-or-window", "entities") == 0.5


def test_window_counts_anchor_and_surroundings() -> None:
    link = context("Boston", before="see also", after="and more")

    assert focus_in(link, "window", "entities") == 0.2


@pytest.mark.parametrize(("count", "expected"), [("entities", 1 / 3), ("tokens", 2 / 3)])
def test_new_york_is_one_entity_or_two_tokens(count: str, expected: float) -> None:
    assert focus_in(context("New York hotels"), "anchor", count) == pytest.approx(expected)
