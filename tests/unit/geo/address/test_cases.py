"""Addresses as people wrote them, country by country, from sources of others."""

from __future__ import annotations

import pytest
from benchmarks.address_cases import AddressCase, is_found, read_cases

from geoscout.gazetteer import SqliteGazetteer

_CASES = read_cases()
_WANTED = 0.9


def _of(country: str, half: str) -> list[AddressCase]:
    return [case for case in _CASES if case.country == country and case.half == half]


@pytest.mark.parametrize("half", ["dev", "test"])
@pytest.mark.parametrize("country", sorted({case.country for case in _CASES}))
def test_addresses_of_a_country_are_found(
    country: str, half: str, gazetteer: SqliteGazetteer
) -> None:
    cases = _of(country, half)

    missed = [case.text for case in cases if not is_found(case, gazetteer)]

    assert len(missed) <= (1 - _WANTED) * len(cases), missed


@pytest.mark.parametrize("country", sorted({case.country for case in _CASES}))
def test_cases_of_a_country_have_several_layouts(country: str) -> None:
    assert len({case.layout for case in _CASES if case.country == country}) >= 4
