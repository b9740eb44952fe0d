"""Entries of the directory in the pages of a crawl that asks for them.

A module of its own, because it takes long to import and few crawls ask for entries.
"""

from __future__ import annotations

from geoscout_directory.entity_keys import EntityKeys, entity_keys
from geoscout_directory.packing import pack_entries
from geoscout_directory.page_reader import EntryReader, placed
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Page, Reading, Response
from geoscout_places.parse.outline import Outline, outline_of


class PageEntries:
    """Reads what pages say of businesses."""

    def __init__(self, gazetteer: Gazetteer, region: Region | None) -> None:
        self._reader = EntryReader(gazetteer)
        self._region = region

    def read(self, reading: Reading, page: Page, response: Response) -> list[PageEntry]:
        """The entries of a page, which is cut to what is read of it."""
        outline = Outline()
        if reading.addresses:
            outline = outline_of(response.body, page.url, response.header("content-type"))
        return self._reader.read(page, [placed(a) for a in reading.addresses], outline)

    def keys(self, entries: list[PageEntry], *, relevant: bool) -> EntityKeys:
        """What tells the entries of a page from those of others."""
        return entity_keys(entries, self._region, relevant=relevant)

    def pack(self, entries: list[PageEntry]) -> bytes:
        """The entries as the store keeps them."""
        return pack_entries(entries)
