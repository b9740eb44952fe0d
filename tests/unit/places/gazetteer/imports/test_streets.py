"""Streets of TIGER/Line and of lists: where they are, and what is no street."""

import json
from pathlib import Path
from typing import Any

import pytest

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.files import MalformedLineError, Member, Sample
from geoscout_places.gazetteer.imports.formats import ImportRow
from geoscout_places.gazetteer.imports.streets import (
    STREET_LIST,
    TIGER,
    area_of_file,
    find_area,
    find_columns,
    is_street,
    parse_road,
)
from tests.unit.places.gazetteer.imports.samples import OPENADDRESSES, ROADS, make_dbf, stream

LOS_ANGELES = ("US", "CA", "037")


def parsed(record: dict[str, str], area: tuple[str, str, str] = LOS_ANGELES) -> list[ImportRow]:
    return list(parse_road(record, (), area))


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("tl_2023_06037_roads.zip", LOS_ANGELES),
        ("TL_2023_06037_FEATNAMES.DBF", LOS_ANGELES),
        ("tl_rd13_2013_36061_edges.dbf", ("US", "NY", "061")),
        ("tl_2023_06_prisecroads.zip", ("US", "CA", "")),
        ("tl_2023_us_primaryroads.zip", ("US", "", "")),
        ("tl_2023_72127_roads.zip", ("PR", "", "")),
        ("roads.dbf", ("", "", "")),
    ],
)
def test_state_and_county_are_in_the_name_of_the_file(path, area):
    assert find_area(path, "") == area


def test_the_option_wins_over_the_name():
    assert find_area("tl_2023_06037_roads.zip", "36061") == ("US", "NY", "061")


@pytest.mark.parametrize("option", ["CA", "99", "060", "0603"])
def test_an_option_that_is_no_code_is_refused(option):
    with pytest.raises(UsageError, match="FIPS"):
        find_area("roads.dbf", option)


def test_a_road_is_tied_to_its_county():
    rows = parsed({"fullname": "Sunset  Blvd", "mtfcc": "S1200"})

    assert rows == [("US", "CA", "037", "", "", "", "", "Sunset Blvd", "")]


def test_a_road_is_tied_to_the_postal_codes_on_both_sides():
    record = {"fullname": "Sunset Blvd", "zipl": "90028", "zipr": "90069"}

    codes = [row[4] for row in parsed(record)]

    assert codes == ["90028", "90069"]


def test_the_same_postal_code_on_both_sides_counts_once():
    record = {"fullname": "Sunset Blvd", "zipl": "90028", "zipr": "90028"}

    assert len(parsed(record)) == 1


def test_columns_of_the_table_win_over_the_name_of_the_file():
    record = {"fullname": "Broadway", "statefp": "36", "countyfp": "061"}

    (row,) = parsed(record)

    assert row[:3] == ("US", "NY", "061")


@pytest.mark.parametrize(
    "record", [{"fullname": ""}, {"fullname": "Los Angeles Riv", "mtfcc": "H3010"}]
)
def test_what_is_no_named_road_is_left_out(record):
    assert not parsed(record)


def test_a_road_that_is_nowhere_is_malformed():
    with pytest.raises(MalformedLineError, match="STATEFP"):
        parsed({"fullname": "Broadway"}, ("", "", ""))


def test_a_record_without_names_is_malformed():
    with pytest.raises(MalformedLineError, match="FULLNAME"):
        parsed({"name": "Broadway"})


def test_the_name_of_the_archive_serves_when_the_member_has_none():
    member = Member("roads.dbf", 0, Path("tl_2023_06037_roads.zip"))

    rows = dict(TIGER.read(stream(make_dbf(ROADS)), member, ""))

    assert rows[1] == [("US", "CA", "037", "", "", "", "", "Sunset Blvd", "")]


def test_exported_csv_is_read():
    text = "LINEARID,FULLNAME,RTTYP,MTFCC\n1104,Sunset Blvd,M,S1200\n"
    name = "tl_2023_06037_roads.csv"

    rows = dict(TIGER.read(stream(text), Member(name, 0, Path(name)), ""))

    assert rows == {2: [("US", "CA", "037", "", "", "", "", "Sunset Blvd", "")]}


def test_a_table_of_something_else_is_not_recognised():
    counties = make_dbf([{"GEOID": "06037", "NAME": "Los Angeles"}])

    assert not TIGER.recognises(Sample("tl_2023_us_county.dbf", counties))


def read(text: str, member: str = "list.csv", option: str = "") -> list[Any]:
    """What came of each line."""
    found = STREET_LIST.read(stream(text), Member(member, 0, Path(member)), option)
    return [rows for _, rows in found]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("street,postcode,lat,lon\nMill Lane,26121,53.1,8.2", ("26121", "53.100", "8.200")),
        ("street,lat,lon\nMill Lane,53.1432,8.2141", ("", "53.143", "8.214")),
    ],
)
def test_a_street_is_tied_to_the_narrowest_thing_that_is_known(text, row):
    assert read(text, option="DE") == [(("DE", "", "", "", *row, "Mill Lane", ""),)]


