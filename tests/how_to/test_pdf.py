"""The commands of docs/how-to/pdf.md, on a local server."""

import pytest

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


@pytest.fixture
def crawled(site, typed, tmp_path):
    """The pages of a crawl from the site's first page, as `export` gives them."""

    def crawl(*words: str) -> list[dict[str, object]]:
        given = ["--region", "Oldenburg, Germany", "--seeds", site, "--out", tmp_path / "crawl"]
        manners = ["--allow-private", "--set", "delay_seconds=0"]
        assert typed("crawl", *given, *manners, *words).status == 0
        return typed("export", tmp_path / "crawl", "--format", "jsonl").rows

    return crawl


def test_pdf_and_text_are_pages_of_the_crawl(site, crawled, tmp_path, typed):
    found = {page["url"].removeprefix(site): page for page in crawled("--pdf")}
    hits = typed("search", tmp_path / "crawl", "gesangverein in Oldenburg")

    assert set(found) == {"", "bote.pdf", "choir.txt"}
    assert found["bote.pdf"]["title"] == "Vereinsbote"
    assert [found[name]["relevant"] for name in ("bote.pdf", "choir.txt")] == [True, True]
    assert (hits.status, "bote.pdf" in hits.out) == (0, True)


def test_pdf_is_left_out_without_the_flag(site, crawled):
    assert [page["url"] for page in crawled()] == [site]


def test_geoparse_reads_a_pdf_file(tmp_path, typed):
    file = tmp_path / "newsletter.pdf"
    file.write_bytes(NEWSLETTER)

    (address,) = typed("geoparse", file, "--format", "json").facts["addresses"]

    assert (address["street"], address["postcode"]) == ("Donnerschweer Straße", "26123")
