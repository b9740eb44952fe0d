"""Archives become files of rows, whatever pages and archives do."""

import asyncio
import gzip
import os
import time
from contextlib import closing

import pytest

from geoscout.batch.documents import ArchivedDocument, document_codec
from geoscout.batch.folder import BatchFolder
from geoscout.batch.rows import EncodedRow, batch_options, row_codec
from geoscout.batch.run import (
    MOST_UNREAD,
    PATIENCE_SECONDS,
    ArchiveConverter,
    PagePool,
    UnreadPageError,
)
from geoscout.crawling.processes import Responder
from geoscout.machine import run_on_loop
from geoscout_places.model import RelevanceRule
from tests.unit.batch.archives import packed, page


def prepare() -> Responder:
    """Rows that are the URL; a page called "deadly" ends its process, "bad" is not read."""

    def respond(question: bytes) -> bytes:
        url = document_codec.decode(question).url
        if "deadly" in url:
            os._exit(1)
        if "bad" in url:
            raise ValueError("bad page")
        return row_codec.encode(EncodedRow(url.encode() + b"\n", 2, True, False))

    return respond


@pytest.fixture
def convert(settings, tmp_path):
    options = batch_options(settings, format="jsonl", region=(), relevance=RelevanceRule.ABOUT)
    folder = BatchFolder(tmp_path / "out", "jsonl")

    async def convert_all(archives, workers):
        with closing(PagePool(prepare, workers)) as pool:
            converter = ArchiveConverter(pool, folder, options)
            return [await converter.convert(archive) for archive in archives]

    def convert(*archives, workers=1):
        with folder.opened(options):
            return run_on_loop(convert_all(archives, workers)), folder

    return convert


def archive(tmp_path, *urls, name="a.warc.gz"):
    path = tmp_path / name
    path.write_bytes(packed(*map(page, urls)))
    return path


def urls_in(folder, path):
    return gzip.decompress(folder.rows_file(path).read_bytes()).decode().split()


def test_rows_are_in_the_order_of_the_archive_and_counted(convert, tmp_path):
    urls = [f"http://a.example/{n}" for n in range(50)]
    path = archive(tmp_path, *urls)

    (report,), folder = convert(path, workers=2)

    assert urls_in(folder, path) == urls
    assert (report.pages, report.addresses, report.with_place, report.error) == (50, 100, 50, "")
    assert report.bytes == path.stat().st_size
    assert folder.report(path) == report


def test_page_that_ends_its_process_is_left_out_and_the_others_are_not(convert, tmp_path):
    path = archive(tmp_path, "http://a/1", "http://a/deadly", "http://a/2", "http://a/bad")

    (report,), folder = convert(path)

    assert urls_in(folder, path) == ["http://a/1", "http://a/2"]
    assert report.skipped == {"unread": 2}


def test_archive_that_fails_leaves_nothing_and_the_next_is_read(convert, tmp_path):
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(b"no archive")
    unreadable = archive(
        tmp_path, *(f"http://a/bad/{n}" for n in range(MOST_UNREAD + 1)), name="bad.warc.gz"
    )
    good = archive(tmp_path, "http://a/1")

    reports, folder = convert(broken, unreadable, good)

    assert "not a WARC" in reports[0].error
    assert "in a row" in reports[1].error
    assert not folder.rows_file(broken).exists()
    assert not folder.rows_file(unreadable).exists()
    assert folder.report(broken) is None
    assert urls_in(folder, good) == ["http://a/1"]


def prepare_reader() -> Responder:
    def respond(question: bytes) -> bytes:
        document = document_codec.decode(question)
        if document.url == "deadly":
            os._exit(1)
        if document.url == "endless":
            time.sleep(600)
        if document.url == "failing":
            raise ValueError("no such page")
        return row_codec.encode(EncodedRow(document.url.encode(), 0, False, False))

    return respond


def page_at(url: str) -> ArchivedDocument:
    return ArchivedDocument(url, "", "text/html", "", offset=0, length=0, body=b"")


def read(*urls: str, patience: float = PATIENCE_SECONDS) -> list[bytes | str]:
    """What comes of each page: its row, or why there is none."""

    async def read_all() -> list[EncodedRow | BaseException]:
        with closing(PagePool(prepare_reader, 1, patience)) as pool:
            reading = [pool.read(page_at(url)) for url in urls]
            return await asyncio.gather(*reading, return_exceptions=True)

    found = run_on_loop(read_all())
    assert all(isinstance(one, EncodedRow | UnreadPageError) for one in found)
    return [one.line if isinstance(one, EncodedRow) else str(one) for one in found]


def test_only_the_page_that_ends_its_process_is_lost():
    assert read("a", "deadly", "b", "c") == [b"a", "deadly ends or blocks its process", b"b", b"c"]


@pytest.mark.slow
def test_only_the_page_that_blocks_its_process_is_lost():
    """The patience must be enough to start a process on a busy machine."""
    found = read("endless", "a", patience=8.0)

    assert found == ["endless ends or blocks its process", b"a"]


def test_page_on_which_the_reader_fails_is_lost_with_the_reason():
    assert read("failing", "a") == ["failing: ValueError: no such page", b"a"]
