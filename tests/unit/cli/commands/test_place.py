import json

import pytest

from geoscout.cli.main import main
from geoscout.settings import Settings


def ask(capsys: pytest.CaptureFixture[str], settings: Settings, *words: str) -> list[dict]:
    status = main(["place", *words, "--json", "--home", settings.home])
    assert status == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture(autouse=True)
def _without_extras(monkeypatch, gazetteer):
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")


def test_lisbon_is_in_portugal(capsys, settings):
    best = ask(capsys, settings, "Lisbon")[0]

    assert best["country"] == "PT"
    assert best["path"] == ["Europe", "Portugal", "Lisbon"]
    assert best["geonameid"] == 2267057
    assert best["kind"] == "city"
    assert best["timezone"] == "Europe/Lisbon"
    assert best["synset"] == "08986066-n"


def test_glendale_of_arizona_comes_before_that_of_california(capsys, settings):
    found = ask(capsys, settings, "Glendale")

    assert [place["path"][2] for place in found[:2]] == ["Arizona", "California"]


def test_country_narrows(capsys, settings):
    assert {p["country"] for p in ask(capsys, settings, "Athens", "--country", "US")} == {"US"}


def test_unknown_name_gets_three_spellings_and_status_2(capsys, settings):
    status = main(["place", "Lisbonn", "--home", settings.home])

    shown = capsys.readouterr().err
    assert status == 2
    assert shown.count("\n") == 1
    assert "Lisbon, Portugal" in shown
    assert shown.count(" or ") == 2


def test_table_is_for_people(capsys, settings):
    main(["place", "Lisbon", "--home", settings.home])

    assert "Europe > Portugal" in capsys.readouterr().out
