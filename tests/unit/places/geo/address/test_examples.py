"""The addresses that are read before a crawl begins."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import known_formats
from geoscout_places.geo.address.examples import EXAMPLES, read_examples


@pytest.mark.parametrize("country", sorted(EXAMPLES))
def test_an_example_is_one_address_of_its_country(country: str, gazetteer: SqliteGazetteer) -> None:
    found = read_examples(gazetteer, [country])

    assert [address.country for address in found] == [country]
    assert found[0].street
    assert found[0].place is not None


def test_every_country_with_a_format_has_an_example() -> None:
    assert {format.country for format in known_formats()} - {"ZZ"} == set(EXAMPLES)


def test_nothing_is_read_for_countries_without_one(gazetteer: SqliteGazetteer) -> None:
    assert read_examples(gazetteer, ["XX"]) == []
