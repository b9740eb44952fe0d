"""The pages of a crawl on the map: those found last, and all of them as cells with counts.

A crawl has up to millions of pages. Their points are read once and then only what is new, and kept
as plain arrays, 17 bytes for a page; what a browser gets are some hundred cells of the part of the
map that it looks at.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections import deque
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geoscout.search.presenting import LONGEST_TITLE
from geoscout.store.base import Cursor, MappedPage
from geoscout.store.reader import CrawlReader
from geoscout_places.codec import record_of
from geoscout_places.gazetteer.base import View
from geoscout_places.model import point_as_json

if TYPE_CHECKING:
    import numpy.typing as npt

_BATCH = 2000  # pages that are read at a time
_NEWEST = 8
_CELLS_ACROSS = 28  # of the view, at most
_FINEST = 2.0**-12  # degrees; 27 m


class SightingJson(Struct, frozen=True):
    """A page on the map, at its surest point."""

    n: int
    url: str
    title: str
    relevant: bool
    lat: float
    lon: float


class SightingsJson(Struct, frozen=True):
    """The pages on the map after some position in the crawl."""

    last: str  # the position to ask after next
    more: bool
    pages: list[SightingJson]


class CellJson(Struct, frozen=True):
    """Some pages near each other."""

    lat: float  # the middle of the pages, not of the cell
    lon: float
    pages: int
    relevant: int
    bbox: str  # of the pages, as west,south,east,north


class PageCells(Struct, frozen=True):
    """The pages of a part of the map."""

    cells: list[CellJson]
    pages: int  # in this part
    is_whole: bool  # False while the pages of a large crawl are still being read: ask again


class PageGrid:
    """The points of one crawl; one for all requests."""

    def __init__(self) -> None:
        self._cursor: Cursor = ""
        self._latitudes = array("d")
        self._longitudes = array("d")
        self._relevant = array("b")
        self._newest: deque[MappedPage] = deque(maxlen=_NEWEST)
        self._newest_relevant: deque[MappedPage] = deque(maxlen=_NEWEST)
        self._reading = threading.Lock()

    def extend(self, crawl: CrawlReader, seconds: float) -> bool:
        """Read what is new for so long at most; whether that was all of it."""
        until = time.monotonic() + seconds
        with self._reading:
            while True:
                found = crawl.sightings(self._cursor, _BATCH)
                for page in found.pages:
                    self._add(page)
                self._cursor = found.cursor
                if not found.more:
                    return True
                if time.monotonic() >= until:
                    return False

    def newest(self) -> list[SightingJson]:
        """The pages found last, the latest first: relevant ones if there are any."""
        with self._reading:
            pages = list(self._newest_relevant or self._newest)
        return [_sighting(page) for page in reversed(pages)]

    def cells(self, view: View, *, is_whole: bool) -> PageCells:
        """The pages in a part of the map, in at most some hundred cells."""
        with self._reading:
            columns = (self._latitudes[:], self._longitudes[:], self._relevant[:])
        found = count_cells(*columns, view)
        return PageCells(found, sum(cell.pages for cell in found), is_whole)

    def _add(self, page: MappedPage) -> None:
        self._latitudes.append(page.point.latitude)
        self._longitudes.append(page.point.longitude)
        self._relevant.append(page.relevant)
        self._newest.append(page)
        if page.relevant:
            self._newest_relevant.append(page)


def read_sightings(crawl: CrawlReader, after: Cursor, limit: int) -> SightingsJson:
    """The pages with a point among the next `limit` pages after a position."""
    found = crawl.sightings(after, limit)
    return SightingsJson(found.cursor, found.more, [_sighting(page) for page in found.pages])


def _sighting(page: MappedPage) -> SightingJson:
    at = point_as_json(page.point)
    return record_of(SightingJson, page, title=page.title[:LONGEST_TITLE], **at)


def count_cells(
    latitudes: array[float], longitudes: array[float], relevant: array[int], view: View
) -> list[CellJson]:
    """Points in a part of the map, in at most some hundred cells."""
    import numpy as np  # noqa: PLC0415 - takes longer to import than most commands run

    lats, lons, marks = np.array(latitudes), np.array(longitudes), np.array(relevant, np.int64)
    inside = _inside(lats, lons, view)
    lats, lons, marks = lats[inside], lons[inside], marks[inside]
    size = _cell_size(view)
    rows, columns = np.floor(lats / size), np.floor(lons / size)
    _, cells = np.unique(rows * 2**22 + columns, return_inverse=True)
    return _cells(lats, lons, marks, cells)


def _inside(
    latitudes: npt.NDArray[Any], longitudes: npt.NDArray[Any], view: View
) -> npt.NDArray[Any]:
    beside = (longitudes >= view.west, longitudes <= view.east)
    is_wrapped = view.west > view.east  # the view reaches over the date line
    across = beside[0] | beside[1] if is_wrapped else beside[0] & beside[1]
    found: npt.NDArray[Any] = across & (latitudes >= view.south) & (latitudes <= view.north)
    return found


def _cell_size(view: View) -> float:
    """Degrees, a power of two, so that cells stay where they are while the map is moved."""
    width = (view.east - view.west) % 360 or 360.0
    least = max(width, view.north - view.south) / _CELLS_ACROSS
    size = 2.0**4
    while size > _FINEST and size / 2 >= least:
        size /= 2
    return size


def _cells(
    latitudes: npt.NDArray[Any],
    longitudes: npt.NDArray[Any],
    relevant: npt.NDArray[Any],
    cells: npt.NDArray[Any],
) -> list[CellJson]:
    import numpy as np  # noqa: PLC0415

    order = np.argsort(cells, kind="stable")
    if not len(order):
        return []
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    latitudes, longitudes, relevant = latitudes[order], longitudes[order], relevant[order]
    pages = np.diff(starts, append=len(order))
    columns = (
        np.add.reduceat(latitudes, starts) / pages,
        np.add.reduceat(longitudes, starts) / pages,
        pages,
        np.add.reduceat(relevant, starts),
        np.minimum.reduceat(longitudes, starts),
        np.minimum.reduceat(latitudes, starts),
        np.maximum.reduceat(longitudes, starts),
        np.maximum.reduceat(latitudes, starts),
    )
    return [_cell(row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _cell(row: tuple[Any, ...]) -> CellJson:
    lat, lon, pages, relevant, west, south, east, north = row
    edge = 0.0005  # degrees: a box needs an inside, and its numbers are rounded
    sides = (
        max(west - edge, -180.0), max(south - edge, -90.0),
        min(east + edge, 180.0), min(north + edge, 90.0),
    )  # fmt: skip
    bbox = ",".join(f"{side:.5f}" for side in sides)
    return CellJson(round(lat, 5), round(lon, 5), pages, relevant, bbox)
