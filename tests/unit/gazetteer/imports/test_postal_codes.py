from __future__ import annotations

import pytest

from geoscout.gazetteer.imports.areas import AreaCodes
from geoscout.gazetteer.imports.base import MalformedLineError
from geoscout.gazetteer.imports.postal_codes import parse_postal_code
from geoscout.gazetteer.tables import PostcodeRow
from tests.unit.gazetteer.imports.samples import OLDENBURG_CODE


def test_a_line_becomes_a_row_with_the_region_of_the_gazetteer(areas: AreaCodes) -> None:
    (row,) = parse_postal_code(OLDENBURG_CODE, areas)

    assert PostcodeRow(*row) == PostcodeRow(
        "DE", "26121", "Oldenburg", "06", "53.1432", longitude="8.2141", names=""
    )


def test_a_region_without_a_name_is_found_by_its_code(areas: AreaCodes) -> None:
    line = OLDENBURG_CODE.replace("Niedersachsen", "")

    (row,) = parse_postal_code(line, areas)

    assert PostcodeRow(*row).region == "06"


def test_a_line_without_coordinates_is_kept(areas: AreaCodes) -> None:
    line = OLDENBURG_CODE.replace("53.1432\t8.2141", "\t")

    (row,) = parse_postal_code(line, areas)

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
def test_a_malformed_line_says_what_is_wrong(line: str, reason: str, areas: AreaCodes) -> None:
    with pytest.raises(MalformedLineError, match=reason):
        parse_postal_code(line, areas)
