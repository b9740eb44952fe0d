from pathlib import Path

import pytest

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.files import MalformedLineError, Member
from geoscout_places.gazetteer.imports.geonames import (
    CLASSES,
    DUMP,
    is_wanted,
    parse_name,
    parse_place,
    parse_postal_code,
    read_classes,
)
from geoscout_places.gazetteer.tables import PlaceRow, PostcodeRow
from tests.unit.places.gazetteer.imports.samples import (
    LISBON,
    MUNICH_LINK,
    MUNICH_NAME,
    NAMELESS_BROOK,
    OLDENBURG_CODE,
    TAGUS,
    stream,
)

FILE = Member("PT.txt", 0, Path("PT.txt"))


def test_a_line_becomes_a_row_of_places():
    (row,) = parse_place(LISBON)

    assert PlaceRow(*row) == PlaceRow(
        id="2267057",
        name="Lisbon",
        latitude="38.7167",
        longitude="-9.1333",
        country="PT",
        admin1="14",
        admin2="1106",
        population="517802",
        timezone="Europe/Lisbon",
        feature="PPLC",
        names="Lisboa|Lissabon|Лиссабон",
    )


def test_a_river_is_kept_and_a_nameless_brook_is_not():
    assert parse_place(TAGUS)
    assert not parse_place(NAMELESS_BROOK)


def test_chosen_classes_are_kept_in_full_and_no_others():
    chosen = frozenset("H")

    assert parse_place(NAMELESS_BROOK, chosen)
    assert not parse_place(LISBON, chosen)


def test_an_ocean_is_in_no_country():
    ocean = TAGUS.replace("STM\tPT", "OCN\t")

    (row,) = parse_place(ocean)

    assert PlaceRow(*row).country == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a line of prose", "1 tab-separated columns instead of 19"),
        (LISBON + "\tmore", "20 tab-separated columns"),
        (LISBON.replace("2267057", "L1"), "id 'L1'"),
        (LISBON.replace("38.71667", "138.7"), "coordinates"),
        (LISBON.replace("\tPT\t", "\tpt\t"), "country 'pt'"),
        (LISBON.replace("517802", "many"), "population 'many'"),
        (LISBON.replace("\tLisbon\tLisbon", "\t\tLisbon"), "name is empty"),
    ],
)
def test_a_malformed_place_says_what_is_wrong(line, reason):
    with pytest.raises(MalformedLineError, match=reason):
        parse_place(line)


def test_the_option_chooses_classes():
    lines = f"{LISBON}\n{TAGUS}\n"

    found = [rows for _, rows in DUMP.read(stream(lines), FILE, "H")]

    assert found == [(), parse_place(TAGUS)]


def test_a_senseless_option_is_refused():
    with pytest.raises(UsageError, match="feature class"):
        DUMP.read(stream(LISBON), FILE, "cities")


def test_a_line_becomes_a_row_of_names():
    assert parse_name(MUNICH_NAME) == (("2867714", "en", "Munich", "p"),)


def test_flags_are_kept_together():
    line = "7\t5368361\ten\tSouthland\t1\t1\t1\t\t\t"

    assert parse_name(line) == (("5368361", "en", "Southland", "psc"),)


def test_the_older_table_without_dates_is_read():
    assert parse_name("7\t2867714\tit\tMonaco di Baviera\t\t\t\t")


def test_an_abbreviation_is_kept_as_one():
    assert parse_name("7\t5128581\tabbr\tNYC\t\t\t\t\t\t") == (("5128581", "", "NYC", "a"),)


@pytest.mark.parametrize("language", ["link", "wkdt", "post", "iata", "icao", "unlc", "fr_1793"])
def test_what_is_no_name_is_left_out(language):
    assert parse_name(f"7\t2867714\t{language}\tMuenchen\t\t\t\t\t\t") == ()


def test_a_link_is_left_out():
    assert parse_name(MUNICH_LINK) == ()


def test_a_historic_name_is_left_out():
    assert parse_name("7\t498817\tde\tLeningrad\t\t\t\t1\t1924\t1991") == ()


def test_junk_without_a_language_is_left_out():
    assert parse_name("7\t2867714\t\tmu ni hei\t\t\t\t\t\t") == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1\t2\ten", "3 tab-separated columns instead of 8 to 10"),
        (MUNICH_NAME.replace("1560000", "x"), "id of the name 'x'"),
        (MUNICH_NAME.replace("2867714", ""), "id of the place ''"),
        (MUNICH_NAME.replace("Munich", ""), "alternate name is empty"),
    ],
)
def test_a_malformed_name_says_what_is_wrong(line, reason):
    with pytest.raises(MalformedLineError, match=reason):
        parse_name(line)


def test_a_line_becomes_a_row_with_the_region_of_the_gazetteer():
    (row,) = parse_postal_code(OLDENBURG_CODE)

    assert PostcodeRow(*row) == PostcodeRow(
        "DE", "26121", "Oldenburg", "06", "53.1432", longitude="8.2141", names=""
    )


def test_a_region_without_a_name_is_found_by_its_code():
    line = OLDENBURG_CODE.replace("Niedersachsen", "")

    (row,) = parse_postal_code(line)

    assert PostcodeRow(*row).region == "06"


def test_a_line_without_coordinates_is_kept():
    line = OLDENBURG_CODE.replace("53.1432\t8.2141", "\t")

    (row,) = parse_postal_code(line)

    assert (PostcodeRow(*row).latitude, PostcodeRow(*row).longitude) == ("", "")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("DE\t26121", "2 tab-separated columns instead of 12"),
        (OLDENBURG_CODE.replace("DE\t", "de\t"), "country 'de'"),
        (OLDENBURG_CODE.replace("26121", ""), "postal code is empty"),
        (OLDENBURG_CODE.replace("\tOldenburg\tNieder", "\t\tNieder"), "place is empty"),
        (OLDENBURG_CODE.replace("53.1432", "north"), "coordinates"),
    ],
)
def test_a_malformed_postal_code_says_what_is_wrong(line, reason):
    with pytest.raises(MalformedLineError, match=reason):
        parse_postal_code(line)


@pytest.mark.parametrize("feature", ["PPL", "PPLX", "PPLC", "STLMT", ""])
def test_settlements_are_wanted(feature):
    assert is_wanted("P", feature, has_alternates=False)


@pytest.mark.parametrize("feature", ["PPLH", "PPLQ", "PPLW"])
def test_settlements_that_are_gone_are_not(feature):
    assert not is_wanted("P", feature, has_alternates=True)


def test_the_two_upper_levels_of_divisions_are_wanted():
    wanted = [
        feature
        for feature in ("PCLI", "ADM1", "ADM2", "ADM3", "ADM1H", "ADMD")
        if is_wanted("A", feature, has_alternates=True)
    ]

    assert wanted == ["PCLI", "ADM1", "ADM2"]


def test_a_hill_is_wanted_only_when_it_is_written_about():
    assert is_wanted("T", "MT", has_alternates=True)
    assert not is_wanted("T", "MT", has_alternates=False)


def test_schools_and_farms_are_never_wanted_unless_chosen():
    assert not is_wanted("S", "SCH", has_alternates=True)
    assert not is_wanted("S", "FRM", has_alternates=True)


def test_an_option_is_read_as_feature_classes():
    assert read_classes("ph") == {"P", "H"}
    assert read_classes("all") == CLASSES
    assert not read_classes("")


def test_a_letter_that_is_no_class_is_refused_with_those_that_are():
    with pytest.raises(UsageError, match="AHLPRSTUV"):
        read_classes("PX")
