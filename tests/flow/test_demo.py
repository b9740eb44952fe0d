"""The demo, small: two real crawls over HTTP, searches, and what it prints."""

from pathlib import Path

import pytest

from geoscout.cli.commands.status import status_figures


@pytest.mark.slow
def test_demo_compares_two_crawls_and_searches(typed, settings):
    done = typed("demo", "--no-serve", "--json", "--set", "pages=5000", "--set", "budget=150")

    facts = done.facts
    assert done.status == 0
    assert 100 < facts["breadth"]["pages"] <= 150
    assert 100 < facts["focused"]["pages"] <= 150
    assert facts["focused"]["harvest"] >= facts["breadth"]["harvest"] > 0
    folder = Path(settings.home) / "demo" / "hybrid"
    assert status_figures(folder)["state"] == "limit reached"
    readings = [search["reading"] for search in facts["searches"]]
    assert readings == ["Berlin, State of Berlin, Germany"] * 3
