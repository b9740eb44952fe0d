import gzip
from pathlib import Path

import pytest

from geoscout.batch.documents import ArchivedDocument, ArchivePages
from geoscout_places.errors import UsageError
from tests.unit.batch.archives import DATE, HTML, packed, page, record, text

LARGEST = 10_000


def read(path: Path, content: bytes) -> tuple[list[ArchivedDocument], dict[str, int]]:
    path.write_bytes(content)
    reader = ArchivePages(path, LARGEST)
    found = list(reader.documents())
    return found, dict(reader.skipped)


@pytest.mark.parametrize("make", [packed, lambda *records: b"".join(records)])
def test_page_of_a_response_is_found_in_packed_and_plain_files(tmp_path, make):
    other = record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n")

    found, skipped = read(tmp_path / "a.warc", make(other, page("http://a.example/")))

    assert [(one.url, one.date, one.body) for one in found] == [("http://a.example/", DATE, HTML)]
    assert skipped == {}


def test_place_of_a_record_leads_back_to_it(tmp_path):
    first, second = packed(page("http://a.example/1")), packed(page("http://a.example/2"))

    found, _ = read(tmp_path / "a.warc.gz", first + second)

    assert [(one.offset, one.length) for one in found] == [
        (0, len(first)),
        (len(first), len(second)),
    ]


def test_resource_is_a_page_by_its_content_type(tmp_path):
    html = record("resource", "file:///a.html", HTML, content_type="text/html; charset=utf-8")
    picture = record("resource", "file:///a.png", b"png", content_type="image/png")

    found, skipped = read(tmp_path / "a.warc", html + picture)

    assert [one.url for one in found] == ["file:///a.html"]
    assert skipped == {"not a page": 1}


def test_text_of_a_wet_file_is_plain_and_has_its_language(tmp_path):
    given = text("http://a.example/", "In Rom", warc_identified_content_language="ita,deu")

    found, _ = read(tmp_path / "a.warc.wet.gz", packed(given))

    assert [(one.body, one.content_type, one.language) for one in found] == [
        (b"In Rom", "text/plain", "ita")
    ]


def test_codings_of_the_answer_are_undone(tmp_path):
    body = gzip.compress(HTML)
    headers = "Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked"
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)

    found, _ = read(tmp_path / "a.warc", page("http://a.example/", chunked, headers=headers))

    assert [one.body for one in found] == [HTML]


@pytest.mark.parametrize(
    ("reason", "given"),
    [
        ("status", page("http://a.example/", status="404 Not Found")),
        ("not a page", page("http://a.example/", headers="Content-Type: image/png")),
        ("revisit", record("revisit", "http://a.example/", b"HTTP/1.1 200 OK\r\n\r\n")),
        ("too large", page("http://a.example/", b"x" * LARGEST)),
        (
            "too large",
            page(
                "http://a.example/",
                gzip.compress(b"x" * LARGEST * 2),
                headers="Content-Encoding: gzip",
            ),
        ),
    ],
)
def test_record_that_gives_no_page_is_counted_by_reason(tmp_path, reason, given):
    found, skipped = read(tmp_path / "a.warc", given + page("http://b.example/"))

    assert [one.url for one in found] == ["http://b.example/"]
    assert skipped == {reason: 1}


def test_damaged_record_is_counted_and_the_rest_is_read(tmp_path):
    broken = bytearray(packed(page("http://a.example/")))
    broken[len(broken) // 2] ^= 0xFF
    cut = packed(page("http://c.example/"))[:-30]

    found, skipped = read(
        tmp_path / "a.warc.gz", bytes(broken) + packed(page("http://b.example/")) + cut
    )

    assert [one.url for one in found] == ["http://b.example/"]
    assert skipped == {"damaged": 2}


@pytest.mark.parametrize("content", [b"PK\x03\x04", gzip.compress(page("http://a/") * 2)])
def test_file_that_is_no_archive_is_refused(tmp_path, content):
    with pytest.raises(UsageError, match=r"not a WARC|as a whole"):
        read(tmp_path / "a.warc.gz", content)


def test_file_that_is_gone_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        list(ArchivePages(tmp_path / "none.warc", LARGEST).documents())
