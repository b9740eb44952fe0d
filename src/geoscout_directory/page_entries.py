"""Entries of the directory in the pages of a crawl that asks for them, and cheap keys of them.

To merge what pages say (`merging.py`) needs all of them; a crawl has to tell at once whether a page
names somebody that no page has named before. So each business has a few keys, and two with one in
common count as the same: a telephone number, a website or a name, each with the postal code or
town, since branches share all three. That is less careful than merging: what a page writes in
another way counts as new once more.

A module of its own, because it takes long to import and few crawls ask for entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from geoscout.strategy.terms import term_number
from geoscout_directory.likeness import NormalForm, normal_form
from geoscout_directory.packing import pack_entries
from geoscout_directory.page_reader import EntryReader, placed
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Page, Reading, Response
from geoscout_places.parse.outline import Outline, outline_of

EntityKeys = tuple[tuple[int, ...], ...]  # for each business the numbers of its keys


def entity_keys(
    entries: Iterable[PageEntry], region: Region | None, *, relevant: bool
) -> EntityKeys:
    """The keys of the businesses in the region.

    One whose place is not known is in the region if its page is relevant.
    """
    inside = (entry for entry in entries if _is_inside(entry, region, relevant=relevant))
    return tuple(tuple(map(term_number, _keys(normal_form(entry)))) for entry in inside)


def _is_inside(entry: PageEntry, region: Region | None, *, relevant: bool) -> bool:
    point = entry.address.point if entry.address else None
    if point is None or region is None:
        return relevant
    return region.contains_point(point)


def _keys(form: NormalForm) -> Iterator[str]:
    where = form.town or form.house
    yield f"name {' '.join(sorted(form.tokens))} {where}"
    for phone in sorted(form.phones):
        yield f"phone {phone} {where}"
    if form.site:
        yield f"site {form.site} {where}"


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
