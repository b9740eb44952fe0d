"""The rows of an export of pages, each with its page, read from the archive again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from geoscout.model import Page, Response
from geoscout.parse import parse_document
from geoscout.store.export import ExportSource
from geoscout.store.export_rows import Row

_TOGETHER = 100  # pages that are looked for in the archive together


def rows_with_pages(source: ExportSource) -> Iterator[tuple[Row, Response | None, Page]]:
    """The rows in their order; a page that the archive has lost has no response and no text."""
    rows = source.rows()
    while group := list(islice(rows, _TOGETHER)):
        found = {}
        if source.store is not None:
            found = dict(source.store.responses([row["n"] for row in group]))
        for row in group:
            response = found.get(row["n"])
            yield row, response, _page(row["url"], response)


def _page(url: str, response: Response | None) -> Page:
    if response is None:
        return Page.empty(url)
    return parse_document(response.body, response.url, response.header("content-type"))
