from __future__ import annotations

import pytest

from geoscout.geo.address.english_numbers import is_doubtful_number, is_number, number_end
from geoscout.geo.address.segments import words_of


@pytest.mark.parametrize("text", ["12 Main", "12a Main", "12-14 Main", "32-15 Main", "One Main"])
def test_house_number_is_known(text: str) -> None:
    assert is_number(words_of(text), 0)


@pytest.mark.parametrize("text", ["12:30 pm", "$12 off", "1.5 miles", "12. Main", "one of them"])
def test_other_number_is_no_house_number(text: str) -> None:
    assert not is_number(words_of(f"There {text}"), 1)


def test_number_of_a_suite_is_no_house_number() -> None:
    assert not is_number(words_of("Suite 900 Main"), 1)


def test_number_behind_a_floor_is_a_house_number() -> None:
    assert is_number(words_of("4th Floor 900 Main"), 2)


@pytest.mark.parametrize(("text", "end"), [("55 1/2 Oak", 2), ("35 - 37 Oak", 3), ("12 Oak St", 1)])
def test_fraction_and_range_belong_to_the_number(text: str, end: int) -> None:
    assert number_end(words_of(text), 0) == end


def test_telephone_number_is_doubtful() -> None:
    assert is_doubtful_number(words_of("555-1234")[0])
    assert not is_doubtful_number(words_of("75-5776")[0])
