"""How a crawl stands, as a table for people.

A crawl without a page says what to type.
"""

import pytest

from geoscout.cli.commands.status import advice_for, print_status


def test_a_region_of_many_cities_does_not_widen_the_table(capsys):
    cities = [f"City {number}, California" for number in range(70)]

    print_status({"region": "; ".join(cities), "pages": 1234})

    shown = capsys.readouterr().out
    assert "City 0, California; City 1, California; City 2, California and 67 more" in shown
    assert max(map(len, shown.splitlines())) < 120
    assert "1,234" in shown


@pytest.mark.parametrize(
    ("failures", "advice"),
    [
        ({"private-address": 1}, "--allow-private"),
        ({"dns": 3, "timeout": 1}, "check their spelling"),
        ({"robots-unreachable: timeout": 1}, "robots.txt"),
        ({"protocol": 2}, "every request failed (protocol: 2)"),
    ],
)
def test_advice_is_for_the_most_frequent_failure(failures, advice):
    assert advice in advice_for(failures, visits=0, is_replay=False)
