"""Archives of others: WACZ, WET and WAT files, and lists of captures."""

import asyncio
import gzip
import json
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.fetch.archive import ArchiveFetcher, archive_files, decoded
from geoscout.fetch.archive_index import html_of_wat, is_capture_list, read_captures
from geoscout.warc import HttpMessage, pack, scan
from geoscout_places.errors import NeverAgainError, UsageError
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.parse import parse_html
from tests.unit.fetch.archive_files import wat_block, write_wat, write_wet
from tests.unit.lab.archives import write_archive

HTML = "Content-Type: text/html\r\n"


def record(url: str, body: bytes = b"", status: int = 200, type: str = "response", **more) -> bytes:
    """A packed record; `more` may have the HTTP header `head` and WARC `fields`."""
    block = f"HTTP/1.1 {status} X\r\n{more.get('head', HTML)}\r\n".encode() + body
    head = (
        f"WARC/1.1\r\nWARC-Type: {type}\r\nWARC-Target-URI: {url}\r\n{more.get('fields', '')}"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return pack(head.encode() + block + b"\r\n\r\n")


def archive(folder: Path, *records: bytes, name: str = "a.warc.gz") -> Path:
    path = folder / name
    path.write_bytes(b"".join(records))
    return path


def fetch(path: Path | list[Path], url: str, kind: RequestKind = RequestKind.PAGE) -> Response:
    async def run() -> Response:
        fetcher = ArchiveFetcher([path] if isinstance(path, Path) else path, now=lambda: 7.0)
        try:
            return await fetcher.fetch(Request(url, kind=kind))
        finally:
            await fetcher.close()

    return asyncio.run(run())


def test_an_archived_page_is_served(tmp_path):
    path = archive(tmp_path, record("http://a.example/x", b"<p>one"))

    assert fetch(path, "http://a.example/x") == Response(
        "http://a.example/x",
        200,
        (("content-type", "text/html"),),
        b"<p>one",
        "",
        fetched_at=7.0,
        seconds=0.0,
    )


def test_a_page_has_the_time_of_its_record_and_that_of_the_replay(tmp_path):
    dated = record("http://a.example/x", fields="WARC-Date: 2001-09-09T01:46:40Z\r\n")

    found = fetch(archive(tmp_path, dated), "http://a.example/x")
    missing = fetch(archive(tmp_path, dated), "http://a.example/y")

    assert (found.fetched_at, found.captured_at, found.answered_at) == (7.0, 1e9, 1e9)
    assert (missing.captured_at, missing.answered_at) == (None, 7.0)


@pytest.mark.parametrize(
    ("archived", "asked"),
    [
        ("http://a.example/x", "https://a.example/x"),
        ("http://a.example/x/", "http://a.example/x"),
        ("http://a.example/x", "http://a.example/x/"),
        ("http://a.example/x/index.html", "http://a.example/x/"),
        ("http://a.example/x/", "http://a.example/x/index.html"),
        ("http://a.example/", "https://a.example/INDEX.HTM"),
        ("http://a.example/%7euser,x", "http://a.example/~user%2Cx"),
        ("http://a.example:80/x#top", "http://a.example/x"),
    ],
)
def test_small_differences_are_forgiven(tmp_path, archived, asked):
    path = archive(tmp_path, record(archived, b"<p>one"))

    assert fetch(path, asked).body == b"<p>one"


@pytest.mark.parametrize(
    "asked",
    [
        "http://a.example/y",
        "http://a.example/X",
        "http://b.example/x",
        "http://a.example/x?page=2",
        "http://a.example:81/x",
    ],
)
def test_other_pages_are_not_found(tmp_path, asked):
    path = archive(tmp_path, record("http://a.example/x", b"<p>one"))

    assert fetch(path, asked) == Response(asked, 404, (), b"", "", fetched_at=7.0, seconds=0.0)


def test_the_exact_url_wins_over_one_that_is_alike(tmp_path):
    urls = ["http://a.example/x/", "http://a.example/x", "http://a.example/x/index.html"]
    path = archive(tmp_path, *(record(url, url.encode()) for url in urls))

    assert [fetch(path, url).body.decode() for url in urls] == urls


def test_the_answer_has_the_url_that_its_links_start_from(tmp_path):
    path = archive(tmp_path, record("http://a.example/x/"))

    assert fetch(path, "https://a.example/x").url == "http://a.example/x/"


def test_urls_outside_the_archive_are_counted_but_not_robots_txt(tmp_path):
    path = archive(tmp_path, record("http://a.example/x"))

    async def run() -> int:
        fetcher = ArchiveFetcher([path])
        for name in ("x", "y", "z", "robots.txt"):
            await fetcher.fetch(Request(f"http://a.example/{name}"))
        await fetcher.close()
        return fetcher.outside

    assert asyncio.run(run()) == 2


def test_archives_have_no_addresses_and_need_no_delay(tmp_path):
    fetcher = ArchiveFetcher([archive(tmp_path, record("http://a.example/x"))])

    assert asyncio.run(fetcher.resolve("a.example")) == ""
    assert fetcher.delay_after(fetch(tmp_path / "a.warc.gz", "http://a.example/x")) == 0.0
    asyncio.run(fetcher.close())


def test_plain_and_packed_archives_are_served_together(tmp_path):
    packed = archive(tmp_path, record("http://a.example/1", b"1"))
    plain = archive(tmp_path, gzip.decompress(record("http://a.example/2", b"2")), name="b.warc")

    files = archive_files([tmp_path])

    assert files == [packed, plain]
    assert [fetch(files, f"http://a.example/{n}").body for n in (1, 2)] == [b"1", b"2"]


def test_the_last_capture_that_succeeded_is_served(tmp_path):
    url = "http://a.example/x"
    captures = [(b"old", 200), (b"new", 200), (b"broken", 503)]
    path = archive(tmp_path, *(record(url, body, status) for body, status in captures))

    assert fetch(path, url).body == b"new"


def test_a_revisit_record_is_served_with_the_body_it_repeats(tmp_path):
    digest = "WARC-Payload-Digest: sha1:ABC\r\n"
    path = archive(
        tmp_path,
        record("http://b.example/", b"", type="revisit", fields=digest, head=HTML + "X: 2\r\n"),
        record("http://a.example/", b"<p>one", fields=digest, head=HTML + "X: 1\r\n"),
        record("http://c.example/", type="revisit"),
    )

    response = fetch(path, "http://b.example/")

    assert (response.url, response.body) == ("http://b.example/", b"<p>one")
    assert dict(response.headers)["x"] == "2"
    assert fetch(path, "http://c.example/").body == b""  # without its original


def test_sitemap_may_have_any_type(tmp_path):
    xml = record("http://a.example/map.xml", b"<urlset>", head="Content-Type: text/xml\r\n")
    path = archive(tmp_path, xml)

    assert fetch(path, "http://a.example/map.xml", RequestKind.SITEMAP).body == b"<urlset>"


def test_archived_robots_file_names_the_sitemaps_of_its_host(tmp_path):
    lines = b"User-agent: *\nSitemap: http://a.example/map.xml\n"
    plain = record("http://a.example/robots.txt", lines, head="Content-Type: text/plain\r\n")
    fetcher = ArchiveFetcher([archive(tmp_path, plain)])

    assert fetcher.sitemaps("http://a.example/deep/page") == ("http://a.example/map.xml",)
    assert fetcher.sitemaps("http://b.example/") == ()
    asyncio.run(fetcher.close())


def test_requests_and_other_records_are_not_served(tmp_path):
    kinds = ["request", "metadata", "warcinfo"]
    path = archive(tmp_path, *(record(f"http://a.example/{kind}", type=kind) for kind in kinds))

    assert {fetch(path, f"http://a.example/{kind}").status for kind in kinds} == {404}


def test_a_resource_record_is_a_page_without_header(tmp_path):
    text = (
        b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/x\r\n"
        b"Content-Type: text/html\r\nContent-Length: 6\r\n\r\n<p>one\r\n\r\n"
    )

    assert fetch(archive(tmp_path, pack(text)), "http://a.example/x").body == b"<p>one"


def test_an_archive_that_changes_while_it_is_replayed_is_reported(tmp_path):
    path = archive(tmp_path, record("http://a.example/x", b"<p>one"))
    fetcher = ArchiveFetcher([path])
    path.write_bytes(b"?" * path.stat().st_size)

    with pytest.raises(NeverAgainError) as caught:
        asyncio.run(fetcher.fetch(Request("http://a.example/x")))

    assert caught.value.kind == "protocol"
    asyncio.run(fetcher.close())


def test_a_missing_archive_is_the_users_to_fix(tmp_path):
    with pytest.raises(UsageError, match="cannot read archive"):
        ArchiveFetcher([tmp_path / "none.warc"])
    with pytest.raises(UsageError, match="no archive at"):
        archive_files([tmp_path / "none.warc"])
    with pytest.raises(UsageError, match="no archive at"):
        archive_files([tmp_path])


CHUNKED = b"3\r\n<p>\r\n4;x=y\r\none!\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("transfer", "coding", "body"),
    [
        ("chunked", "", CHUNKED),
        ("chunked", "", b"<p>one!"),  # the archive undid it, but kept the field
        ("", "gzip", gzip.compress(b"<p>one!", mtime=0)),
        ("", "gzip", b"<p>one!"),
        ("", "deflate", zlib.compress(b"<p>one!")),
        ("", "nonsense", b"<p>one!"),
    ],
)
def test_codings_are_undone_where_they_are_really_there(transfer, coding, body):
    if coding:
        pytest.importorskip("aiohttp")
        pytest.importorskip("brotli")
    fields = (("transfer-encoding", transfer), ("content-encoding", coding))
    headers = tuple(field for field in fields if field[1])

    assert decoded(HttpMessage(200, headers, body)).body == b"<p>one!"


