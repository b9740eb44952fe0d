"""A crawl without a page says what to type."""

from __future__ import annotations

import pytest

from geoscout.cli.show.advice import advice_for


@pytest.mark.parametrize(
    ("failures", "advice"),
    [
        ({"private-address": 1}, "--allow-private"),
        ({"dns": 3, "timeout": 1}, "check their spelling"),
        ({"robots-unreachable: timeout": 1}, "robots.txt"),
        ({"protocol": 2}, "every request failed (protocol: 2)"),
    ],
)
def test_advice_is_for_the_most_frequent_failure(failures: dict[str, int], advice: str) -> None:
    assert advice in advice_for(failures, visits=0, is_replay=False)
