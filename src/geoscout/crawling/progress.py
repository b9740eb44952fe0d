"""What a crawl has done so far: kept by the loop, read by whoever shows it."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass, field

from geoscout.store.base import harvest_of

ENTITY_STEP = 100  # visits between two points of the curve of new entities
_RATE_SECONDS = 60.0  # over which the present rate is taken


@dataclass(slots=True)
class Progress:
    """Counts over every resume of a crawl; rate, failures and statuses are those of this run."""

    visits: int = 0
    pages: int = 0
    relevant: int = 0
    failures: Counter[str] = field(default_factory=Counter)  # by kind
    statuses: Counter[str] = field(default_factory=Counter)  # responses by HTTP status
    nodes: dict[str, Counter[str]] = field(default_factory=dict)  # visits, pages, relevant
    _ticks: deque[tuple[float, int]] = field(default_factory=deque)  # time and visits then

    def add(self, node: str, *, page: bool, relevant: bool) -> None:
        """Count a visit."""
        self.visits += 1
        self.pages += page
        self.relevant += relevant
        if node:
            counts = self.nodes.setdefault(node, Counter())
            counts.update(visits=1, pages=int(page), relevant=int(relevant))
        now = time.monotonic()
        if not self._ticks or now - self._ticks[-1][0] >= 1.0:
            self._ticks.append((now, self.visits))
            while now - self._ticks[0][0] > _RATE_SECONDS:
                self._ticks.popleft()

    def add_failure(self, kind: str) -> None:
        """Count a failure."""
        self.failures[kind] += 1

    @property
    def rate(self) -> float:
        """Visits a second over the last minute."""
        if not self._ticks:
            return 0.0
        at, visits = self._ticks[0]
        return (self.visits - visits) / max(time.monotonic() - at, 1.0)

    @property
    def harvest(self) -> float:
        """Relevant pages among those fetched."""
        return harvest_of(self.relevant, self.pages)
