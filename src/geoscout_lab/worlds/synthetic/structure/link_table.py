"""The links of a synthetic web as one compressed table: from where, to where, of which kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.structure.hosts import Integers


class Tie(IntEnum):
    """What a link is on its page; also the order of links on a page."""

    HOME = 0  # navigation
    SECTION = 1
    TEXT = 2  # in a sentence, to another site
    ENTRY = 3  # entry of a list, to another site
    CHILD = 4  # list of the pages below
    SIBLING = 5  # other pages of the site
    STRAY = 6  # a page that does not exist any more
    CONTACT = 7  # foot of the page
    IMPRINT = 8
    MOVED = 9  # where a redirect leads


@dataclass(frozen=True, slots=True)
class Edges:
    """Links as a bag of rows."""

    source: Integers
    target: Integers
    tie: npt.NDArray[np.int8]

    @staticmethod
    def of(source: Integers, target: Integers, tie: Tie) -> Edges:
        return Edges(source, target, np.full(len(source), tie, dtype=np.int8))

    @staticmethod
    def joined(*parts: Edges) -> Edges:
        return Edges(
            np.concatenate([part.source for part in parts]),
            np.concatenate([part.target for part in parts]),
            np.concatenate([part.tie for part in parts]),
        )


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The links of page p are rows start[p] to start[p + 1]."""

    start: Integers
    target: npt.NDArray[np.int32]
    tie: npt.NDArray[np.int8]

    def targets(self, page: int) -> npt.NDArray[np.int32]:
        return self.target[self.start[page] : self.start[page + 1]]

    def ties(self, page: int) -> npt.NDArray[np.int8]:
        return self.tie[self.start[page] : self.start[page + 1]]


def distinct(edges: Edges) -> Edges:
    """In the order of their pages; each target once a page, at its first place; no page itself."""
    kept = edges.source != edges.target
    source, target, tie = edges.source[kept], edges.target[kept], edges.tie[kept]
    order = np.lexsort((tie, target, source))
    source, target, tie = source[order], target[order], tie[order]
    first = np.ones(len(source), dtype=np.bool_)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    source, target, tie = source[first], target[first], tie[first]
    # Pages of one kind of link come as their numbers do, externals in no order a crawler could use.
    order = np.lexsort((target, tie, source))
    return Edges(source[order], target[order], tie[order])


def compress(edges: Edges, pages: int) -> LinkTable:
    """The table of edges that `distinct` gave."""
    counts = np.bincount(edges.source, minlength=pages)
    start = np.concatenate(([0], np.cumsum(counts)))
    return LinkTable(start, edges.target.astype(np.int32), edges.tie)
