from __future__ import annotations

import json

import pytest

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.imports.base import ImportTask, Outcome, Sample
from geoscout_places.gazetteer.imports.streets import StreetList, find_home
from tests.unit.places.gazetteer.imports.samples import OPENADDRESSES, stream


def read(text: str, areas: AreaCodes, member: str = "list.csv", option: str = "") -> list[Outcome]:
    return list(StreetList().read(stream(text), ImportTask(member, areas, option=option)))


def test_a_street_is_tied_to_its_city(areas: AreaCodes) -> None:
    first, *_ = read(OPENADDRESSES, areas, option="US")

    assert first.rows == (
        ("US", "CA", "", "BERKELEY", "", "37.800", "-122.200", "SHATTUCK AVE", "0"),
    )


def test_without_a_city_a_street_is_tied_to_its_postal_code(areas: AreaCodes) -> None:
    (outcome,) = read("street,postcode,lat,lon\nMill Lane,26121,53.1,8.2\n", areas, option="DE")

    assert outcome.rows == (("DE", "", "", "", "26121", "53.100", "8.200", "Mill Lane", ""),)


def test_without_a_postal_code_a_street_is_tied_to_its_spot(areas: AreaCodes) -> None:
    (outcome,) = read("street,lat,lon\nMill Lane,53.1432,8.2141\n", areas, option="DE")

    assert outcome.rows == (("DE", "", "", "", "", "53.143", "8.214", "Mill Lane", ""),)


def test_metres_of_a_map_are_not_taken_for_degrees(areas: AreaCodes) -> None:
    (outcome,) = read("street,city,x,y\nMill Lane,Ulm,573000,5362000\n", areas, option="DE")

    assert outcome.rows == (("DE", "", "", "Ulm", "", "", "", "Mill Lane", ""),)


def test_the_country_may_be_a_column_with_code_or_name(areas: AreaCodes) -> None:
    outcomes = read("street,city,country\nA-Weg,X,de\nB-Weg,X,Deutschland\n", areas)

    assert [outcome.rows[0][0] for outcome in outcomes] == ["DE", "DE"]


def test_the_path_inside_an_archive_of_openaddresses_tells_country_and_region(
    areas: AreaCodes,
) -> None:
    text = "street,city\nShattuck Ave,Berkeley\n"

    (outcome,) = read(text, areas, member="us/ca/berkeley.csv")

    assert outcome.rows[0][:2] == ("US", "CA")


def test_an_option_names_country_and_region(areas: AreaCodes) -> None:
    assert find_home("x.csv", "DE", areas) == ("DE", "")
    assert find_home("x.csv", "US.CA", areas) == ("US", "CA")


@pytest.mark.parametrize("option", ["XX", "US.XX"])
def test_an_option_that_is_no_area_is_refused(option: str, areas: AreaCodes) -> None:
    with pytest.raises(UsageError, match="not a country or region"):
        find_home("x.csv", option, areas)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Mill Lane,X,Atlantis,,", "country 'Atlantis' is unknown"),
        ("Mill Lane,X,,,", "country is missing"),
        ("Mill Lane,,DE,91,8", "coordinates"),
        (f"{'Lane' * 60},X,DE,,", "is not a name"),
    ],
)
def test_a_malformed_line_says_what_is_wrong(row: str, reason: str, areas: AreaCodes) -> None:
    (outcome,) = read(f"street,city,country,lat,lon\n{row}\n", areas)

    assert not outcome.rows
    assert reason in outcome.reason


def test_a_list_without_streets_is_malformed_throughout(areas: AreaCodes) -> None:
    outcomes = read("a,b\n1,2\n3,4\n", areas, option="DE")

    assert [outcome.reason for outcome in outcomes] == ["there is no column with the street"] * 2


@pytest.mark.parametrize("street", ["", " ", "12", "-"])
def test_what_is_no_street_is_left_out(street: str, areas: AreaCodes) -> None:
    (outcome,) = read(f"street,city\n{street},X\n", areas, option="DE")

    assert (outcome.rows, outcome.reason) == ((), "")


def test_only_highways_of_a_mixed_list_are_streets(areas: AreaCodes) -> None:
    text = "@id\tname\thighway\n1\tHunte\t\n2\tAm Damm\tresidential\n"

    outcomes = read(text, areas, option="DE")

    assert [row[-2] for outcome in outcomes for row in outcome.rows] == ["Am Damm"]


def test_geojson_of_openaddresses_is_read_line_by_line(areas: AreaCodes) -> None:
    feature = {
        "type": "Feature",
        "properties": {"street": "Shattuck Ave", "city": "", "postcode": None, "region": "CA"},
        "geometry": {"type": "Point", "coordinates": [-122.268, 37.871]},
    }
    lines = f'{json.dumps(feature)}\n[1]\nno json\n{{"type": "Feature"}}\n'

    good, *bad = read(lines, areas, member="us/ca/berkeley.geojson")

    assert good.rows == (("US", "CA", "", "", "", "37.871", "-122.268", "Shattuck Ave", ""),)
    assert [outcome.line for outcome in bad] == [2, 3, 4]
    assert all(outcome.reason for outcome in bad)


def test_a_list_of_cities_is_not_taken_for_streets() -> None:
    assert not StreetList().recognises(Sample("cities.csv", b"name,country,lat,lon\n"))
