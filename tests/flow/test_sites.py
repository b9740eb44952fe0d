"""What a crawl learns of a site helps to read its next pages, also after it was stopped."""

import json
from pathlib import Path
from typing import Any

import pytest

from geoscout.cli.main import main
from geoscout.crawling.site_memory import known_site
from tests.stores import open_folder
from tests.unit.lab.archives import write_archive

MENU = "<ul><li>Inns in Berlin</li><li>Inns in Hamburg</li><li>Inns in Dresden</li></ul>"
FOOTER = "<footer><p>Inn Guide, Lange Straße 12, 26122 Oldenburg</p></footer>"
TEXTS = (
    "The castle of Lisbon stands on a hill.", "Boats leave from Rotterdam in the morning.",
    "We ate in a small house in Vienna.", "From Madrid it takes two hours by train.",
    "A week in Warsaw is not enough.", "They have lived in Stockholm for years.",
    "In Prague there are many bridges.", "The market of Budapest opens early.",
    "Rain fell in Dublin all day long.", "Lamps were lit in Athens last night.",
)  # fmt: skip


def pages() -> dict[str, str]:
    """Ten pages of a host with one menu and one footer, each with a link to the next."""
    urls = [f"http://inns.example/{n}" for n in range(len(TEXTS))]
    follow = [f"<a href={url}>More</a>" for url in urls[1:]] + [""]
    return {
        url: f"<html lang=en>{MENU}<p>{text}</p>{link}{FOOTER}"
        for url, text, link in zip(urls, TEXTS, follow, strict=True)
    }


@pytest.fixture
def archive(tmp_path, at_home):
    return write_archive(tmp_path / "pages.warc.gz", pages())


def exported(out: Path, what: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    main(["export", str(out), "--what", what, "--format", "jsonl"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def crawl(archive: Path, out: Path, most: int) -> None:
    seeds = ["--region", "Oldenburg", "--seeds", "http://inns.example/0"]
    limits = ["--replay", str(archive), "--max-pages", str(most), "--strategy", "breadth"]
    main(["crawl", *seeds, *limits, "--out", str(out), "--json"])


def test_menus_and_footers_are_the_sites_also_after_a_resume(archive, tmp_path, capsys):
    out = tmp_path / "out"
    crawl(archive, out, 6)
    main(["resume", str(out), "--max-pages", "10", "--json"])

    last = exported(out, "pages", capsys)[-1]
    addresses = exported(out, "addresses", capsys)
    with open_folder(out) as store:
        known = known_site(store.site("inns.example"))

    assert counts_of(last)["Berlin"] == (0, 1)
    assert last["places"][0]["name"] == "Athens"
    assert addresses[-1]["of_site"]
    assert (known.pages, len(known.repeated) > 0) == (10, True)


def test_the_search_does_not_find_pages_by_their_menu(archive, tmp_path, capsys):
    out = tmp_path / "out"
    crawl(archive, out, 10)
    capsys.readouterr()

    main(["search", str(out), "castle OR lamps in Greece", "--json"])

    facets = json.loads(capsys.readouterr().out)["facets"]
    countries = {facet["name"] for facet in facets.get("country", [])}
    assert "Greece" in countries
    assert "Germany" not in countries


def counts_of(page: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {p["name"]: (p["mentions"], p["site_mentions"]) for p in page["places"]}


def changes(out: Path) -> list[int]:
    with open_folder(out) as store:
        return [change.visit for change in store.changes()]


def test_a_crawl_in_two_parts_reads_every_page_as_one_in_one_part(archive, tmp_path, capsys):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    crawl(archive, whole, 10)
    crawl(archive, parts, 5)
    main(["resume", str(parts), "--max-pages", "10", "--json"])

    (one, two) = (exported(out, "pages", capsys) for out in (whole, parts))

    assert [page["places"] for page in one] == [page["places"] for page in two]
