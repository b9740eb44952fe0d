"""A crawl in a country whose addresses are not read, with the defaults."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from geoscout import open_crawl, start_crawl
from geoscout.cli.main import main
from geoscout.settings import Settings
from tests.unit.lab.archives import write_archive

HOME = "http://www.orebro.example/"
MENU = '<nav><a href="/">Start</a> <a href="/bad">Bad</a> <a href="/jobb">Jobb</a></nav>'
FOOTER = "<footer>Örebro kommun, Box 30000, 701 35 Örebro</footer>"
PAGES = {
    HOME: f"""<title>Örebro kommun</title>{MENU}<h1>Välkommen till Örebro</h1>
        <p>Örebro ligger vid Svartån. <a href="/bad">Bada i Örebro</a>
        <a href="/jobb">Jobb</a> <a href="http://andra.example/">Andra kommuner</a>{FOOTER}""",
    f"{HOME}bad": f"""<title>Bad och simhallar - Örebro kommun</title>{MENU}<h1>Simhallar</h1>
        <p>Gustavsvik i Örebro har öppet varje dag. Rudbecksgatan 52, 702 23 Örebro.{FOOTER}""",
    f"{HOME}jobb": f"""<title>Sortera tal</title>{MENU}<h1>Sortera tal</h1>
        <p>{"Så sorterar man tal med en dator, steg för steg, utan att glömma något. " * 30}""",
    "http://andra.example/": """<title>Kommuner</title><h1>Kommuner</h1><p>Stockholm, Göteborg,
        Malmö, Uppsala, Linköping, Västerås, Örebro, Helsingborg, Norrköping och Umeå är städer.
        Stockholm är störst. Göteborg har en hamn, Malmö en bro, Uppsala en domkyrka.""",
}


def test_crawl_in_sweden_finds_the_pages_of_the_town(
    tmp_path: Path, settings: Settings, gazetteer: object
) -> None:
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    folder = tmp_path / "crawl"

    with start_crawl(
        folder, region="Örebro", seeds=[HOME], settings=settings, replay=[archive]
    ) as crawl:
        crawl.run()

    with open_crawl(folder) as found:
        degrees = {page.url: (page.relevant, page.degree) for page in found.pages()}
    assert {url for url, (relevant, _) in degrees.items() if relevant} == {HOME, f"{HOME}bad"}
    assert degrees[HOME][1] > 0.8
    assert degrees[f"{HOME}jobb"][1] < 0.3


def test_crawl_in_a_country_without_a_format_says_by_what_pages_are_judged(
    tmp_path: Path, settings: Settings, gazetteer: object, caplog: pytest.LogCaptureFixture
) -> None:
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    options = {"seeds": [HOME], "settings": settings, "replay": [archive]}

    with caplog.at_level(logging.WARNING):
        with start_crawl(tmp_path / "nairobi", region="Nairobi, Kenya", **options):
            assert "judged by the places they name" in caplog.text
        caplog.clear()
        with start_crawl(tmp_path / "stockholm", region="Stockholm, Sweden", **options):
            assert caplog.text == ""


def test_explain_names_the_evidence(
    tmp_path: Path,
    settings: Settings,
    gazetteer: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    folder = str(tmp_path / "crawl")
    words = ["--region", "Örebro", "--seeds", HOME, "--replay", archive, "--out", folder]
    assert main(["crawl", *words]) == 0
    capsys.readouterr()

    assert main(["explain", folder, f"{HOME}bad", "--json"]) == 0
    explained = json.loads(capsys.readouterr().out)
    assert main(["status", folder, "--json"]) == 0
    status = json.loads(capsys.readouterr().out)

    assert explained["degree"] > 0.5
    assert "how early it names the region" in explained["verdict"]
    assert status["judged by"] == "about"
    assert 1.5 < status["degrees"] < 3
