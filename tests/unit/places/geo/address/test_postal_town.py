from __future__ import annotations

import re

import pytest

from geoscout_places.geo.address.base import Sighting
from geoscout_places.geo.address.postal_town import PostalLine, may_be_served
from tests.unit.places.geo.address.worlds import small_world

WORLD = small_world()
MARK = re.compile(r"\s[0-9]{1,2}(?!\w)|\scedex", re.IGNORECASE)


def _line(text: str, proof: str = "") -> PostalLine:
    code, _, _ = text.partition(" ")
    sighting = Sighting(text, 0, len(code) + 1, 0, WORLD, is_alone=False)
    return PostalLine(sighting, "DE", WORLD.postcodes("DE", code), MARK, proof)


@pytest.mark.parametrize(
    ("text", "town"),
    [
        ("80331 München", "München"),
        ("80331 MÜNCHEN", "MÜNCHEN"),
        ("80331 München Telefon 089", "München"),
        ("80331 München-Altstadt", "München-Altstadt"),
        ("60313 Frankfurt am Main, Hessen", "Frankfurt am Main"),
        ("60313 Frankfurt/M.", "Frankfurt/M."),
        ("60313 Frankfurt a. M. Tel", "Frankfurt a. M."),
        ("82049 München", "München"),
    ],
)
def test_town_is_proven_however_it_is_written(text: str, town: str) -> None:
    found = _line(text).read_town()

    assert found is not None
    assert (found.name, found.is_proven) == (town, True)


@pytest.mark.parametrize(
    "text", ["80331 Springfield", "80331 viele Menschen", "80331 mal", "99999 Pullach"]
)
def test_town_that_cannot_be_there_is_none(text: str) -> None:
    assert _line(text).read_town() is None


def test_town_that_nobody_knows_is_neither_proven_nor_placed() -> None:
    found = _line("80331 Menschen").read_town()

    assert found is not None
    assert (found.place, found.is_proven) == (None, False)


def test_large_town_with_an_unknown_code_is_not_proven() -> None:
    found = _line("80999 München").read_town()

    assert found is not None
    assert not found.is_proven


def test_mark_of_the_post_proves_a_town_with_an_unknown_code() -> None:
    found = _line("80999 Pullach Cedex", proof="cedex").read_town()

    assert found is not None
    assert (found.name, found.is_proven) == ("Pullach", True)


def test_mark_of_the_post_ends_the_town_but_belongs_to_the_address() -> None:
    found = _line("80331 München 2").read_town()

    assert found is not None
    assert (found.name, found.end) == ("München", 15)


def test_year_before_a_word_is_told_from_a_postcode() -> None:
    rows = WORLD.postcodes("DE", "80331")

    assert may_be_served(Sighting("80331 München", 0, 6, 0, WORLD, is_alone=False), rows)
    assert not may_be_served(Sighting("80331 Angela", 0, 6, 0, WORLD, is_alone=False), rows)
