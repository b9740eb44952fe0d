"""Archives become files of rows, whatever pages and archives do."""

from __future__ import annotations

import gzip
import os
from contextlib import closing

import pytest

from geoscout.batch.convert import MOST_UNREAD, ArchiveConverter
from geoscout.batch.documents import document_codec
from geoscout.batch.folder import BatchFolder
from geoscout.batch.options import batch_options
from geoscout.batch.page_pool import PagePool
from geoscout.batch.rows import EncodedRow, row_codec
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
