from __future__ import annotations

import pytest

from geoscout_places.gazetteer.imports.columns import find_columns, is_street_list


def test_the_columns_of_openaddresses_are_known() -> None:
    header = ["lon", "lat", "number", "street", "city", "district", "region", "postcode"]

    found = find_columns(header)

    assert (found.street, found.city, found.postcode) == ("street", "city", "postcode")
    assert (found.region, found.latitude, found.longitude) == ("region", "lat", "lon")
    assert found.country == ""


def test_the_keys_of_openstreetmap_are_known() -> None:
    found = find_columns(["@id", "addr:street", "addr:city", "addr:postcode", "addr:country"])

    assert (found.street, found.city) == ("addr:street", "addr:city")
    assert (found.postcode, found.country) == ("addr:postcode", "addr:country")


@pytest.mark.parametrize(
    ("header", "record", "is_street"),
    [
        (["name", "highway"], {"highway": "residential"}, True),
        (["name", "highway"], {"highway": ""}, False),
        (["name", "class"], {"class": "highway"}, True),
        (["name", "class"], {"class": "place"}, False),
        (["name", "class", "street"], {"class": "place", "street": "x"}, False),
        (["street"], {"street": "Mill Lane"}, True),
    ],
)
def test_a_marker_tells_streets_from_other_things(
    header: list[str], record: dict[str, str], is_street: bool
) -> None:
    assert find_columns(header).is_street(record) is is_street


def test_a_name_alone_makes_no_street_list() -> None:
    assert not is_street_list(["name", "lat", "lon"])
    assert is_street_list(["name", "highway"])
    assert is_street_list(["strasse", "ort", "plz"])
