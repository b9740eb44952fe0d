"""What a simulated crawl did: its visits in order, by one node as arrays, by several as records.

A million visits are a few megabytes, every measure is a numpy expression, and two traces of one
world can be compared page by page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Trace:
    """The visits of a crawl, in order; every response is one, dead links and redirects too."""

    pages: NDArray[np.int64]
    parents: NDArray[np.int64]  # number of the visit whose link was followed; -1 for a seed
    depths: NDArray[np.int64]  # links since the seed
    priorities: NDArray[np.float64]  # when it was taken
    relevant: NDArray[np.bool_]
    statuses: NDArray[np.int64]
    seconds: float = 0.0  # CPU time of the strategy and the simulation
    training: Trace | None = None  # the crawl before, where training was not counted

    def __len__(self) -> int:
        """How many visits there were."""
        return len(self.pages)

    def cut(self, visits: int) -> Trace:
        """The first visits, this number of them."""
        return replace(
            self,
            pages=self.pages[:visits],
            parents=self.parents[:visits],
            depths=self.depths[:visits],
            priorities=self.priorities[:visits],
            relevant=self.relevant[:visits],
            statuses=self.statuses[:visits],
        )

    def with_training(self, budget: int) -> NDArray[np.int64]:
        """The pages in the order fetched if training counts: first its pages, then the new ones."""
        if self.training is None:
            return self.pages[:budget]
        first = self.training.pages
        new = self.pages[~np.isin(self.pages, first)]
        return np.concatenate([first, new])[:budget]


@dataclass(frozen=True, slots=True)
class Fetch:
    """One page fetched by one node; responses that are not pages are left out."""

    node: str
    page: int
    sent: int  # links that went to another node
    label: int  # the place of the page as the assignment sees it; 0 for none


@dataclass(slots=True)
class CollaborativeTrace:
    """What a collaborative crawl did."""

    fetches: list[Fetch]
    visits: int = 0  # all responses
    idle: int = 0  # ticks of a node with nothing to fetch
