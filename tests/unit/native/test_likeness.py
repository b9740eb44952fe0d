from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.parse.likeness import simhash_by_arrays


@given(st.binary(min_size=8, max_size=600))
def test_compiled_simhash_is_that_of_the_arrays(likeness: Any, data: bytes) -> None:
    assert likeness.simhash(data) == simhash_by_arrays(data)


def test_compiled_simhash_of_repeated_and_long_texts(likeness: Any) -> None:
    for text in (b"a" * 5000, bytes(range(256)) * 100, "Straße in München ".encode() * 1500):
        assert likeness.simhash(text) == simhash_by_arrays(text)


def test_compiled_simhash_refuses_texts_without_a_run(likeness: Any) -> None:
    with pytest.raises(ValueError, match="eight bytes"):
        likeness.simhash(b"seven b")
