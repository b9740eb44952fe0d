"""New entries of the directory over the responses of a crawl: a second harvest curve.

An entry counts from the response on that named it first. The directory is behind a running crawl
by some minutes, so the curve ends in a level line.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Hashable

from geoscout.crawling.harvest_curve import CurvePoints
from geoscout_directory.listing.finding import Listing

_ROUNDED = 0.01  # seconds, of the times of a curve


class EntryCurve:
    """The curve of one crawl; one for all requests."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._known: tuple[Hashable, array[float]] = (None, array("d"))

    def read(self, points: CurvePoints, first_at: float) -> list[int]:
        """How many entries were known at each point of a curve; empty without a directory."""
        found = self._found_at()
        if not found:
            return []
        return [bisect_right(found, first_at + after + _ROUNDED) for after in points.seconds]

    def total(self) -> int | None:
        """How many entries there are; None without a directory."""
        found = self._found_at()
        return len(found) if self._known[0] is not None else None

    def _found_at(self) -> array[float]:
        """When the first page of each entry was fetched, in order; read again when it changes."""
        edition = self._listing.edition
        if edition != self._known[0]:
            self._known = (edition, self._listing.found_at())
        return self._known[1]
