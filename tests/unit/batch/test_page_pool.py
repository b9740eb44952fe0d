"""A page that ends or blocks its process costs only itself."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import closing

import pytest

from geoscout.batch.documents import ArchivedDocument, document_codec
from geoscout.batch.page_pool import PATIENCE_SECONDS, PagePool, UnreadPageError
from geoscout.batch.rows import EncodedRow, row_codec
from geoscout.crawling.processes import Responder
from geoscout.machine import run_on_loop


def prepare() -> Responder:
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


def document(url: str) -> ArchivedDocument:
    return ArchivedDocument(url, "", "text/html", "", offset=0, length=0, body=b"")


def read(*urls: str, patience: float = PATIENCE_SECONDS) -> list[bytes | str]:
    """What comes of each page: its row, or why there is none."""

    async def read_all() -> list[EncodedRow | BaseException]:
        with closing(PagePool(prepare, 1, patience)) as pool:
            reading = [pool.read(document(url)) for url in urls]
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
