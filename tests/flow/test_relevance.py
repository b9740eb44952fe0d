"""By what rule pages are judged, from the outside."""

import gzip
import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from geoscout import open_crawl, resume_crawl, start_crawl
from geoscout.cli.main import command_parser, load_command, main
from geoscout.settings import Settings, load_settings
from geoscout.web.control.new_crawl import NewCrawl, arguments_of
from geoscout_lab.commands.compare_run import plan_study
from geoscout_places.gazetteer import Region
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge
from geoscout_places.parse import parse_html
from tests.homes import home_with_gazetteer
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


def test_crawl_in_sweden_finds_the_pages_of_the_town_and_names_the_evidence(tmp_path, typed):
    archive = write_archive(tmp_path / "pages.warc.gz", PAGES)
    folder = tmp_path / "crawl"
    words = ["--region", "Örebro", "--seeds", HOME, "--replay", archive, "--out", folder]
    assert typed("crawl", *words, "--set", "relevance=about").status == 0
    explained = typed("explain", folder, f"{HOME}bad", "--json").facts
    status = typed("status", folder, "--json").facts

    with open_crawl(folder) as found:
        degrees = {page.url: (page.relevant, page.degree) for page in found.pages()}
    assert {url for url, (relevant, _) in degrees.items() if relevant} == {HOME, f"{HOME}bad"}
    assert degrees[HOME][1] > 0.8
    assert degrees[f"{HOME}jobb"][1] < 0.3
    assert explained["degree"] > 0.5
    assert "the share of its addresses in the region" in explained["verdict"]
    assert status["judged by"] == "about"
    assert 1.5 < status["degrees"] < 3


def test_crawl_in_a_country_without_a_format_says_by_what_pages_are_judged(
    tmp_path, settings, gazetteer, caplog
):
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    options = {"seeds": [HOME], "settings": settings, "replay": [archive], "relevance": "about"}

    with caplog.at_level(logging.WARNING):
        with start_crawl(tmp_path / "nairobi", region="Nairobi, Kenya", **options):
            assert "judged by the places they name" in caplog.text
        caplog.clear()
        with start_crawl(tmp_path / "stockholm", region="Stockholm, Sweden", **options):
            assert caplog.text == ""


# It names no place but in its URL, which makes it relevant by `about`, and not by `scope`.
LIBRARY = "http://library.example/texas/austin/"
DIFFERS = "<title>The Library</title><p>Books for all who read."
AUSTIN = "Austin, TX"


@pytest.fixture
def library(tmp_path):
    return str(write_archive(tmp_path / "library.warc.gz", {LIBRARY: DIFFERS}))


def by_python(archive: str, folder: Path, settings: Settings) -> bool:
    options = {"settings": settings, "replay": [archive]}
    with start_crawl(folder / "crawl", region=AUSTIN, seeds=[LIBRARY], **options) as crawl:
        crawl.run()
    return is_kept_as_relevant(folder / "crawl")


def by_the_form(archive: str, folder: Path, _: Settings) -> bool:
    """What the form and `POST /api/crawls` start is the command line of `crawl`."""
    wanted = NewCrawl(name="x", region=[AUSTIN], seeds=[LIBRARY], contact="")
    assert main([*arguments_of(wanted, folder / "crawl"), "--replay", archive]) == 0
    return is_kept_as_relevant(folder / "crawl")


def is_kept_as_relevant(crawl: Path) -> bool:
    with open_crawl(crawl) as found:
        return [page.relevant for page in found.pages()] == [True]


def by_batch(archive: str, folder: Path, _: Settings) -> bool:
    out = folder / "rows"
    words = ["--region", AUSTIN, "--format", "jsonl", "--out", str(out), "--workers", "1"]
    assert main(["geoparse", "--warc", archive, *words]) == 0
    (rows,) = out.glob("*.jsonl.gz")
    return bool(json.loads(gzip.decompress(rows.read_bytes()))["relevant"])


def by_compare(archive: str, folder: Path, settings: Settings) -> bool:
    words = ["--replay", archive, "--seeds", LIBRARY, "--region", AUSTIN, "--out", str(folder)]
    parser = command_parser("compare", load_command("compare"))
    (unit,) = plan_study(parser.parse_args(words), load_settings()).units
    return unit.prepared(settings, lambda _done, _all: None).open(settings).world.is_relevant(0)


def by_scrapy(_: str, folder: Path, settings: Settings) -> bool:
    scrapy = pytest.importorskip("scrapy", reason="the extra `scrapy` is not installed")
    collectors = pytest.importorskip("scrapy.statscollectors")
    from geoscout.scrapy.focus import Focus  # noqa: PLC0415 - imports Scrapy

    own = {"home": settings.home, "extras": False}
    crawler = scrapy.crawler.Crawler(
        scrapy.Spider, {"GEOSCOUT_REGION": AUSTIN, "GEOSCOUT_SETTINGS": own}
    )
    crawler.stats = collectors.MemoryStatsCollector(crawler)
    found = Focus(crawler).found_in(scrapy.http.HtmlResponse(LIBRARY, body=DIFFERS.encode()))
    return bool(found and found.row.relevant)


@pytest.mark.parametrize("entry", [by_python, by_the_form, by_batch, by_compare, by_scrapy])
def test_all_entries_judge_by_one_default(
    entry, library, tmp_path, at_home, gazetteer, monkeypatch
):
    home = home_with_gazetteer(tmp_path / "home", at_home)  # `compare` writes there
    monkeypatch.setenv("GEOSCOUT_HOME", str(home))
    page = parse_html(DIFFERS.encode(), LIBRARY)
    reading, region = Geoparser(gazetteer).read(page), Region.parse(AUSTIN, gazetteer)
    assert not Judge(region, "scope").judge(page, reading).relevant

    assert entry(library, tmp_path, replace(at_home, home=str(home)))


def test_a_crawl_keeps_the_rule_it_was_begun_with(library, tmp_path, settings, gazetteer):
    scope = {"relevance": "scope", "settings": settings, "replay": [library]}
    with start_crawl(tmp_path / "crawl", region=AUSTIN, seeds=[LIBRARY], **scope):
        pass  # before it has a page

    with resume_crawl(tmp_path / "crawl", settings=settings) as crawl:
        crawl.run()

    with open_crawl(tmp_path / "crawl") as found:
        assert [page.relevant for page in found.pages()] == [False]