def test_chunks_that_break_off_leave_the_body_as_it_is():
    headers = (("transfer-encoding", "chunked"),)

    assert decoded(HttpMessage(200, headers, CHUNKED[:-9])).body == CHUNKED[:-9]


A, B = "http://a.example/", "http://b.example/"


def fetch_of(fetcher: ArchiveFetcher, url: str) -> Response:
    return asyncio.run(fetcher.fetch(Request(url)))


def zipped(path: Path, *archives: Path, compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as out:
        out.writestr("datapackage.json", "{}")
        for archive in archives:
            out.write(archive, f"archive/{archive.name}")
    return path


def test_records_of_a_wacz_are_read_in_place(tmp_path):
    first = write_archive(tmp_path / "1.warc.gz", {A: "<p>One"})
    second = write_archive(tmp_path / "2.warc.gz", {B: "<p>Two"})
    path = zipped(tmp_path / "c.wacz", first, second)
    fetcher = ArchiveFetcher([path])

    assert fetch_of(fetcher, A).body == b"<p>One"
    assert fetch_of(fetcher, B).body == b"<p>Two"
    assert [found.record.target for found in scan(path)] == [A, B]


@pytest.mark.parametrize(
    ("content", "message"), [(b"PK\x03\x04 broken", "not a WARC or WACZ"), (b"", "no WARC files")]
)
def test_zip_without_archives_is_refused(tmp_path, content, message):
    path = tmp_path / "c.wacz"
    path.write_bytes(content) if content else zipped(path)

    with pytest.raises(UsageError, match=message):
        list(scan(path))


def test_archive_that_is_compressed_twice_is_refused(tmp_path):
    archive = write_archive(tmp_path / "1.warc.gz", {A: "<p>One"})
    path = zipped(tmp_path / "c.wacz", archive, compression=zipfile.ZIP_DEFLATED)

    with pytest.raises(UsageError, match="compressed once more"):
        ArchiveFetcher([path])


def test_text_and_links_of_a_page_are_joined(tmp_path):
    texts = write_wet(tmp_path / "x.wet.gz", {A: "Text & more", B: "Only text"})
    links = write_wat(tmp_path / "x.wat.gz", {A: ("Title", [("/next", "Next <b>")])})
    fetcher = ArchiveFetcher([texts, links])

    joined = fetch_of(fetcher, A)
    page = parse_html(joined.body, A, joined.header("content-type"))
    assert page.title == "Title"
    assert "Text & more" in page.text
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://a.example/next", "Next <b>")
    ]
    assert fetch_of(fetcher, B).body == b"Only text"
    assert fetch_of(fetcher, B).header("content-type").startswith("text/plain")