def test_a_city_comes_before_a_postal_code():
    first, *_ = read(OPENADDRESSES, option="US")

    assert first == (("US", "CA", "", "BERKELEY", "", "37.800", "-122.200", "SHATTUCK AVE", "0"),)


def test_metres_of_a_map_are_not_taken_for_degrees():
    (rows,) = read("street,city,x,y\nMill Lane,Ulm,573000,5362000\n", option="DE")

    assert rows == (("DE", "", "", "Ulm", "", "", "", "Mill Lane", ""),)


def test_the_country_may_be_a_column_with_code_or_name():
    found = read("street,city,country\nA-Weg,X,de\nB-Weg,X,Deutschland\n")

    assert [rows[0][0] for rows in found] == ["DE", "DE"]


def test_the_path_inside_an_archive_of_openaddresses_tells_country_and_region():
    (rows,) = read("street,city\nShattuck Ave,Berkeley\n", member="us/ca/berkeley.csv")

    assert rows[0][:2] == ("US", "CA")


def test_an_option_names_country_and_region():
    assert area_of_file("x.csv", "DE") == ("DE", "")
    assert area_of_file("x.csv", "US.CA") == ("US", "CA")


@pytest.mark.parametrize("option", ["XX", "US.XX"])
def test_an_option_that_is_no_area_is_refused(option):
    with pytest.raises(UsageError, match="not a country or region"):
        area_of_file("x.csv", option)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Mill Lane,X,Atlantis,,", "country 'Atlantis' is unknown"),
        ("Mill Lane,X,,,", "country is missing"),
        ("Mill Lane,,DE,91,8", "coordinates"),
        (f"{'Lane' * 60},X,DE,,", "is not a name"),
    ],
)
def test_a_malformed_line_says_what_is_wrong(row, reason):
    (found,) = read(f"street,city,country,lat,lon\n{row}\n")

    assert isinstance(found, MalformedLineError)
    assert reason in str(found)


def test_a_list_without_streets_is_malformed_throughout():
    found = read("a,b\n1,2\n3,4\n", option="DE")

    assert list(map(str, found)) == ["there is no column with the street"] * 2


@pytest.mark.parametrize("street", ["", " ", "12", "-"])
def test_what_is_no_street_is_left_out(street):
    assert read(f"street,city\n{street},X\n", option="DE") == [()]


def test_only_highways_of_a_mixed_list_are_streets():
    text = "@id\tname\thighway\n1\tHunte\t\n2\tAm Damm\tresidential\n"

    found = read(text, option="DE")

    assert [row[-2] for rows in found for row in rows] == ["Am Damm"]


def test_geojson_of_openaddresses_is_read_line_by_line():
    feature = {
        "type": "Feature",
        "properties": {"street": "Shattuck Ave", "city": "", "postcode": None, "region": "CA"},
        "geometry": {"type": "Point", "coordinates": [-122.268, 37.871]},
    }
    lines = f'{json.dumps(feature)}\n[1]\nno json\n{{"type": "Feature"}}\n'

    good, *bad = read(lines, member="us/ca/berkeley.geojson")

    assert good == (("US", "CA", "", "", "", "37.871", "-122.268", "Shattuck Ave", ""),)
    assert [type(found) for found in bad] == [MalformedLineError] * 3


@pytest.mark.parametrize(
    ("header", "is_list"),
    [
        ("name,country,lat,lon", False),
        ("name,lat,lon", False),
        ("name,highway", True),
        ("strasse;ort;plz", True),
    ],
)
def test_a_name_alone_makes_no_street_list(header, is_list):
    assert STREET_LIST.recognises(Sample("list.csv", f"{header}\n".encode())) is is_list


def test_the_columns_of_openaddresses_are_known():
    header = ["lon", "lat", "number", "street", "city", "district", "region", "postcode"]

    found = find_columns(header)

    assert found == {
        "longitude": "lon", "latitude": "lat", "number": "number", "street": "street",
        "city": "city", "region": "region", "postcode": "postcode",
    }  # fmt: skip


def test_the_keys_of_openstreetmap_are_known():
    found = find_columns(["@id", "addr:street", "addr:city", "addr:postcode", "addr:country"])

    assert found == {key: f"addr:{key}" for key in ("street", "city", "postcode", "country")}


@pytest.mark.parametrize(
    ("header", "record", "expected"),
    [
        (["name", "highway"], {"highway": "residential"}, True),
        (["name", "highway"], {"highway": ""}, False),
        (["name", "class"], {"class": "highway"}, True),
        (["name", "class"], {"class": "place"}, False),
        (["name", "class", "street"], {"class": "place", "street": "x"}, False),
        (["street"], {"street": "Mill Lane"}, True),
    ],
)
def test_a_marker_tells_streets_from_other_things(header, record, expected):
    assert is_street(find_columns(header), record) is expected
