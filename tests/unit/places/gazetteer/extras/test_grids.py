from __future__ import annotations

import pytest

from geoscout_places.gazetteer.extras.grids import (
    BRITISH,
    IRISH,
    Grid,
    GridTable,
    to_wgs84,
    undo_projection,
)

METRE = 1e-5  # degrees, about


def test_the_worked_example_of_the_ordnance_survey_comes_out() -> None:
    """Annex C.2 of the guide: Caister water tower, 52°39′27.2531″ N 1°43′4.5177″ E."""
    found = undo_projection(BRITISH, 651409.903, 313177.270)

    assert found == pytest.approx((52.657570, 1.717922), abs=1e-6)


@pytest.mark.parametrize(
    ("easting", "northing", "latitude", "longitude"),
    [
        # Caister water tower, in ETRS89, from the Ordnance Survey's exact transformation.
        (651409.804, 313177.450, 52.657979, 1.716039),
        # St Mary's, Scilly, from the test points of that transformation.
        (91492.146, 11318.804, 49.922261, -6.299778),
    ],
)
def test_the_british_grid_is_right_to_ten_metres(
    easting: float, northing: float, latitude: float, longitude: float
) -> None:
    found = to_wgs84(BRITISH, easting, northing)

    assert found == pytest.approx((latitude, longitude), abs=10 * METRE)


def test_the_irish_grid_has_its_origin_in_the_middle_of_the_island() -> None:
    found = to_wgs84(IRISH, 200_000, 250_000)

    # The shift of the datum moves it by some fifty metres.
    assert found == pytest.approx((53.5, -8.0), abs=100 * METRE)


@pytest.mark.parametrize("grid", [BRITISH, IRISH])
@pytest.mark.parametrize(("easting", "northing"), [(333_333, 374_777), (100_999, 20_001)])
def test_the_table_differs_from_the_formula_by_less_than_a_foot(
    grid: Grid, easting: float, northing: float
) -> None:
    exact = to_wgs84(grid, easting, northing)

    found = GridTable(grid).to_wgs84(easting, northing)

    assert found == pytest.approx(exact, abs=0.3 * METRE)
