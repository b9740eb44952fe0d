from __future__ import annotations

import pytest

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.imports.base import ImportTask, MalformedLineError, Sample
from geoscout_places.gazetteer.imports.tiger import TigerLine, find_area, parse_road
from tests.unit.places.gazetteer.imports.samples import ROADS, make_dbf, stream

LOS_ANGELES = ("US", "CA", "037")


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
def test_state_and_county_are_in_the_name_of_the_file(path: str, area: tuple[str, ...]) -> None:
    assert find_area(path, "") == area


def test_the_option_wins_over_the_name() -> None:
    assert find_area("tl_2023_06037_roads.zip", "36061") == ("US", "NY", "061")


@pytest.mark.parametrize("option", ["CA", "99", "060", "0603"])
def test_an_option_that_is_no_code_is_refused(option: str) -> None:
    with pytest.raises(UsageError, match="FIPS"):
        find_area("roads.dbf", option)


def test_a_road_is_tied_to_its_county() -> None:
    rows = parse_road({"fullname": "Sunset  Blvd", "mtfcc": "S1200"}, LOS_ANGELES)

    assert rows == [("US", "CA", "037", "", "", "", "", "Sunset Blvd", "")]


def test_a_road_is_tied_to_the_postal_codes_on_both_sides() -> None:
    record = {"fullname": "Sunset Blvd", "zipl": "90028", "zipr": "90069"}

    codes = [row[4] for row in parse_road(record, LOS_ANGELES)]

    assert codes == ["90028", "90069"]


def test_the_same_postal_code_on_both_sides_counts_once() -> None:
    record = {"fullname": "Sunset Blvd", "zipl": "90028", "zipr": "90028"}

    assert len(parse_road(record, LOS_ANGELES)) == 1


def test_columns_of_the_table_win_over_the_name_of_the_file() -> None:
    record = {"fullname": "Broadway", "statefp": "36", "countyfp": "061"}

    (row,) = parse_road(record, LOS_ANGELES)

    assert row[:3] == ("US", "NY", "061")


@pytest.mark.parametrize(
    "record", [{"fullname": ""}, {"fullname": "Los Angeles Riv", "mtfcc": "H3010"}]
)
def test_what_is_no_named_road_is_left_out(record: dict[str, str]) -> None:
    assert not parse_road(record, LOS_ANGELES)


def test_a_road_that_is_nowhere_is_malformed() -> None:
    with pytest.raises(MalformedLineError, match="STATEFP"):
        parse_road({"fullname": "Broadway"}, ("", "", ""))


def test_a_record_without_names_is_malformed() -> None:
    with pytest.raises(MalformedLineError, match="FULLNAME"):
        parse_road({"name": "Broadway"}, LOS_ANGELES)


def test_the_name_of_the_archive_serves_when_the_member_has_none(areas: AreaCodes) -> None:
    task = ImportTask("roads.dbf", areas, file="tl_2023_06037_roads.zip")

    first, *_ = TigerLine().read(stream(make_dbf(ROADS)), task)

    assert first.rows == [("US", "CA", "037", "", "", "", "", "Sunset Blvd", "")]


def test_exported_csv_is_read(areas: AreaCodes) -> None:
    text = "LINEARID,FULLNAME,RTTYP,MTFCC\n1104,Sunset Blvd,M,S1200\n"

    (outcome,) = TigerLine().read(stream(text), ImportTask("tl_2023_06037_roads.csv", areas))

    assert outcome.line == 2
    assert outcome.rows[0][-2] == "Sunset Blvd"


def test_a_table_of_something_else_is_not_recognised() -> None:
    counties = make_dbf([{"GEOID": "06037", "NAME": "Los Angeles"}])

    assert not TigerLine().recognises(Sample("tl_2023_us_county.dbf", counties))
