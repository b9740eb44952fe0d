"""The demo, small: two real crawls over HTTP, searches, and what it prints."""

import json
from pathlib import Path

import pytest

from geoscout.cli.commands.status import status_figures
from geoscout.cli.main import main


@pytest.mark.slow
def test_demo_compares_two_crawls_and_searches(settings, gazetteer, monkeypatch, capsys):
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)

    status = main(["demo", "--no-serve", "--json", "--set", "pages=5000", "--set", "budget=150"])

    facts = json.loads(capsys.readouterr().out)
    assert status == 0
    assert 100 < facts["breadth"]["pages"] <= 150
    assert 100 < facts["focused"]["pages"] <= 150
    assert facts["focused"]["harvest"] >= facts["breadth"]["harvest"] > 0
    folder = Path(settings.home) / "demo" / "hybrid"
    assert status_figures(folder)["state"] == "limit reached"
    assert [search["reading"] for search in facts["searches"]] == [
        "Berlin, State of Berlin, Germany"
    ] * 3
