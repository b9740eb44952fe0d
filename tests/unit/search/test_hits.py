"""What a hit says of itself."""

from __future__ import annotations

import pytest

from geoscout.search.hits import distance_text


@pytest.mark.parametrize(
    ("distance_km", "reach_km", "text"),
    [
        (0.42, 0.05, "0.4 km"),
        (3.4, 8.0, "within about 11 km"),  # the page is somewhere in the town
        (31.4, 8.0, "about 31 km"),
        (None, None, ""),
    ],
)
def test_a_distance_is_as_exact_as_it_is_known(
    distance_km: float | None, reach_km: float | None, text: str
) -> None:
    assert distance_text(distance_km, reach_km) == text
