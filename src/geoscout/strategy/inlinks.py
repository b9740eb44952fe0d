"""Two baselines that go by who links to a page: its PageRank, and where those are that link to it.

`by=pagerank` is the order of Cho, Garcia-Molina and Page (1998), which all three papers cite: the
waiting page comes first that has the highest PageRank in the part of the web that was seen.
`by=scope` is the scope of Ding, Gravano and Shivakumar (2000) turned into an order: a page is
likely of the region if pages of the region are a large share of those that link to it. Both know
the links seen so far and nothing else; they are for comparisons, and keep at most a million URLs.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geoscout.strategy.base import Reason, Scored, Scores, Source, Strategy, StrategyAim
from geoscout_places.errors import UsageError
from geoscout_places.model import Link, Request
from geoscout_places.plugins import PluginOptions, read_options, setting

_MOST_KNOWN = 1_000_000  # URLs, some 150 MB; links to further ones are not counted
_MOST_RESCORED = 50_000
_FOLLOWED = 0.85  # the share of visitors who follow a link rather than begin anew
_STEPS = 20
_PRIOR = 1.0  # links of which nothing is known, that are counted beside those seen

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class InLinksOptions(PluginOptions):
    """What counts of the links to a page, and when it is worked out again."""

    by: str = setting("pagerank", "their pagerank, or scope: the share that is on relevant pages")
    every: int = setting(50, "waiting requests are scored again after so many", "responses")


def create(aim: StrategyAim) -> Strategy:
    """The strategy that goes by the links to a page.

    Raises:
        UsageError: `by` is neither of its values.
    """
    options = read_options("inlinks", InLinksOptions, aim.options)
    if options.by not in ("pagerank", "scope"):
        raise UsageError(f"inlinks: by is pagerank or scope, not {options.by!r}")
    return InLinks(options)


class SeenLinks:
    """The links of the pages fetched so far, between URLs by their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.sources, self.targets = array("i"), array("i")
        self.weights = array("d")  # of each link: 1 for a relevant source, else 0

    def add(self, source: Source, links: Sequence[Link]) -> None:
        """The links of a page."""
        page = self._number(source.request.url)
        for target in {self._number(link.url) for link in links} - {-1}:
            if page >= 0:
                self.sources.append(page)
                self.targets.append(target)
                self.weights.append(float(source.relevant))

    def _number(self, url: str) -> int:
        if url not in self.numbers and len(self.numbers) >= _MOST_KNOWN:
            return -1
        return self.numbers.setdefault(url, len(self.numbers))

    def counted(self, weights: Floats | None = None) -> Floats:
        """For each URL the links to it, or the sum of their weights."""
        targets = np.frombuffer(self.targets, np.int32)
        return np.bincount(targets, weights, minlength=len(self.numbers)).astype(np.float64)

    def pagerank(self) -> Floats:
        """The PageRank of each URL; pages whose links are not known give theirs to all."""
        size = len(self.numbers)
        sources = np.frombuffer(self.sources, np.int32)
        links = np.bincount(sources, minlength=size)
        rank: Floats = np.full(size, 1 / max(size, 1))
        for _ in range(_STEPS):
            given = rank[sources] / links[sources]
            passed = self.counted(given) + rank[links == 0].sum() / size
            rank = (1 - _FOLLOWED) / size + _FOLLOWED * passed
        return rank

    def scope(self) -> Floats:
        """The share of relevant pages among those that link to each URL, smoothed."""
        weights = np.frombuffer(self.weights, np.float64)
        mean = float(weights.mean())
        shares: Floats = (self.counted(weights) + _PRIOR * mean) / (self.counted() + _PRIOR)
        return shares


class InLinks:
    """Scores waiting requests again now and then, by all links seen."""

    def __init__(self, options: InLinksOptions) -> None:
        self._every = max(1, options.every)
        self._is_scope = options.by == "scope"
        self._seen = SeenLinks()
        self._values: Floats = np.zeros(0)

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        """As of the last time; new URLs wait behind those that were known then."""
        self._seen.add(source, links)
        return [Scored(self._value(link.url)) for link in links]

    def due(self, responses: int) -> int:
        """Every so often all of them, as far as there are not too many."""
        return 0 if responses % self._every else _MOST_RESCORED

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """By the links known now."""
        if self._seen.sources:
            self._values = self._seen.scope() if self._is_scope else self._seen.pagerank()
        return [self._value(request.url) for request in waiting]

    def explain(self, source: Source, link: Link) -> Reason:  # noqa: ARG002
        """The value as of the last time it was worked out."""
        return Reason("priority", self._value(link.url), "by the links seen until then")

    def _value(self, url: str) -> float:
        number = self._seen.numbers.get(url, -1)
        return float(self._values[number]) if 0 <= number < len(self._values) else 0.0
