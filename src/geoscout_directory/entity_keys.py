"""Cheap keys of the businesses that a page names, for a crawl that looks for new ones.

To merge what pages say (`merging.py`) needs all of them; a crawl has to tell at once whether a page
names somebody that no page has named before. So each business has a few keys, and two with one in
common count as the same: a telephone number, a website or a name, each with the postal code or
town, since branches share all three. That is less careful than merging: what a page writes in
another way counts as new once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from geoscout.strategy.terms import term_number
from geoscout_directory.likeness import NormalForm, normal_form
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer.areas.region import Region

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
