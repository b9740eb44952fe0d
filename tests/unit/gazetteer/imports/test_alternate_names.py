from __future__ import annotations

import pytest

from geoscout.gazetteer.imports.alternate_names import parse_name
from geoscout.gazetteer.imports.base import MalformedLineError
from tests.unit.gazetteer.imports.samples import MUNICH_LINK, MUNICH_NAME


def test_a_line_becomes_a_row_of_names() -> None:
    assert parse_name(MUNICH_NAME) == (("2867714", "en", "Munich", "p"),)


def test_flags_are_kept_together() -> None:
    line = "7\t5368361\ten\tSouthland\t1\t1\t1\t\t\t"

    assert parse_name(line) == (("5368361", "en", "Southland", "psc"),)


def test_the_older_table_without_dates_is_read() -> None:
    assert parse_name("7\t2867714\tit\tMonaco di Baviera\t\t\t\t")


def test_an_abbreviation_is_kept_as_one() -> None:
    assert parse_name("7\t5128581\tabbr\tNYC\t\t\t\t\t\t") == (("5128581", "", "NYC", "a"),)


@pytest.mark.parametrize("language", ["link", "wkdt", "post", "iata", "icao", "unlc", "fr_1793"])
def test_what_is_no_name_is_left_out(language: str) -> None:
    assert parse_name(f"7\t2867714\t{language}\tMuenchen\t\t\t\t\t\t") == ()


def test_a_link_is_left_out() -> None:
    assert parse_name(MUNICH_LINK) == ()


def test_a_historic_name_is_left_out() -> None:
    assert parse_name("7\t498817\tde\tLeningrad\t\t\t\t1\t1924\t1991") == ()


def test_junk_without_a_language_is_left_out() -> None:
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
def test_a_malformed_line_says_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(MalformedLineError, match=reason):
        parse_name(line)
