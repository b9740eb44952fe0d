from tools.derive.geometry import distance_km
from tools.derive.grids import BRITISH, to_wgs84


def test_the_worked_example_of_the_ordnance_survey_is_met_within_ten_metres() -> None:
    # Caister water tower, by OSTN15
    latitude, longitude = to_wgs84(BRITISH, 651_409.903, 313_177.270)

    assert distance_km(latitude, longitude, 52.657979, 1.716052) < 0.010


def test_a_point_in_the_far_north_is_met_too() -> None:
    # Lerwick, HU 477 413
    latitude, longitude = to_wgs84(BRITISH, 447_700.0, 1_141_300.0)

    assert distance_km(latitude, longitude, 60.1525, -1.1422) < 1.0
