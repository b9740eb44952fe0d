from __future__ import annotations

import pytest

from geoscout.errors import UsageError
from geoscout.gazetteer.imports.areas import AreaCodes
from geoscout.gazetteer.imports.base import ImportTask, MalformedLineError
from geoscout.gazetteer.imports.geonames import GeonamesDump, parse_place
from geoscout.gazetteer.tables import PlaceRow
from tests.unit.gazetteer.imports.samples import LISBON, NAMELESS_BROOK, TAGUS, stream


def test_a_line_becomes_a_row_of_places() -> None:
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


def test_a_river_is_kept_and_a_nameless_brook_is_not() -> None:
    assert parse_place(TAGUS)
    assert not parse_place(NAMELESS_BROOK)


def test_chosen_classes_are_kept_in_full_and_no_others() -> None:
    chosen = frozenset("H")

    assert parse_place(NAMELESS_BROOK, chosen)
    assert not parse_place(LISBON, chosen)


def test_an_ocean_is_in_no_country() -> None:
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
def test_a_malformed_line_says_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(MalformedLineError, match=reason):
        parse_place(line)


def test_the_option_chooses_classes(areas: AreaCodes) -> None:
    lines = f"{LISBON}\n{TAGUS}\n"

    outcomes = list(GeonamesDump().read(stream(lines), ImportTask("PT.txt", areas, option="H")))

    assert [(outcome.line, len(outcome.rows)) for outcome in outcomes] == [(1, 0), (2, 1)]


def test_a_senseless_option_is_refused(areas: AreaCodes) -> None:
    with pytest.raises(UsageError, match="feature class"):
        GeonamesDump().read(stream(LISBON), ImportTask("PT.txt", areas, option="cities"))
