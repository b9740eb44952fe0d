"""Addresses as people wrote them, country by country, from sources of others."""

import pytest
from benchmarks.address_cases import OTHERS, group_of, is_found, read_cases

_CASES = read_cases()
_GROUPS = sorted({group_of(case) for case in _CASES})
_WANTED = 0.9
_WANTED_OF_OTHERS = 0.8  # countries without a format of their own


@pytest.mark.parametrize("half", ["dev", "test"])
@pytest.mark.parametrize("group", _GROUPS)
def test_addresses_of_a_country_are_found(group, half, gazetteer):
    cases = [case for case in _CASES if group_of(case) == group and case.half == half]

    missed = [case.text for case in cases if not is_found(case, gazetteer)]

    wanted = _WANTED_OF_OTHERS if group == OTHERS else _WANTED
    assert len(missed) <= (1 - wanted) * len(cases), missed


@pytest.mark.parametrize("group", _GROUPS)
def test_cases_of_a_country_have_several_layouts(group):
    assert len({case.layout for case in _CASES if group_of(case) == group}) >= 4
