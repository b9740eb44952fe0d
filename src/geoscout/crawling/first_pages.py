"""The first pages of each site, which are read again when the site is known.

A page is read with what was known of its site at that time. Of the first pages that is little: the
names in their menus count for them, and an ambiguous name has its most common meaning. So the first
24 pages of a site are remembered here with what they told, and looked at again when the site has
24 pages, and at the end of the crawl where it has fewer. Those for which something has changed are
read again from the archive (`crawl.py`).

Each page is a row of its own among the rows of sites, which is written with its visit: a crash
loses none of them. Its name is that of the site and the number of the visit ("lisboa.pt 17").
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from geoscout.codec import Codec
from geoscout.errors import DamagedDataError
from geoscout.model import SiteKnowledge, SiteNotes

FIRST_PAGES = 24  # of a site; by then its menus and footers are known, and where it is
MOST_FIRST_PAGES = 20_000  # of all sites together, up to two kilobytes each
_LEAST_PAGES = 4  # of a site that anything is known of
# On local news a share of 0.25 corrects 0.871 to 0.877 by reading every eleventh page again; with
# less, a site that writes about the whole world is taken for one of a country.
_FIRM = 0.25  # the share of the country or region where a site is
_NEGLIGIBLE = 0.05  # the share of places elsewhere in what a page names

Area = TypeVar("Area", str, int)


class FirstPage(Struct, frozen=True):
    """A page as it was read: what it told, and what was known of its site."""

    notes: SiteNotes
    repeated: tuple[int, ...] = ()  # those of its blocks that were known to be repeated
    country: str = ""  # where the site was known to be; "" and 0 for nowhere
    region: int = 0

    @classmethod
    def read_with(cls, site: SiteKnowledge | None, notes: SiteNotes) -> FirstPage:
        """A page that told this when it was read with what was known of its site."""
        if site is None:
            return cls(notes)
        repeated = tuple(mark for mark in notes.blocks if mark in site.repeated)
        return cls(notes, repeated, _leading(site.countries, ""), _leading(site.regions, 0))

    def is_outdated(self, site: SiteKnowledge) -> bool:
        """Whether it may be read differently with what is known of its site now."""
        if site.pages < _LEAST_PAGES:
            return False
        if not site.repeated.intersection(self.notes.blocks) <= set(self.repeated):
            return True
        country, region = _leading(site.countries, ""), _leading(site.regions, 0)
        if country not in ("", self.country) and _names_others(self.notes.countries, country):
            return True
        return region not in (0, self.region) and _names_others(self.notes.regions, region)


_pages = Codec(FirstPage)


class FirstPages:
    """The first pages of all sites, packed; of too many, the site that was met first must go."""

    def __init__(self, kept: Iterable[tuple[str, bytes]] = ()) -> None:
        self._of_site: OrderedDict[str, dict[int, bytes]] = OrderedDict()
        self._number = 0
        for name, packed in kept:
            site, _, visit = name.partition(" ")
            self._put(site, int(visit), packed)

    def __contains__(self, site: object) -> bool:
        return site in self._of_site

    def __iter__(self) -> Iterator[str]:
        """The names of the sites that have some, the one that was met first at the beginning."""
        return iter(list(self._of_site))

    def add(self, site: str, visit: int, page: FirstPage) -> tuple[str, bytes]:
        """Remember a page; returns the row that is to be kept of it."""
        packed = _pages.encode(page)
        self._put(site, visit, packed)
        return row_name(site, visit), packed

    def of(self, site: str) -> list[tuple[int, FirstPage]]:
        """The pages of a site, each with the number of its visit."""
        found = []
        for visit, packed in self._of_site.get(site, {}).items():
            try:
                found.append((visit, _pages.decode(packed)))
            except DamagedDataError:
                continue  # of another version
        return found

    def forget(self, site: str) -> list[str]:
        """Remember the pages of a site no more; returns the names of their rows."""
        visits = self._of_site.pop(site, {})
        self._number -= len(visits)
        return [row_name(site, visit) for visit in visits]

    def crowded_out(self) -> str:
        """The site that has to make room for others; "" while there is enough."""
        return next(iter(self._of_site)) if self._number > MOST_FIRST_PAGES else ""

    def _put(self, site: str, visit: int, packed: bytes) -> None:
        pages = self._of_site.setdefault(site, {})
        self._number += visit not in pages
        pages[visit] = packed


def row_name(site: str, visit: int) -> str:
    """The name of the row that is kept of a page."""
    return f"{site} {visit}"


def is_row_of_page(name: str) -> bool:
    """Whether a row is that of a page and not of a site; the name of a host has no space."""
    return " " in name


def _leading(shares: Sequence[tuple[Area, float]], none: Area) -> Area:
    """The area that a site is mostly about."""
    area, share = max(shares, key=lambda pair: pair[1], default=(none, 0.0))
    return area if share >= _FIRM else none


def _names_others(shares: Iterable[tuple[Area, float]], area: Area) -> bool:
    """Whether a page names places elsewhere: names that may mean another place."""
    return sum(share for other, share in shares if other != area) > _NEGLIGIBLE
