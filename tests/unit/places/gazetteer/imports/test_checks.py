from __future__ import annotations

import pytest

from geoscout_places.gazetteer.imports import checks
from geoscout_places.gazetteer.imports.base import MalformedLineError


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [("91", "0"), ("0", "-180.1"), ("nan", "0"), ("inf", "0"), ("north", "0"), ("", "")],
)
def test_coordinates_off_the_globe_are_malformed(latitude: str, longitude: str) -> None:
    with pytest.raises(MalformedLineError, match="coordinates"):
        checks.check_coordinates(latitude, longitude)


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "٣"])
def test_only_plain_digits_are_a_number(text: str) -> None:
    with pytest.raises(MalformedLineError, match="not a whole number"):
        checks.check_number(text, "id")


@pytest.mark.parametrize("text", ["", "D", "de", "DEU", "D1", "ÖÄ"])
def test_only_two_capital_letters_are_a_country(text: str) -> None:
    with pytest.raises(MalformedLineError, match="two-letter code"):
        checks.check_country(text)


def test_spaces_in_a_name_are_made_single() -> None:
    assert checks.check_name("  San \t José\n") == "San José"


@pytest.mark.parametrize("text", ["", " \t", "a" * 201, "bell\x07"])
def test_what_cannot_be_a_name_is_malformed(text: str) -> None:
    with pytest.raises(MalformedLineError):
        checks.check_name(text)


def test_a_long_bad_cell_is_shortened_in_the_reason() -> None:
    with pytest.raises(MalformedLineError) as raised:
        checks.check_number("x" * 1000, "id")

    assert len(str(raised.value)) < 80


@pytest.mark.parametrize(
    "junk", ["", "X", "LYS", "UNESCO"[:5], "www.paris.fr", "http://a.b", "75001", "a|b", "niu yue"]
)
def test_junk_is_no_alternate_name(junk: str) -> None:
    assert not checks.is_alternate(junk)


@pytest.mark.parametrize("name", ["L'Aquila", "თბილისი", "東京", "القاهرة", "’s-Gravenhage", "Årø"])
def test_names_in_any_script_are_alternate_names(name: str) -> None:
    assert checks.is_alternate(name)


def test_alternates_are_joined_once_each_and_without_the_main_name() -> None:
    joined = checks.join_alternates("Lyon", ["Lione", "Lyon", "LYS", " Lione", "Лион"])

    assert joined == "Lione|Лион"
