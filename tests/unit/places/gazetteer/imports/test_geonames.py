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


@pytest.mark.parametrize(
    ("line", "row"),
    [
        pytest.param(MUNICH_NAME, ("2867714", "en", "Munich", "p"), id="preferred"),
        pytest.param(
            "7\t5368361\ten\tSouthland\t1\t1\t1\t\t\t",
            ("5368361", "en", "Southland", "psc"),
            id="all flags",
        ),
        pytest.param(
            "7\t2867714\tit\tMonaco di Baviera\t\t\t\t",
            ("2867714", "it", "Monaco di Baviera", ""),
            id="of the older table without dates",
        ),
        pytest.param(
            "7\t5128581\tabbr\tNYC\t\t\t\t\t\t", ("5128581", "", "NYC", "a"), id="abbreviation"
        ),
    ],
)
def test_a_line_becomes_a_row_of_names(line, row):
    assert parse_name(line) == (row,)


@pytest.mark.parametrize(
    "line",
    [
        *(
            f"7\t2867714\t{language}\tMuenchen\t\t\t\t\t\t"
            for language in ("link", "wkdt", "post", "iata", "icao", "unlc", "fr_1793")
        ),
        MUNICH_LINK,
        "7\t498817\tde\tLeningrad\t\t\t\t1\t1924\t1991",  # historic
        "7\t2867714\t\tmu ni hei\t\t\t\t\t\t",  # junk without a language
    ],
)
def test_what_is_no_name_is_left_out(line):
    assert parse_name(line) == ()


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


@pytest.mark.parametrize("region", ["Niedersachsen", ""])  # by its name, or else by its code
def test_a_line_becomes_a_row_with_the_region_of_the_gazetteer(region):
    (row,) = parse_postal_code(OLDENBURG_CODE.replace("Niedersachsen", region))
    assert PostcodeRow(*row) == PostcodeRow(
        "DE", "26121", "Oldenburg", "06", "53.1432", longitude="8.2141", names=""
    )


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


@pytest.mark.parametrize(
    ("kind", "features", "has_alternates", "wanted"),
    [
        ("P", ("PPL", "PPLX", "PPLC", "STLMT", ""), False, True),
        ("P", ("PPLH", "PPLQ", "PPLW"), True, False),  # they are gone
        ("T", ("MT",), True, True),  # a hill that is written about
        ("T", ("MT",), False, False),
        ("S", ("SCH", "FRM"), True, False),
    ],
)
def test_what_people_name_is_wanted(kind, features, has_alternates, wanted):
    found = {is_wanted(kind, feature, has_alternates=has_alternates) for feature in features}
    assert found == {wanted}


def test_the_two_upper_levels_of_divisions_are_wanted():
    wanted = [
        feature
        for feature in ("PCLI", "ADM1", "ADM2", "ADM3", "ADM1H", "ADMD")
        if is_wanted("A", feature, has_alternates=True)
    ]

    assert wanted == ["PCLI", "ADM1", "ADM2"]


def test_an_option_is_read_as_feature_classes():
    assert read_classes("ph") == {"P", "H"}
    assert read_classes("all") == CLASSES
    assert not read_classes("")
    with pytest.raises(UsageError, match="AHLPRSTUV"):
        read_classes("PX")
