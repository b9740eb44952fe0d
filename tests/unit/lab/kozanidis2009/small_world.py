"""A small world of pages that name places or do not, and traces of crawls of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geoscout_lab.simulation.simulate import Trace
from geoscout_places.model import Block, Link, Page, Part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOSTON, NOTHING = "We live in Boston, Massachusetts.", "We like soup and bread."


class SmallWorld:
    """Pages by number: their texts, targets and, if they are not pages, status."""

    name = "small"

    def __init__(
        self,
        texts: Sequence[str],
        targets: Mapping[int, Sequence[int]],
        statuses: Mapping[int, int] | None = None,
    ) -> None:
        self._texts = texts
        self._targets = targets
        self._statuses = statuses or {}
        self.size = len(texts)
        self.seeds = [0]

    def url(self, page: int) -> str:
        return f"http://host{page}.example/" if page % 2 == 0 else f"http://host.example/{page}"

    def status(self, page: int) -> int:
        return self._statuses.get(page, 200)

    def targets(self, page: int) -> Sequence[int]:
        return self._targets.get(page, ())

    def links(self, page: int) -> Sequence[Link]:
        return ()

    def page(self, page: int) -> Page:
        text = self._texts[page]
        return Page(self.url(page), "", "en", text, (Block(0, len(text), Part.MAIN),))

    def is_relevant(self, page: int) -> bool:
        return False

    def entities(self, page: int) -> Sequence[str]:
        return ()

    def host(self, page: int) -> int:
        return page


def make_trace(pages: Sequence[int], parents: Sequence[int]) -> Trace:
    """The trace of these visits; a parent is the number of a visit, -1 for a seed."""
    numbers = np.array(pages, dtype=np.int64)
    return Trace(
        numbers,
        np.array(parents, dtype=np.int64),
        depths=numbers,
        priorities=numbers.astype(np.float64),
        relevant=np.zeros(len(pages), dtype=np.bool_),
        statuses=numbers,
    )
