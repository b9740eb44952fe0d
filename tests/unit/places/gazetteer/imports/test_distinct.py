from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.gazetteer.imports.distinct import distinct


@given(lines=st.lists(st.sampled_from("abcdefgh")), most=st.integers(1, 5))
def test_each_line_comes_once_and_in_order(lines: list[str], most: int) -> None:
    folder = Path(tempfile.gettempdir())

    assert list(distinct(lines, folder, most)) == sorted(set(lines))


def test_the_order_of_the_input_does_not_matter(tmp_path: Path) -> None:
    lines = [f"Straße {number % 50}" for number in range(500)]
    shuffled = random.Random(1).sample(lines, len(lines))

    assert list(distinct(lines, tmp_path, 20)) == list(distinct(shuffled, tmp_path, 20))


def test_nothing_is_left_in_the_folder(tmp_path: Path) -> None:
    lines = distinct((str(number) for number in range(100)), tmp_path, 10)

    next(lines)

    assert list(tmp_path.iterdir()) == []
    assert len(list(lines)) == 99
