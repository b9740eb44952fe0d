"""A page that ends or blocks its process costs only itself."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import closing

from geoscout.batch.documents import ArchivedDocument
from geoscout.batch.page_pool import PagePool, UnreadPageError
from geoscout.batch.page_reader import EncodedRow, documents, encoded_rows
from geoscout.crawling.processes import Responder
from geoscout.fetch.http.event_loop import run


def prepare() -> Responder:
    def respond(question: bytes) -> bytes:
        document = documents.decode(question)
        if document.url == "deadly":
            os._exit(1)
        if document.url == "endless":
            time.sleep(600)
        if document.url == "failing":
            raise ValueError("no such page")
        return encoded_rows.encode(EncodedRow(document.url.encode(), 0, False, False))

    return respond


def document(url: str) -> ArchivedDocument:
    return ArchivedDocument(url, "", "text/html", "", offset=0, length=0, body=b"")


def read(*urls: str) -> list[bytes | str]:
    """What comes of each page: its row, or why there is none."""

    async def read_all() -> list[EncodedRow | BaseException]:
        with closing(PagePool(prepare, 1, patience=3.0)) as pool:
            reading = [pool.read(document(url)) for url in urls]
            return await asyncio.gather(*reading, return_exceptions=True)

    found = run(read_all())
    assert all(isinstance(one, EncodedRow | UnreadPageError) for one in found)
    return [one.line if isinstance(one, EncodedRow) else str(one) for one in found]


def test_only_the_pages_that_end_or_block_their_process_are_lost():
    assert read("a", "deadly", "b", "endless", "c") == [
        b"a",
        "deadly ends or blocks its process",
        b"b",
        "endless ends or blocks its process",
        b"c",
    ]


def test_page_on_which_the_reader_fails_is_lost_with_the_reason():
    assert read("failing", "a") == ["failing: ValueError: no such page", b"a"]
