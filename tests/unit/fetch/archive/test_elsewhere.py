"""Archives of others: WACZ, WET and WAT files, and lists of captures."""

from __future__ import annotations

import asyncio
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout.fetch.archive_index import html_of_wat, is_capture_list, read_captures
from geoscout.warc import scan
from geoscout_places.errors import UsageError
from geoscout_places.model import Request, Response
from geoscout_places.parse import parse_html
from tests.unit.fetch.archive_files import wat_block, write_wat, write_wet
from tests.unit.lab.archives import write_archive

A, B = "http://a.example/", "http://b.example/"


def fetch(fetcher: ArchiveFetcher, url: str) -> Response:
    return asyncio.run(fetcher.fetch(Request(url)))


def zipped(path: Path, *archives: Path, compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as out:
        out.writestr("datapackage.json", "{}")
        for archive in archives:
            out.write(archive, f"archive/{archive.name}")
    return path


def test_records_of_a_wacz_are_read_in_place(tmp_path: Path) -> None:
    first = write_archive(tmp_path / "1.warc.gz", {A: "<p>One"})
    second = write_archive(tmp_path / "2.warc.gz", {B: "<p>Two"})
    path = zipped(tmp_path / "c.wacz", first, second)
    fetcher = ArchiveFetcher([path])

    assert fetch(fetcher, A).body == b"<p>One"
    assert fetch(fetcher, B).body == b"<p>Two"
    assert [found.record.target for found in scan(path)] == [A, B]


@pytest.mark.parametrize(
    ("content", "message"), [(b"PK\x03\x04 broken", "not a WARC or WACZ"), (b"", "no WARC files")]
)
def test_zip_without_archives_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "c.wacz"
    path.write_bytes(content) if content else zipped(path)

    with pytest.raises(UsageError, match=message):
        list(scan(path))


def test_archive_that_is_compressed_twice_is_refused(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "1.warc.gz", {A: "<p>One"})
    path = zipped(tmp_path / "c.wacz", archive, compression=zipfile.ZIP_DEFLATED)

    with pytest.raises(UsageError, match="compressed once more"):
        ArchiveFetcher([path])


def test_text_and_links_of_a_page_are_joined(tmp_path: Path) -> None:
    texts = write_wet(tmp_path / "x.wet.gz", {A: "Text & more", B: "Only text"})
    links = write_wat(tmp_path / "x.wat.gz", {A: ("Title", [("/next", "Next <b>")])})
    fetcher = ArchiveFetcher([texts, links])

    joined = fetch(fetcher, A)
    page = parse_html(joined.body, A, joined.header("content-type"))
    assert page.title == "Title"
    assert "Text & more" in page.text
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://a.example/next", "Next <b>")
    ]
    assert fetch(fetcher, B).body == b"Only text"
    assert fetch(fetcher, B).header("content-type").startswith("text/plain")


def test_links_alone_are_a_page(tmp_path: Path) -> None:
    fetcher = ArchiveFetcher([write_wat(tmp_path / "x.wat.gz", {A: ("T", [("/b", "B")])})])

    page = parse_html(fetch(fetcher, A).body, A, "text/html")
    assert [link.anchor for link in page.links] == ["B"]
    assert fetcher.known_as(A) == A
    assert fetcher.known_as(B) is None


def test_page_itself_counts_more_than_its_text(tmp_path: Path) -> None:
    page = write_archive(tmp_path / "x.warc.gz", {A: "<p>Page"})
    text = write_wet(tmp_path / "x.wet.gz", {A: "Text"})

    assert fetch(ArchiveFetcher([page, text]), A).body == b"<p>Page"


@pytest.mark.parametrize("block", [b"", b"{", b"[1]", b'{"Envelope": 3}', wat_block("T", [])[:-9]])
def test_damaged_metadata_is_an_empty_page(block: bytes) -> None:
    page = parse_html(html_of_wat(block), A, "text/html")

    assert page.links == ()


@given(st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_any_json_is_a_page(value: object) -> None:
    markup = {"Head": {"Title": value, "Metas": value}, "Links": [value, {"url": value}]}
    payload = {"HTTP-Response-Metadata": {"HTML-Metadata": markup}}

    assert html_of_wat(json.dumps({"Envelope": {"Payload-Metadata": payload}}).encode())


def write_list(path: Path, *entries: dict[str, object]) -> Path:
    path.write_text("!meta {}\n\n" + "".join(f"key 2024 {json.dumps(e)}\n" for e in entries))
    return path


def test_only_the_records_of_a_list_are_read(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    archive = write_archive(tmp_path / "archive/x.warc.gz", {A: "<p>One", B: "<p>Two"})
    found = next(f for f in scan(archive) if f.record.target == B)
    entry = {"filename": "data/x.warc.gz", "offset": str(found.offset), "length": found.length}
    path = write_list(tmp_path / "some.cdxj", entry, {"filename": "gone.warc.gz"}, {})
    fetcher = ArchiveFetcher(archive_files([path]))

    assert fetcher.known_as(A) is None
    assert fetch(fetcher, B).body == b"<p>Two"
    assert ArchiveFetcher([path, archive]).known_as(A) == A  # named itself, it counts as a whole


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "names no records"),
        ({"filename": "x.warc.gz", "offset": -1, "length": 3}, "names no records"),
        ({"filename": "x.warc.gz", "offset": float("inf"), "length": 3}, "names no records"),
        ({"filename": "../x.warc.gz", "offset": 0, "length": 3}, "names no records"),
        ({"filename": "x.warc.gz", "offset": 0, "length": 3}, "none of the 1 files"),
    ],
)
def test_list_that_leads_nowhere_is_refused(
    tmp_path: Path, entry: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        read_captures(write_list(tmp_path / "some.cdxj", entry))


def test_lists_are_known_by_their_names() -> None:
    names = ["a.cdxj", "a.cdxj.gz", "cdx-00012.gz", "a.warc.gz", "cdx-1.warc"]

    assert [is_capture_list(Path(name)) for name in names] == [True, True, True, False, False]
