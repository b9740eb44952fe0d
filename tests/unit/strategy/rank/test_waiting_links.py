from __future__ import annotations

import pytest

from geoscout.strategy.rank.waiting_links import pack, unpack


@pytest.mark.parametrize(
    ("focus", "ids"), [(0.0, ()), (0.5, ()), (0.0, (-7,)), (0.25, (4930956, 2**62, -1))]
)
def test_what_is_kept_comes_back(focus: float, ids: tuple[int, ...]) -> None:
    assert unpack(pack(focus, ids)) == (focus, ids)


def test_nothing_takes_no_room() -> None:
    assert pack(0.0, ()) == b""
