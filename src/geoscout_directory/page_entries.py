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

from geoscout.entries import EntityKeys
from geoscout.strategy.terms import term_number
from geoscout_directory.likeness import NormalForm, normal_form
from geoscout_directory.page_reader import EntryReader, placed
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.reading import PageReading


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
    """Reads what pages say of businesses; implements `geoscout.entries.PageEntryReader`."""

    def __init__(self, gazetteer: Gazetteer, region: Region | None) -> None:
        self._reader = EntryReader(gazetteer)
        self._region = region

    def keys(self, found: PageReading) -> EntityKeys:
        known = [placed(address) for address in found.reading.addresses]
        entries = self._reader.read(found.seen, known, found.outline)
        return entity_keys(entries, self._region, relevant=found.relevance.relevant)
