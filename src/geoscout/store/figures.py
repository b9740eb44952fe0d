"""The figures of a crawl: what a status, a curve or a map needs without reading every visit.

A store of its own answers these by whatever it has for it, such as one row for a group of visits;
so the records say no more than the figures themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from geoscout_places.model import Point

# A position in what a crawl wrote, given out by a store. "" is the beginning. Nobody but that
# store reads it or compares two of them except for being equal: in a crawl of several processes
# it is not a number.
Cursor = str


def harvest_of(relevant: float, pages: int) -> float:
    """The harvest: the share of relevant pages among those fetched; 0 before the first page."""
    return relevant / pages if pages else 0.0


class Totals(Struct, frozen=True):
    """What a crawl has come to."""

    visits: int = 0
    pages: int = 0
    relevant: int = 0
    first_at: float = 0.0  # seconds since the epoch, UTC; 0 before the first response
    last_at: float = 0.0
    degrees: float = 0.0  # the sum of how much each page is about the region

    @property
    def harvest(self) -> float:
        return harvest_of(self.relevant, self.pages)

    @property
    def harvest_by_degree(self) -> float:
        return harvest_of(self.degrees, self.pages)


class Step(NamedTuple):
    """What some visits added to a crawl; a tuple, because a crawl has millions."""

    visits: int
    pages: int
    relevant: int
    at: float  # when the last of them was fetched


class Growth(Struct, frozen=True):
    """The next steps of a crawl."""

    steps: Sequence[Step]
    cursor: Cursor  # what to ask after next


class NodeTotals(Struct, frozen=True):
    """What one node of a collaborative crawl has come to; "" is the node of any other crawl."""

    node: str
    visits: int
    pages: int
    relevant: int

    @property
    def harvest(self) -> float:
        return harvest_of(self.relevant, self.pages)


class MappedPage(Struct, frozen=True):
    """A page and the surest point it belongs to."""

    n: int
    url: str
    title: str
    relevant: bool
    point: Point


class MappedPages(Struct, frozen=True):
    """The pages with a point among the next ones that were fetched."""

    pages: Sequence[MappedPage]
    cursor: Cursor  # what to ask after next
    more: bool  # whether there may be more already


class Recent(Struct, frozen=True):
    """When a page was fetched, and how long the server took."""

    at: float  # seconds since the epoch, UTC
    seconds: float
