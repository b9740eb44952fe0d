"""How a crawl stands, as a table for people."""

from __future__ import annotations

import pytest

from geoscout.cli.commands.status import print_status


def test_a_region_of_many_cities_does_not_widen_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cities = [f"City {number}, California" for number in range(70)]

    print_status({"region": "; ".join(cities), "pages": 1234})

    shown = capsys.readouterr().out
    assert "City 0, California; City 1, California; City 2, California and 67 more" in shown
    assert max(map(len, shown.splitlines())) < 120
    assert "1,234" in shown