def test_links_alone_are_a_page(tmp_path):
    fetcher = ArchiveFetcher([write_wat(tmp_path / "x.wat.gz", {A: ("T", [("/b", "B")])})])

    page = parse_html(fetch_of(fetcher, A).body, A, "text/html")
    assert [link.anchor for link in page.links] == ["B"]
    assert fetcher.known_as(A) == A
    assert fetcher.known_as(B) is None


def test_page_itself_counts_more_than_its_text(tmp_path):
    page = write_archive(tmp_path / "x.warc.gz", {A: "<p>Page"})
    text = write_wet(tmp_path / "x.wet.gz", {A: "Text"})

    assert fetch_of(ArchiveFetcher([page, text]), A).body == b"<p>Page"


@pytest.mark.parametrize("block", [b"", b"{", b"[1]", b'{"Envelope": 3}', wat_block("T", [])[:-9]])
def test_damaged_metadata_is_an_empty_page(block):
    page = parse_html(html_of_wat(block), A, "text/html")

    assert page.links == ()


@given(st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_any_json_is_a_page(value):
    markup = {"Head": {"Title": value, "Metas": value}, "Links": [value, {"url": value}]}
    payload = {"HTTP-Response-Metadata": {"HTML-Metadata": markup}}

    assert html_of_wat(json.dumps({"Envelope": {"Payload-Metadata": payload}}).encode())


def write_list(path: Path, *entries: dict[str, object]) -> Path:
    path.write_text("!meta {}\n\n" + "".join(f"key 2024 {json.dumps(e)}\n" for e in entries))
    return path


def test_only_the_records_of_a_list_are_read(tmp_path):
    (tmp_path / "archive").mkdir()
    archive = write_archive(tmp_path / "archive/x.warc.gz", {A: "<p>One", B: "<p>Two"})
    found = next(f for f in scan(archive) if f.record.target == B)
    entry = {"filename": "data/x.warc.gz", "offset": str(found.offset), "length": found.length}
    path = write_list(tmp_path / "some.cdxj", entry, {"filename": "gone.warc.gz"}, {})
    fetcher = ArchiveFetcher(archive_files([path]))

    assert fetcher.known_as(A) is None
    assert fetch_of(fetcher, B).body == b"<p>Two"
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
def test_list_that_leads_nowhere_is_refused(tmp_path, entry, message):
    with pytest.raises(UsageError, match=message):
        read_captures(write_list(tmp_path / "some.cdxj", entry))


def test_lists_are_known_by_their_names():
    names = ["a.cdxj", "a.cdxj.gz", "cdx-00012.gz", "a.warc.gz", "cdx-1.warc"]

    assert [is_capture_list(Path(name)) for name in names] == [True, True, True, False, False]
