from tools.derive.geometry import contains
from tools.derive.landmarks import Airports, label_point, outline_centroid
from tools.derive.places import Place

LONDON = Place(
    2643743, "London", 51.5, -0.12, "GB", admin1="ENG", population=8900000, feature="PPLC"
)
HEATHROW = {
    "iata": "LHR", "name": "London Heathrow Airport", "city": "London", "country": "GB",
    "lat": "51.4706", "lon": "-0.4619",
}  # fmt: skip
CRESCENT = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 8), (8, 8), (8, 2), (0, 2), (0, 0)]


def test_an_airport_of_a_large_city_counts():
    found = Airports([LONDON]).make([HEATHROW])

    assert [(row.name, row.names) for row in found] == [
        ("London Heathrow Airport", ("Heathrow", "Heathrow Airport"))
    ]
    assert found[0].id < 0


def test_an_airport_of_a_village_counts_when_it_is_international():
    record = {**HEATHROW, "city": "Longford", "name": "Longford International Airport"}

    assert Airports([LONDON]).make([{**record, "name": "Longford Airport"}]) == []
    assert len(Airports([LONDON]).make([record])) == 1


def test_an_airport_is_not_called_like_a_town_or_a_common_word():
    village = Place(1, "Heathrow", 0, 0, "GB", admin1="ENG", population=600, feature="PPL")
    (heathrow,) = Airports([LONDON, village]).make([HEATHROW])
    (city,) = Airports([LONDON], {"city"}).make([HEATHROW | {"name": "London City Airport"}])

    assert heathrow.names == ("Heathrow Airport",)
    assert city.names == ("City Airport",)
    assert Airports([LONDON]).make([{**HEATHROW, "iata": ""}]) == []  # an airstrip


def test_the_label_of_a_crescent_lies_in_it():
    point = label_point(CRESCENT)

    assert contains(CRESCENT, *point)
    assert not contains(CRESCENT, 5.0, 5.0)


def test_the_centroid_of_islands_is_near_the_largest():
    large = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
    small = [(20.0, 0.0), (20.1, 0.0), (20.1, 0.1), (20.0, 0.1)]

    latitude, longitude = outline_centroid([large, small])

    assert abs(latitude - 2.0) < 0.1
    assert abs(longitude - 2.0) < 0.1
