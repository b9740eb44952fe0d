"""The commands of docs/how-to/pdf.md, on a local server."""

import json
from pathlib import Path

import pytest

from geoscout.cli.main import main
from tests.local_server import LocalFile, served
from tests.pdfs import pdf_of

NEWSLETTER = pdf_of(
    [
        (50, 700, "Der Gesangverein Harmonie singt jeden Montag in Oldenburg."),
        (50, 650, "Gesangverein Harmonie"),
        (50, 638, "Donnerschweer Straße 12"),
        (50, 626, "26123 Oldenburg"),
    ],
    title="Vereinsbote",
    link="/choir.txt",
)
SITE = {
    "/": LocalFile("text/html", b"<title>Verein</title><p><a href=/bote.pdf>Vereinsbote</a>"),
    "/bote.pdf": LocalFile("application/pdf", NEWSLETTER),
    "/choir.txt": LocalFile("text/plain", "Der Chor: Lange Straße 4, 26122 Oldenburg".encode()),
}


@pytest.fixture
def site():
    with served(SITE) as address:
        yield address


@pytest.fixture(autouse=True)
def _home(settings, gazetteer, monkeypatch):
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")


def crawled(site: str, folder: Path, *words: str) -> list[dict[str, object]]:
    """The pages of a crawl from the site's first page, as `export` gives them."""
    given = ["--region", "Oldenburg, Germany", "--seeds", site, "--out", str(folder)]
    assert main(["crawl", *given, "--allow-private", "--set", "delay_seconds=0", *words]) == 0
    assert main(["export", str(folder), "--format", "jsonl", "--out", f"{folder}.jsonl"]) == 0
    return [json.loads(line) for line in Path(f"{folder}.jsonl").read_text().splitlines()]


def test_pdf_and_text_are_pages_of_the_crawl(site, tmp_path, capsys):
    pages = crawled(site, tmp_path / "crawl", "--pdf")
    capsys.readouterr()

    found = {str(page["url"]).removeprefix(site): page for page in pages}
    assert set(found) == {"", "bote.pdf", "choir.txt"}
    assert found["bote.pdf"]["title"] == "Vereinsbote"
    assert [found[name]["relevant"] for name in ("bote.pdf", "choir.txt")] == [True, True]

    assert main(["search", str(tmp_path / "crawl"), "gesangverein in Oldenburg"]) == 0
    assert "bote.pdf" in capsys.readouterr().out


def test_pdf_is_left_out_without_the_flag(site, tmp_path):
    assert [page["url"] for page in crawled(site, tmp_path / "crawl")] == [site]


def test_geoparse_reads_a_pdf_file(tmp_path, capsys):
    file = tmp_path / "newsletter.pdf"
    file.write_bytes(NEWSLETTER)

    assert main(["geoparse", str(file), "--format", "json"]) == 0

    (address,) = json.loads(capsys.readouterr().out)["addresses"]
    assert (address["street"], address["postcode"]) == ("Donnerschweer Straße", "26123")
